import { isDeepStrictEqual } from "node:util";
import { approvedContent, endedStatuses, type Goal } from "../../core/goals/goal.ts";
import { pendingCheckpoint } from "../../db/checkpoints.ts";
import type { Db } from "../../db/connection/client.ts";
import { type GoalChanges, lockGoal, updateGoal } from "../../db/goals.ts";
import { updateRun } from "../../db/runs.ts";
import type { Doors } from "../../deps.ts";
import { withdrawQuestion } from "./end-session.ts";
import { applyTransition } from "../../db/transitions.ts";

/** Fields that neither the agent was told nor a person approved. A change of them does not interrupt the work. */
const quiet: ReadonlySet<string> = new Set([
  "priority",
  "estimatedMinutes",
  "unplannedIn",
] satisfies (keyof GoalChanges)[]);

/** Returns the changes that differ from the goal. `after` is always kept, because the goals that it names may have moved since. */
export function withoutEqual(goal: Goal, changes: GoalChanges): GoalChanges {
  const now: Readonly<Record<string, unknown>> = { ...goal };
  const isOther = ([name, value]: [string, unknown]): boolean =>
    name === "after" || !isDeepStrictEqual(now[name] ?? null, value ?? null);
  return Object.fromEntries(Object.entries(changes).filter(isOther));
}

/** True when these changes cut the goal's running turn. */
export function cutsTurn(goal: Pick<Goal, "leasedBy">, changes: GoalChanges): boolean {
  return goal.leasedBy !== null && Object.keys(changes).some((name) => !quiet.has(name));
}

/**
 * Changes a goal, whose row the caller has locked. A change of the approved content ends the run (D3): a running turn is cut and begins
 * again, and a goal that waits or retries begins again without approvals, attempts or questions. A parked one does so when it is resumed.
 * If the question before the work is open, the caller raises its version. `isAnswer`: the change answers a question, which is already
 * settled.
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
  // The work of the old command is not continued: the new one would run on files that the old one changed.
  const isOtherCommand = goal.runCommand !== null && after.runCommand !== goal.runCommand;
  if (isOtherCommand && goal.runId !== null) await updateRun(tx, goal.runId, { headCommit: null });

  const open = isAnswer ? null : await pendingCheckpoint(tx, goal.goalId);
  const hasBegun = goal.phase !== "start" || isAnswer || (open !== null && open.kind !== "start");
  if (!isOther || !hasBegun || endedStatuses.includes(goal.status)) return;
  if (goal.runId !== null) await updateRun(tx, goal.runId, { status: "ended", endedAt: updatedAt });
  if (open !== null) await withdrawQuestion(tx, deps, goal.goalId);
  await applyTransition(tx, goal, { type: "beginsAgain", staysParked: true, isForgotten: true }, { updatedAt });
}
