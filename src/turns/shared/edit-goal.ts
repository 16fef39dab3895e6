import { isDeepStrictEqual } from "node:util";
import { approvedContent, endedStatuses, type Goal } from "../../core/goals/goal.ts";
import { pendingCheckpoint } from "../../db/checkpoints.ts";
import type { Db } from "../../db/connection/client.ts";
import { type GoalChanges, lockGoal, updateGoal } from "../../db/goals.ts";
import { updateRun } from "../../db/runs.ts";
import type { Doors } from "../../deps.ts";
import { withdrawQuestion } from "./end-session.ts";
import { applyTransition } from "../../db/transitions.ts";

/** What neither its agent was told nor anybody approved: work goes on with it. */
const quiet: ReadonlySet<string> = new Set([
  "priority",
  "estimatedMinutes",
  "unplannedIn",
] satisfies (keyof GoalChanges)[]);

/** What of these changes is other than it is. An order that is named again is meant: what a goal is on top of may stand elsewhere by now. */
export function withoutEqual(goal: Goal, changes: GoalChanges): GoalChanges {
  const now: Readonly<Record<string, unknown>> = { ...goal };
  const isOther = ([name, value]: [string, unknown]): boolean =>
    name === "after" || !isDeepStrictEqual(now[name] ?? null, value ?? null);
  return Object.fromEntries(Object.entries(changes).filter(isOther));
}

/** Whether such changes cut the turn that works the goal. */
export function cutsTurn(goal: Pick<Goal, "leasedBy">, changes: GoalChanges): boolean {
  return goal.leasedBy !== null && Object.keys(changes).some((name) => !quiet.has(name));
}

/**
 * Changes a goal, whose row the caller holds. What approvals are bound to ends its run when it changes (D3): a running
 * turn is cut and begins again, a goal that waits or retries begins anew, with nothing approved, tried or asked; a parked
 * one does when it is resumed. The question before the work is the caller's: it becomes a new version. `isAnswer`: the
 * change answers a question, which is settled already.
 */
export async function editGoal(
  tx: Db,
  deps: Doors,
  goal: Goal,
  { changes, isAnswer }: { readonly changes: GoalChanges; readonly isAnswer: boolean },
): Promise<void> {
  const updatedAt = deps.now();
  if (!cutsTurn(goal, changes)) await updateGoal(tx, goal.goalId, { ...changes, updatedAt });
  else await applyTransition(tx, goal, { type: "isStopped", stop: "modify" }, { ...changes, updatedAt });
  const after = await lockGoal(tx, goal.goalId);
  if (after === null || goal.leasedBy !== null) return;
  const isOther = approvedContent(after) !== approvedContent(goal);
  // What another command left is nothing to go on from: twice a change is not the same as once.
  const isOtherCommand = goal.runCommand !== null && after.runCommand !== goal.runCommand;
  if (isOtherCommand && goal.runId !== null) await updateRun(tx, goal.runId, { headCommit: null });

  const open = isAnswer ? null : await pendingCheckpoint(tx, goal.goalId);
  const hasBegun = goal.phase !== "start" || isAnswer || (open !== null && open.kind !== "start");
  if (!isOther || !hasBegun || endedStatuses.includes(goal.status)) return;
  if (goal.runId !== null) await updateRun(tx, goal.runId, { status: "ended", endedAt: updatedAt });
  if (open !== null) await withdrawQuestion(tx, deps, goal.goalId);
  await applyTransition(tx, goal, { type: "beginsAgain", staysParked: true, isForgotten: true }, { updatedAt });
}
