import { type FlatUse, flatRefusal } from "../agents/flat.ts";
import type { Trigger } from "../checkpoints/triggers.ts";
import type { Policy } from "../policy.ts";
import { type CeilingRefusal, type Ceilings, tightestCeiling } from "./budget.ts";
import type { SettledTrigger, StopRequest } from "./goal.ts";
import { unsettled } from "./start.ts";

export interface ContinueFacts {
  readonly openCheckpointId: string | null;
  readonly stopRequested: StopRequest | null;
  readonly ceilings: Ceilings;
  readonly fired: readonly Trigger[];
  /** Triggers that were settled in this run or by the night's contract. */
  readonly settled: readonly SettledTrigger[];
  readonly contentHash: string;
  /** A goal's own command costs nothing, so no ceiling stops it once it has begun. */
  readonly costsMoney: boolean;
  /** Use of a flat-rate agent in this run. Null when the agent is paid by use. */
  readonly flat: FlatUse | null;
}

export type ContinueDecision =
  /** A person's stop request takes precedence over everything else. */
  | { readonly type: "cut"; readonly why: StopRequest }
  | { readonly type: "wait"; readonly checkpointId: string }
  | CeilingRefusal
  /** The run has used up its minutes or turns of a flat-rate agent (D48). */
  | { readonly type: "used-up"; readonly outcome: string }
  | { readonly type: "ask"; readonly reasons: readonly Trigger[] }
  | { readonly type: "go-on"; readonly capMicroUsd: number };

/** Triggers that can fire after a run has begun. All others were asked about when it began. */
const comesUpLater: readonly Trigger[] = ["cost_cumulative"];

/**
 * Decides whether a run that has begun may continue. Every later turn asks this before it spends anything: stop requests, ceilings,
 * and whether the day's cost has passed its threshold since. `decideStart` checked everything else, once per run. A trigger
 * that was settled in this run for this content does not ask again (D3, D22).
 */
export function decideContinue(facts: ContinueFacts, policy: Policy): ContinueDecision {
  if (facts.stopRequested !== null) return { type: "cut", why: facts.stopRequested };
  if (facts.openCheckpointId !== null) return { type: "wait", checkpointId: facts.openCheckpointId };

  const usedUp = facts.flat === null ? null : flatRefusal(facts.flat, policy);
  if (usedUp !== null) return { type: "used-up", outcome: usedUp };
  if (facts.flat !== null) return { type: "go-on", capMicroUsd: 0 };

  const { name: ceiling, leftMicroUsd } = tightestCeiling(facts.ceilings);
  const needMicroUsd = policy.goals.minimumTurnMicroUsd;
  if (facts.costsMoney && leftMicroUsd < needMicroUsd) return { type: "refuse", ceiling, leftMicroUsd, needMicroUsd };

  const later = facts.fired.filter((trigger) => comesUpLater.includes(trigger));
  const reasons = unsettled(later, facts.settled, facts.contentHash);
  if (reasons.length > 0) return { type: "ask", reasons };

  return { type: "go-on", capMicroUsd: Math.max(0, leftMicroUsd) };
}
