import { z } from "zod";
import type { Check } from "../../core/forges/checks.ts";
import type { ForgeAnswer } from "../../core/forges/forge.ts";
import type { Required } from "../../core/forges/required.ts";
import { missingAsNull } from "../http/answer.ts";
import { type Gitea, listOf } from "./client.ts";

/** Checks of commits on Gitea, and the checks that a branch requires. */

const status = z.object({
  id: z.number(),
  context: z.string(),
  status: z.string(),
  description: z.string().nullish(),
  target_url: z.string().nullish(),
});

/** The part of branch protection that every reader may see. The names may contain `*`. */
const branchShape = z.object({
  enable_status_check: z.boolean().nullish(),
  status_check_contexts: z.array(z.string()).nullish(),
});

/** Other statuses, "warning" and "skipped", neither fail nor pass a commit. */
const states: ReadonlyMap<string, Check["state"]> = new Map([
  ["pending", "pending"],
  ["success", "passed"],
  ["failure", "failed"],
  ["error", "failed"],
]);

/** The latest status of each context for a commit. The server's own summary lacks statuses in some versions. */
export async function checksOf(gitea: Gitea, commit: string): Promise<ForgeAnswer<readonly Check[]>> {
  const found = missingAsNull(await listOf(gitea, `${gitea.at}/commits/${commit}/statuses`, status));
  if (found.type === "failed") return found;
  const last = new Map<string, z.infer<typeof status>>();
  for (const each of found.value) if (each.id >= (last.get(each.context)?.id ?? 0)) last.set(each.context, each);
  return { type: "ok", value: [...last.values()].map(checkIn) };
}

/** The checks that the protection of a branch names. */
export async function requiredChecks({ ask, at }: Gitea, branch: string): Promise<ForgeAnswer<Required>> {
  const found = await ask({ method: "GET", path: `${at}/branches/${encodeURIComponent(branch)}` }, branchShape);
  if (found.type === "failed") return found;
  const { enable_status_check: isOn, status_check_contexts: named } = found.value;
  const isNamed = isOn === true && named != null && named.length > 0;
  return { type: "ok", value: { named: isNamed ? named : null, more: [] } };
}

function checkIn({ context: name, status: now, description, target_url: url }: z.infer<typeof status>): Check {
  const state = states.get(now) ?? "skipped";
  return { name, state, said: description ?? null, url: url ?? null };
}
