import { createHash } from "node:crypto";
import { readFile, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Db } from "../db/connection/client.ts";
import { type Evidence, evidenceOf } from "../db/evidence.ts";
import { listGoals } from "../db/goal-lists.ts";
import { storedAmong } from "../db/kept-outputs.ts";
import type { Deps } from "../deps.ts";
import { StoreError } from "../core/store-error.ts";

/** The kept output of an evidence row, compared with the hash that was stored when it was kept (F-214). */
export type KeptOutputNow =
  | { readonly type: "as kept"; readonly bytes: Buffer }
  /** Somebody has written to it since. `sha256` is the hash of the current content. */
  | { readonly type: "changed"; readonly sha256: string }
  /** The store cannot be reached now. */
  | { readonly type: "away"; readonly reason: string }
  /** No output was kept, or it is neither on this machine nor in the store. Files outside of the data directory also count as gone. */
  | { readonly type: "gone" };

type Row = Pick<Evidence, "outputFile" | "sha256">;

/** Longer than any kept output: nothing beyond it is unpacked. */
const mostBytes = 16 * 1024 * 1024;

/** Reads a kept output from this machine's disk, or else from the store. */
export async function keptOutput(deps: Pick<Deps, "config" | "store">, row: Row | null): Promise<KeptOutputNow> {
  if (row?.outputFile == null) return { type: "gone" };
  const here = await readHere(deps.config.dataDir, row.outputFile);
  if (here !== null) return compared(row, here);
  if (deps.store === null) return { type: "gone" };
  try {
    const content = await deps.store.get(row.outputFile);
    if (content === null) return { type: "gone" };
    // Content that cannot be unpacked is not what was stored: it is compared as it is.
    const bytes = await promisify(gunzip)(content, { maxOutputLength: mostBytes }).catch(() => content);
    return compared(row, bytes);
  } catch (error) {
    if (error instanceof StoreError) return { type: "away", reason: error.message };
    throw error;
  }
}

/** Whether output is still as it was kept. */
export type OutputState = "as kept" | "changed" | "gone";

/** The state of each row's output. Outputs in the store are not fetched for it. Rows without output are missing. */
export async function keptStates<Each extends Row & Pick<Evidence, "evidenceId">>(
  deps: Pick<Deps, "config" | "store" | "database">,
  rows: readonly Each[],
): Promise<ReadonlyMap<number, OutputState>> {
  const states = new Map<number, OutputState>();
  const elsewhere: (readonly [number, string])[] = [];
  for (const row of rows) {
    if (row.outputFile === null) continue;
    const here = await readHere(deps.config.dataDir, row.outputFile);
    if (here === null) elsewhere.push([row.evidenceId, row.outputFile]);
    else states.set(row.evidenceId, compared(row, here).type);
  }
  const stored =
    deps.store === null
      ? new Set<string>()
      : await storedAmong(
          deps.database.db,
          elsewhere.map(([, file]) => file),
        );
  for (const [evidenceId, file] of elsewhere) states.set(evidenceId, stored.has(file) ? "as kept" : "gone");
  return states;
}

/** The rows whose output was written to since it was kept. */
export function changedAmong<Each extends Pick<Evidence, "evidenceId">>(
  rows: readonly Each[],
  states: ReadonlyMap<number, OutputState>,
): readonly Each[] {
  return rows.filter(({ evidenceId }) => states.get(evidenceId) === "changed");
}

/** The goals with an output on this machine that was written to since it was kept. One query. Outputs in the store are not fetched. */
export async function goalsWithChanged(
  { db, dataDir }: { readonly db: Db; readonly dataDir: string },
  goalIds: readonly string[],
): Promise<string[]> {
  const kept = await evidenceOf(db, goalIds);
  const changed: string[] = [];
  for (const [goalId, rows] of kept) if (await isAnyChanged(dataDir, rows)) changed.push(goalId);
  return changed;
}

/** Like goalsWithChanged, for the 200 complete goals that were added last. */
export async function changedLately(at: { readonly db: Db; readonly dataDir: string }): Promise<string[]> {
  const lately = await listGoals(at.db, { status: "complete", limit: 200 });
  return await goalsWithChanged(
    at,
    lately.map(({ goalId }) => goalId),
  );
}

async function isAnyChanged(dataDir: string, rows: readonly (Row & Pick<Evidence, "kind">)[]): Promise<boolean> {
  for (const row of rows) {
    if (row.outputFile === null || row.kind === "trial") continue;
    const here = await readHere(dataDir, row.outputFile);
    if (here !== null && compared(row, here).type === "changed") return true;
  }
  return false;
}

/** Null when nothing readable is there, for example a folder. */
async function readHere(dataDir: string, outputFile: string): Promise<Buffer | null> {
  const root = await realpath(dataDir).catch(() => null);
  if (root === null) return null;
  const file = await realpath(join(root, outputFile)).catch(() => null);
  return file?.startsWith(root + sep) === true ? await readFile(file).catch(() => null) : null;
}

function compared({ sha256: kept }: Row, bytes: Buffer): Extract<KeptOutputNow, { type: "as kept" | "changed" }> {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return kept === null || kept === sha256 ? { type: "as kept", bytes } : { type: "changed", sha256 };
}
