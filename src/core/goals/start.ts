import type { Trigger } from "../checkpoints/triggers.ts";
import type { Policy } from "../policy.ts";
import { type CeilingRefusal, type Ceilings, tightestCeiling } from "./budget.ts";
import type { SettledTrigger } from "./goal.ts";

export type Executor = "run" | "agent" | "none";

export interface StartFacts {
  readonly openCheckpointId: string | null;
  readonly ceilings: Ceilings;
  readonly estimateMicroUsd: number | null;
  readonly fired: readonly Trigger[];
  readonly settled: readonly SettledTrigger[];
  readonly contentHash: string;
  readonly executor: Executor;
  /** True when the agent is paid at a flat rate: no dollar ceiling stops it (D48). */
  readonly isFlat: boolean;
}

export type StartDecision =
  | { readonly type: "wait"; readonly checkpointId: string }
  | CeilingRefusal
  | { readonly type: "ask"; readonly reasons: readonly Trigger[] }
  | { readonly type: "manual" }
  | { readonly type: "run"; readonly executor: "run" | "agent"; readonly capMicroUsd: number };

/**
 * Decides whether a run may start now. Asked once per run, before anything is spent. The budget check comes before the
 * question (S4-AP-09); exactly the needed amount is enough (S4-AP-08). A settled trigger counts only for the content
 * it was settled for (D3). S4-AP-07…10, S4-AP-15, D22, C-61, C-69, C-73.
 */
export function decideStart(facts: StartFacts, policy: Policy): StartDecision {
  if (facts.openCheckpointId !== null) return { type: "wait", checkpointId: facts.openCheckpointId };

  const tightest = tightestCeiling(facts.ceilings);
  // The cost of earlier runs is part of the estimate.
  const toComeMicroUsd = (facts.estimateMicroUsd ?? 0) - facts.ceilings.goal.spentMicroUsd;
  const needMicroUsd = Math.max(policy.goals.minimumTurnMicroUsd, toComeMicroUsd);
  if (!facts.isFlat && tightest.leftMicroUsd < needMicroUsd) {
    return { type: "refuse", ceiling: tightest.name, leftMicroUsd: tightest.leftMicroUsd, needMicroUsd };
  }

  const reasons = unsettled(facts.fired, facts.settled, facts.contentHash);
  if (reasons.length > 0) return { type: "ask", reasons };

  if (facts.executor === "none") return { type: "manual" };
  return { type: "run", executor: facts.executor, capMicroUsd: facts.isFlat ? 0 : tightest.leftMicroUsd };
}

/** Returns the fired triggers that nobody has settled for this content yet, in their order. */
export function unsettled(
  fired: readonly Trigger[],
  settled: readonly SettledTrigger[],
  contentHash: string,
): Trigger[] {
  const done = new Set(settled.filter((each) => each.contentHash === contentHash).map((each) => each.trigger));
  return fired.filter((trigger) => !done.has(trigger));
}
