import type { Goal } from "../../core/goals/goal.ts";
import type { Db } from "../../db/connection/client.ts";
import { insertMerge, lastMerge, moveMerge } from "../../db/merges.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { mark } from "../../db/connection/marks.ts";
import type { AskDeps } from "../shared/ask-about.ts";
import { ofGoal } from "../../core/events/write.ts";

/** A merge that is asked for: of which commit, into what, by whom, through which door (null: a merge queue's). */
interface WantedMerge {
  readonly into: string;
  readonly headCommit: string;
  /** The only tip on which it may land; null: a person wants it on whatever is there. */
  readonly verifiedOn: string | null;
  readonly actor: string;
  readonly via: string | null;
}

/**
 * Asks for the merge of a finished goal, whose row the caller holds: it happens after the time in which it can be undone (D24). When
 * that is; null when one is under way already.
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

/** Takes back a merge that has not happened yet. `late`: it happens in this moment. The caller holds the goal's row. */
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

/** Whether a merge of the goal waits for its time or happens in this moment. The caller holds the goal's row. */
export async function isBeingMerged(tx: Db, goalId: string): Promise<boolean> {
  const last = await lastMerge(tx, goalId);
  return last?.status === "due" || last?.status === "merging";
}
