import type { Policy } from "../policy.ts";

/** Spending limits that stop the work, the most specific first. Amounts in micro-dollars. */
export interface Ceilings {
  readonly goal: { readonly ceilingMicroUsd: number; readonly spentMicroUsd: number };
  readonly session: { readonly ceilingMicroUsd: number; readonly spentMicroUsd: number };
  readonly day: { readonly ceilingMicroUsd: number; readonly spentMicroUsd: number };
  /** Absent when the goal belongs to no campaign. */
  readonly campaign?: { readonly ceilingMicroUsd: number; readonly spentMicroUsd: number };
  /** The limit of a night contract over all its sessions; absent outside a night. */
  readonly night?: { readonly ceilingMicroUsd: number; readonly spentMicroUsd: number };
}

/** The amount left under the tightest ceiling is less than the amount needed. */
export interface CeilingRefusal {
  readonly type: "refuse";
  readonly ceiling: CeilingName;
  readonly leftMicroUsd: number;
  readonly needMicroUsd: number;
}

export type CeilingName = keyof Ceilings;

/** Returns the goal's ceiling: the one a person set, else the approved estimate times 1.5, at least 5 USD (D22). */
export function goalCeiling(
  goal: { readonly ceilingMicroUsd: number | null; readonly estimateMicroUsd: number | null },
  policy: Policy,
): number {
  if (goal.ceilingMicroUsd !== null) return goal.ceilingMicroUsd;
  const fromEstimate = Math.round((goal.estimateMicroUsd ?? 0) * policy.ceilings.estimateFactor);
  return Math.max(fromEstimate, policy.ceilings.goalMicroUsd);
}

/** The next ceiling of a goal that has used up its own, and the estimate (whole dollars) that results in it. Micro-dollars. */
export interface MoreMoney {
  readonly estimateMicroUsd: number;
  readonly ceilingMicroUsd: number;
}

/**
 * Returns the estimate and ceiling with which a goal that was stopped by its own ceiling can continue: the money spent plus
 * its usual ceiling. Null when enough is left under the present ceiling.
 */
export function moneyToGoOn(
  goal: Parameters<typeof goalCeiling>[0],
  spentMicroUsd: number,
  policy: Policy,
): MoreMoney | null {
  if (goalCeiling(goal, policy) - spentMicroUsd >= policy.goals.minimumTurnMicroUsd) return null;
  const usual = goalCeiling({ ...goal, ceilingMicroUsd: null }, policy);
  const again = spentMicroUsd + Math.max(usual, policy.goals.minimumTurnMicroUsd);
  // An estimate below a ceiling that a person set would leave that ceiling in force.
  const above = (goal.ceilingMicroUsd ?? 0) + 1;
  const dollars = Math.ceil(Math.max(again / policy.ceilings.estimateFactor, above) / 1_000_000);
  const estimateMicroUsd = dollars * 1_000_000;
  return { estimateMicroUsd, ceilingMicroUsd: goalCeiling({ ceilingMicroUsd: null, estimateMicroUsd }, policy) };
}

/** Returns the columns for a new estimate. A ceiling that a person set is removed when it is lower: both cannot be meant. */
export function newEstimate(
  { ceilingMicroUsd }: { readonly ceilingMicroUsd: number | null },
  estimateMicroUsd: number,
): { readonly estimateMicroUsd: number; readonly ceilingMicroUsd?: null } {
  const isOver = ceilingMicroUsd !== null && ceilingMicroUsd < estimateMicroUsd;
  return isOver ? { estimateMicroUsd, ceilingMicroUsd: null } : { estimateMicroUsd };
}

/** Where money for a goal may come from after a refusal: reservations of other goals, or the next day's ceiling. */
export type MoneyWait = "others" | "tomorrow";

/** Facts about a refusal, besides the refusal itself. */
export interface RefusalFacts {
  readonly ceilings: Ceilings;
  /** For each ceiling, the amount that other running goals have reserved and not spent. */
  readonly reserved: Readonly<Record<Exclude<CeilingName, "goal">, number>>;
  /** True when the goal belongs to a night contract, which continues while nobody watches. */
  readonly isNight: boolean;
}

/**
 * Decides whether money becomes available without a person, and from where. Null when it does not: the money is spent, or the
 * ceiling is too low. The goal's own reservations do not count, and a day whose whole ceiling is too low is not waited for.
 */
export function decideMoneyWait(refusal: CeilingRefusal, facts: RefusalFacts): MoneyWait | null {
  const { ceilings, reserved, isNight } = facts;
  const { needMicroUsd } = refusal;
  const isEnough = (name: CeilingName): boolean => {
    const ceiling = ceilings[name];
    const back = name === "goal" ? 0 : reserved[name];
    return ceiling === undefined || ceiling.ceilingMicroUsd - ceiling.spentMicroUsd + back >= needMicroUsd;
  };
  if (ceilingNames.every(isEnough)) return "others";
  const isTomorrow = isNight && refusal.ceiling === "day" && needMicroUsd <= ceilings.day.ceilingMicroUsd;
  return isTomorrow ? "tomorrow" : null;
}

const ceilingNames: readonly CeilingName[] = ["goal", "night", "session", "campaign", "day"];

/** Returns the ceiling with the least money left, and that amount. */
export function tightestCeiling(ceilings: Ceilings): { name: CeilingName; leftMicroUsd: number } {
  const left = ceilingNames.flatMap((name) => {
    const ceiling = ceilings[name];
    return ceiling === undefined ? [] : [{ name, leftMicroUsd: ceiling.ceilingMicroUsd - ceiling.spentMicroUsd }];
  });
  return left.reduce((least, each) => (each.leftMicroUsd < least.leftMicroUsd ? each : least));
}
