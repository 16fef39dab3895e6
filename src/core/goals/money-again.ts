import type { Policy } from "../policy.ts";
import { goalCeiling, type MoreMoney, moneyToGoOn } from "./budget.ts";

/** The money that a failed goal needs for a new run, where the present limits are too low. Micro-dollars. */
export interface MoneyAgain {
  /** The new estimate and ceiling when its own ceiling is used up. Null when it is not. */
  readonly more: MoreMoney | null;
  /** A session ceiling above the usual one, in whole dollars. Null when the usual one is enough. */
  readonly sessionMicroUsd: number | null;
  /** Set when the rest of the day's money is too little. Null when it is enough. */
  readonly day: DayShort | null;
}

export interface DayShort {
  readonly needMicroUsd: number;
  readonly leftMicroUsd: number;
  readonly ceilingMicroUsd: number;
  /** True when the money of a whole day is enough. */
  readonly isTomorrow: boolean;
}

/** Amounts spent and reserved, by the goal and in the day. */
export interface SpentOf {
  readonly goalMicroUsd: number;
  readonly dayMicroUsd: number;
}

/** Returns the money that a new run of a goal needs. `decideStart` checks the same amounts when the run begins. */
export function moneyAgain(
  goal: Parameters<typeof goalCeiling>[0],
  { goalMicroUsd, dayMicroUsd }: SpentOf,
  policy: Policy,
): MoneyAgain {
  const more = moneyToGoOn(goal, goalMicroUsd, policy);
  const estimate = more?.estimateMicroUsd ?? Math.min(goal.estimateMicroUsd ?? 0, goalCeiling(goal, policy));
  const needMicroUsd = Math.max(policy.goals.minimumTurnMicroUsd, estimate - goalMicroUsd);
  const { sessionMicroUsd, dayMicroUsd: ceilingMicroUsd } = policy.ceilings;
  const leftMicroUsd = Math.max(0, ceilingMicroUsd - dayMicroUsd);
  const isTomorrow = needMicroUsd <= ceilingMicroUsd;
  return {
    more,
    sessionMicroUsd: needMicroUsd <= sessionMicroUsd ? null : Math.ceil(needMicroUsd / 1_000_000) * 1_000_000,
    day: leftMicroUsd >= needMicroUsd ? null : { needMicroUsd, leftMicroUsd, ceilingMicroUsd, isTomorrow },
  };
}
