import type { Policy } from "../policy.ts";

/** Ceilings that stop the work, most specific first. Amounts in micro-dollars. */
export interface Ceilings {
  readonly goal: { readonly ceilingMicroUsd: number; readonly spentMicroUsd: number };
  readonly session: { readonly ceilingMicroUsd: number; readonly spentMicroUsd: number };
  readonly day: { readonly ceilingMicroUsd: number; readonly spentMicroUsd: number };
  /** Absent for a goal of no campaign. */
  readonly campaign?: { readonly ceilingMicroUsd: number; readonly spentMicroUsd: number };
  /** What a night contract allows in all its sessions; absent outside of one. */
  readonly night?: { readonly ceilingMicroUsd: number; readonly spentMicroUsd: number };
}

/** What is left under the tightest ceiling is less than what is needed. */
export interface CeilingRefusal {
  readonly type: "refuse";
  readonly ceiling: CeilingName;
  readonly leftMicroUsd: number;
  readonly needMicroUsd: number;
}

export type CeilingName = keyof Ceilings;

/** The goal's ceiling: what a person set, else the approved estimate times 1.5, at least 5 USD (D22). */
export function goalCeiling(
  goal: { readonly ceilingMicroUsd: number | null; readonly estimateMicroUsd: number | null },
  policy: Policy,
): number {
  if (goal.ceilingMicroUsd !== null) return goal.ceilingMicroUsd;
  const fromEstimate = Math.round((goal.estimateMicroUsd ?? 0) * policy.ceilings.estimateFactor);
  return Math.max(fromEstimate, policy.ceilings.goalMicroUsd);
}

/** The ceiling with the least left, and how much that is. */
export function tightestCeiling(ceilings: Ceilings): { name: CeilingName; leftMicroUsd: number } {
  const names: readonly CeilingName[] = ["goal", "night", "session", "campaign", "day"];
  const left = names.flatMap((name) => {
    const ceiling = ceilings[name];
    return ceiling === undefined ? [] : [{ name, leftMicroUsd: ceiling.ceilingMicroUsd - ceiling.spentMicroUsd }];
  });
  return left.reduce((least, each) => (each.leftMicroUsd < least.leftMicroUsd ? each : least));
}
