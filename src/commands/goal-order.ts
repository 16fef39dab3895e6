import { endedStatuses, type Goal } from "../core/goals/goal.ts";
import type { Db } from "../db/connection/client.ts";
import { findRepository } from "../db/repositories.ts";
import { updateRun } from "../db/runs.ts";
import type { Deps } from "../deps.ts";
import { whyNotAfter } from "../facts/order.ts";
import { withdrawQuestion } from "../turns/shared/end-session.ts";
import { applyTransition } from "../db/transitions.ts";
import type { RefusedCall } from "./command.ts";

/** Changes which goals an existing goal builds on (D37). */

/** Returns the goals that it should build on; null when none were given. */
export async function readOrder(
  tx: Db,
  goal: Goal,
  after: readonly string[],
): Promise<readonly string[] | RefusedCall | null> {
  const named = [...new Set(after)];
  if (named.length === 0) return null;
  if (named.length === 1 && named[0]?.toLowerCase() === "none") return [];
  if (goal.campaignId !== null)
    return {
      type: "refused",
      reason: `${goal.goalId} belongs to ${goal.campaignId}, whose days order its goals`,
      next: `cos campaign status ${goal.campaignId}`,
    };
  const repository = await findRepository(tx, goal.repositoryId);
  const problem = repository === null ? null : await whyNotAfter(tx, goal.goalId, repository, named);
  return problem === null ? named : { type: "refused", ...problem };
}

/**
 * Begins a goal anew on the commits of the goals that it builds on. Its work is kept in its run, and is taken along if it holds nothing
 * else. A goal that was parked for one of those goals waits for its turn again.
 */
export async function beginAnew(tx: Db, deps: Deps, goal: Goal): Promise<void> {
  const now = deps.now();
  if (endedStatuses.includes(goal.status)) return;
  if (goal.leasedBy !== null) {
    await applyTransition(tx, goal, { type: "isStopped", stop: "modify", ground: null }, { updatedAt: now });
    return;
  }
  if (goal.phase === "start") {
    const type = goal.parkedFor === null ? "waitsForGround" : "getsGroundBack";
    await applyTransition(tx, goal, { type }, { updatedAt: now });
    return;
  }
  await withdrawQuestion(tx, deps, goal.goalId);
  if (goal.runId !== null) await updateRun(tx, goal.runId, { status: "ended", endedAt: now });
  // A goal that a person parked stays parked until they resume it.
  const staysParked = goal.parkedFor === null;
  await applyTransition(tx, goal, { type: "beginsAgain", staysParked, isReleased: true }, { updatedAt: now });
}
