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
  /** Settled in this run, or by the night's contract. */
  readonly settled: readonly SettledTrigger[];
  readonly contentHash: string;
  /** A goal's own command costs nothing, so no ceiling stops it once it has begun. */
  readonly costsMoney: boolean;
  /** What its run has taken of an agent at a flat rate; null: it is paid by what it uses. */
  readonly flat: FlatUse | null;
}

export type ContinueDecision =
  /** What a person asked meanwhile comes before everything. */
  | { readonly type: "cut"; readonly why: StopRequest }
  | { readonly type: "wait"; readonly checkpointId: string }
  | CeilingRefusal
  /** Its minutes or turns of an agent at a flat rate are used up (D48). */
  | { readonly type: "used-up"; readonly outcome: string }
  | { readonly type: "ask"; readonly reasons: readonly Trigger[] }
  | { readonly type: "go-on"; readonly capMicroUsd: number };

/** What was not so when the run began: everything else about a goal was asked then. */
const comesUpLater: readonly Trigger[] = ["cost_cumulative"];

/**
 * Whether a run that has begun may go on, asked by every later turn of it before anything is spent: stop requests, ceilings,
 * and whether the day has cost more than its threshold meanwhile. `decideStart` asked about the rest, once a run; a trigger
 * that is settled in this run for this content is not asked about again (D3, D22).
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
