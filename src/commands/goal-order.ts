import { endedStatuses, type Goal } from "../core/goals/goal.ts";
import type { Db } from "../db/connection/client.ts";
import { findRepository } from "../db/repositories.ts";
import { updateRun } from "../db/runs.ts";
import type { Deps } from "../deps.ts";
import { whyNotAfter } from "../facts/order.ts";
import { withdrawQuestion } from "../turns/shared/end-session.ts";
import { applyTransition } from "../db/transitions.ts";
import type { RefusedCall } from "./command.ts";

/** What a goal that is there is put on top of, or taken off (D37). */

/** What it is to be on top of; null: not said. */
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
 * On top of other goals it begins anew where those stand: what it has done is kept in its run, and taken along where it holds
 * nothing else. What was parked for one of them waits for its turn again.
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
  // What a person parked stays so until they resume it.
  const staysParked = goal.parkedFor === null;
  await applyTransition(tx, goal, { type: "beginsAgain", staysParked, isReleased: true }, { updatedAt: now });
}
