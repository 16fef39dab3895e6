import { tightestCeiling } from "../../core/goals/budget.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { assumedCost } from "../../core/money.ts";
import { lockGoal } from "../../db/goals.ts";
import { lockSession } from "../../db/sessions.ts";
import { appendSpend, type LedgerCall, openCalls, reservedFor } from "../../db/spend.ts";
import type { Db } from "../../db/connection/client.ts";
import type { Deps } from "../../deps.ts";
import { gatherMoney, lockMoney } from "../shared/money.ts";

/** The money of a replay: reserved before it begins, settled when it has ended. */

/** In micro-USD. */
export interface ReplayCost {
  readonly amountMicroUsd: number;
  readonly isEstimated: boolean;
}

/**
 * Reserves everything that is left under the ceilings until the check ends (D22). Replays of the same run that were killed are settled
 * before, so that their money is not reserved for ever.
 *
 * @returns the reserved micro-USD; null if too little is left
 */
export async function reserveReplay(deps: Deps, goal: Goal, call: LedgerCall): Promise<number | null> {
  return await deps.database.transaction(async (tx) => {
    await lockMoney(tx, call.day, goal.goalId);
    if (goal.sessionId !== null) await lockSession(tx, goal.sessionId);
    const locked = await lockGoal(tx, goal.goalId);
    if (locked === null) return null;
    await settleKilled(tx, deps, call.runId);
    const { ceilings } = await gatherMoney(tx, deps, locked, call.day);
    const { leftMicroUsd } = tightestCeiling(ceilings);
    if (leftMicroUsd < deps.policy.goals.minimumTurnMicroUsd) return null;
    await appendSpend(tx, call, { kind: "reserved", amountMicroUsd: leftMicroUsd, isEstimated: true, at: deps.now() });
    return leftMicroUsd;
  });
}

/** Records what a replay has cost, which releases the rest of the reservation. */
export async function settleReplay(
  { database, now }: Pick<Deps, "database" | "now">,
  call: LedgerCall,
  cost: ReplayCost,
): Promise<void> {
  await database.transaction((tx) => appendSpend(tx, call, { kind: "settled", ...cost, at: now() }));
}

/** Settles calls of a run that are open for longer than an agent may work: their process was killed. */
async function settleKilled(tx: Db, deps: Pick<Deps, "policy" | "now">, runId: string): Promise<void> {
  const { timeoutMs, assumedMicroUsdPerMinute } = deps.policy.goals;
  const at = deps.now();
  for (const { callId, goalId, sessionId, day, spentMicroUsd } of await openCalls(tx, runId)) {
    const reserved = await reservedFor(tx, callId);
    if (reserved !== null && at.getTime() - reserved.at.getTime() <= timeoutMs) continue;
    const assumed = Math.min(assumedCost(timeoutMs, assumedMicroUsdPerMinute), reserved?.amountMicroUsd ?? 0);
    const amountMicroUsd = spentMicroUsd > 0 ? spentMicroUsd : assumed;
    const call = { callId, goalId, runId, sessionId, day };
    await appendSpend(tx, call, { kind: "settled", amountMicroUsd, isEstimated: true, at });
  }
}
