import type { Goal } from "../../core/goals/goal.ts";
import type { Db } from "../../db/connection/client.ts";
import { insertMerge, lastMerge, moveMerge } from "../../db/merges.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { mark } from "../../db/connection/marks.ts";
import type { AskDeps } from "../shared/ask-about.ts";
import { ofGoal } from "../../core/events/write.ts";

/** A requested merge. `via`: the platform of the request; null for a merge queue. */
interface WantedMerge {
  readonly into: string;
  readonly headCommit: string;
  /** The only tip on which it may be merged. Null when a person wants it merged on any tip. */
  readonly verifiedOn: string | null;
  readonly actor: string;
  readonly via: string | null;
}

/**
 * Requests the merge of a finished goal. It happens after the undo time (D24). Returns the time at which it is due, or null when a
 * merge is already under way. The caller holds the goal's row lock.
 */
export async function askForMerge(tx: Db, deps: AskDeps, goal: Goal, wanted: WantedMerge): Promise<Date | null> {
  const { into, headCommit, verifiedOn, actor } = wanted;
  const { goalId } = goal;
  const now = deps.now();
  const dueAt = new Date(now.getTime() + deps.policy.merging.undoMs);
  const asked = { requestedBy: actor, requestedAt: now, dueAt };
  if (!(await insertMerge(tx, { goalId, status: "due", into, headCommit, verifiedOn, ...asked }))) return null;
  await appendTimeline(tx, { event: "goal.merge-requested", ...ofGoal(goal, now, wanted), detail: { into } });
  mark(tx, "goal", goalId);
  return dueAt;
}

/** Withdraws a merge that has not begun. `late`: it has begun. The caller holds the goal's row lock. */
export async function withdrawMerge(
  tx: Db,
  goalId: string,
  outcome: string,
  now: Date,
): Promise<"none" | "withdrawn" | "late"> {
  const last = await lastMerge(tx, goalId);
  if (last?.status === "merging") return "late";
  if (last?.status !== "due") return "none";
  const change = { status: "undone", settledAt: now, outcome } as const;
  return (await moveMerge(tx, last.mergeId, "due", change)) ? "withdrawn" : "late";
}

/** True when a merge of the goal is due or under way. The caller holds the goal's row lock. */
export async function isBeingMerged(tx: Db, goalId: string): Promise<boolean> {
  const last = await lastMerge(tx, goalId);
  return last?.status === "due" || last?.status === "merging";
}
