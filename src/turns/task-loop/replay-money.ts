import type { RunResult } from "../../agent/process/runner.ts";
import { tightestCeiling } from "../../core/goals/budget.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { assumedCost } from "../../core/money.ts";
import { lockGoal } from "../../db/goals.ts";
import type { Repository } from "../../db/repositories.ts";
import { lockSession } from "../../db/sessions.ts";
import type { Db } from "../../db/connection/client.ts";
import { appendSpend, type LedgerCall, openCalls, reservedFor } from "../../db/spend.ts";
import type { Deps } from "../../deps.ts";
import { gatherMoney, lockMoney } from "../shared/money.ts";

/** The money of a replayed check. All amounts are in micro-dollars. */

export interface ReplayCost {
  readonly amountMicroUsd: number;
  readonly isEstimated: boolean;
}

/** What a replayed check may spend, and the cost that its agent has reported so far. */
export interface ReplayMoney {
  readonly billing: Repository["billing"];
  readonly capMicroUsd: number;
  readonly reported: { microUsd: number | null };
}

/** A result without work: the agent did not begin. */
type NotBegun = Extract<RunResult, { readonly type: "unavailable" | "not-started" | "needs-login" }>;

/** True when the agent of a check did not begin, so that there is nothing to judge and nothing to pay. */
export function hasNotBegun(result: RunResult): result is NotBegun {
  return result.type === "unavailable" || result.type === "not-started" || result.type === "needs-login";
}

/**
 * Reserves all money that is left, until the check has ended (D22). Null when the ceilings leave too little. Replays of the same run that
 * were killed are settled before, so that their money is not reserved for ever. A flat-rate agent is not paid by use: nothing is reserved,
 * and it has no cap in dollars (D48).
 */
export async function reserveAll(
  deps: Deps,
  goal: Goal,
  call: LedgerCall,
  billing: Repository["billing"],
): Promise<ReplayMoney | null> {
  const reported = { microUsd: null };
  if (billing === "flat") return { billing, capMicroUsd: Number.POSITIVE_INFINITY, reported };
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
    return { billing, capMicroUsd: leftMicroUsd, reported };
  });
}

/**
 * Returns the cost of a check. Without a report it is assumed from the time, at most the reserved amount. `result`: null when the check ended
 * with an error. An agent that did not begin costs nothing.
 */
export function costOfReplay(
  { policy }: Pick<Deps, "policy">,
  { billing, capMicroUsd, reported }: ReplayMoney,
  result: RunResult | null,
): ReplayCost {
  if (billing === "flat" || (result !== null && hasNotBegun(result))) return { amountMicroUsd: 0, isEstimated: false };
  if (reported.microUsd !== null) return { amountMicroUsd: reported.microUsd, isEstimated: false };
  const assumed = assumedCost(result?.durationMs ?? 0, policy.goals.assumedMicroUsdPerMinute);
  return { amountMicroUsd: Math.min(assumed, capMicroUsd), isEstimated: true };
}

/** Settles the call of a check, which releases the rest of its reservation. Safe to repeat: the first settlement counts. */
export async function settleReplay(
  deps: Pick<Deps, "database" | "now">,
  call: LedgerCall,
  cost: ReplayCost,
): Promise<void> {
  await deps.database.transaction((tx) => appendSpend(tx, call, { kind: "settled", ...cost, at: deps.now() }));
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
