import type { Policy } from "../policy.ts";
import { goalCeiling, type MoreMoney, moneyToGoOn } from "./budget.ts";

/** What a goal that has failed is worked again with, where the money that it would have now is too little; in micro-dollars. */
export interface MoneyAgain {
  /** Its own ceiling is used up, and with what it goes on; null: it is not. */
  readonly more: MoreMoney | null;
  /** Above what sessions usually have, in whole dollars; null: that is enough. */
  readonly sessionMicroUsd: number | null;
  /** What the day has left is too little; null: it is enough. */
  readonly day: DayShort | null;
}

export interface DayShort {
  readonly needMicroUsd: number;
  readonly leftMicroUsd: number;
  readonly ceilingMicroUsd: number;
  /** A whole day's money is enough. */
  readonly isTomorrow: boolean;
}

/** What has been spent and reserved of it. */
export interface SpentOf {
  readonly goalMicroUsd: number;
  readonly dayMicroUsd: number;
}

/** With what a goal is worked again: it begins a new run, which `decideStart` asks for money. */
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
