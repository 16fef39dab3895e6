import type { Database } from "../../../db/connection/client.ts";
import type { Worklog } from "../../../db/worklogs.ts";

/** How many entries of each run are missing and could not be noted: until its worklog can be written again, this process knows. */
const gaps = new WeakMap<Database, Map<string, number>>();

export function rememberGap(database: Database, runId: string, unstored: number): void {
  const known = gaps.get(database) ?? new Map<string, number>();
  gaps.set(database, known.set(runId, unstored + (known.get(runId) ?? 0)));
}

/** 0: none. */
export function gapOf(database: Database, runId: string): number {
  return gaps.get(database)?.get(runId) ?? 0;
}

/** It is in the worklog now. */
export function forgetGap(database: Database, runId: string): void {
  gaps.get(database)?.delete(runId);
}

/** What a worklog says of `more` entries that are missing, in words and numbers. */
export function gapChanges(stored: Pick<Worklog, "unstored">, more: number): { unstored: number; gap: string } {
  const unstored = stored.unstored + more;
  return { unstored, gap: `${unstored} entries could not be stored while the goal was worked` };
}

/** What a worklog says whose execution before this one was cut: a killed process takes what it had not written yet (C-01). */
export const cutShort =
  "an execution was cut short: what was not written yet may be missing (fewer than ten entries, less than thirty seconds)";
