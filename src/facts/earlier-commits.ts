import type { Db } from "../db/connection/client.ts";
import { goalEvents } from "../db/timeline.ts";

/** The commits that a goal recorded before `now`, which is its work by now. */
export async function earlierCommits(db: Db, goalId: string, now: string): Promise<ReadonlySet<string>> {
  const events = await goalEvents(db, goalId, "run.executed", "run.verified");
  const known = events.flatMap(({ detail }) => detail.commit ?? []);
  return new Set(known.filter((commit) => commit !== now));
}
