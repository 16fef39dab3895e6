import type { Db } from "../db/connection/client.ts";
import { readGoalEvents } from "../db/timeline.ts";

/** The commits that a goal recorded, newest last. */
export async function recordedCommits(db: Db, goalId: string): Promise<readonly string[]> {
  const events = await readGoalEvents(db, goalId, "run.executed", "run.verified");
  return events.flatMap(({ detail }) => detail.commit ?? []);
}

/** The commits that a goal recorded, without `now`, the commit of its current work. */
export async function earlierCommits(db: Db, goalId: string, now: string): Promise<ReadonlySet<string>> {
  return new Set((await recordedCommits(db, goalId)).filter((commit) => commit !== now));
}
