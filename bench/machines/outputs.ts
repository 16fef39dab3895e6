import { createHash } from "node:crypto";
import type { Server } from "../soak/server.ts";

/** Opening every output that was kept, in every console. */
export interface Opened {
  /** How many outputs, and how many times one opened with the hash that its row says. */
  readonly outputs: number;
  readonly opened: number;
  /** Those that did not open everywhere, by their goals. */
  readonly missing: readonly { readonly goalId: string; readonly words: string }[];
}

const sideBySide = 8;

/** `consoles`: their addresses; `token`: of all of them. No console ran anything itself: what it shows comes from the store. */
export async function openOutputs(server: Server, consoles: readonly string[], token: string): Promise<Opened> {
  const rows = await server.rows<{ id: string; goal_id: string; kind: string; sha256: string }>(
    `select evidence_id::text as id, goal_id, kind, sha256 from cos.evidence
     where output_file is not null order by evidence_id`,
  );
  const missing: { goalId: string; words: string }[] = [];
  let opened = 0;
  const left = rows.flatMap((row) => consoles.map((url) => ({ row, url })));
  const open = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const { row, url } = next;
      const found = await hashAt(`${url}/evidence/${row.id}`, token);
      if (found === row.sha256) opened += 1;
      else missing.push({ goalId: row.goal_id, words: `output ${row.id} (${row.kind} of ${row.goal_id}): ${found}` });
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, open));
  return { outputs: rows.length, opened, missing };
}

/** The SHA-256 of what is shown there, or how it was refused. */
async function hashAt(url: string, token: string): Promise<string> {
  const page = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const bytes = Buffer.from(await page.arrayBuffer());
  return page.ok
    ? createHash("sha256").update(bytes).digest("hex")
    : `${page.status} ${bytes.toString().slice(0, 200)}`;
}
