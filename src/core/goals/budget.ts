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

/** What a goal may cost whose own ceiling is used up, in micro-dollars, with the estimate (whole dollars) that gives it that. */
export interface MoreMoney {
  readonly estimateMicroUsd: number;
  readonly ceilingMicroUsd: number;
}

/** With what a goal goes on that its own ceiling has stopped: once again what it may cost. Null: enough is left under that. */
export function moneyToGoOn(
  goal: Parameters<typeof goalCeiling>[0],
  spentMicroUsd: number,
  policy: Policy,
): MoreMoney | null {
  if (goalCeiling(goal, policy) - spentMicroUsd >= policy.goals.minimumTurnMicroUsd) return null;
  const usual = goalCeiling({ ...goal, ceilingMicroUsd: null }, policy);
  const again = spentMicroUsd + Math.max(usual, policy.goals.minimumTurnMicroUsd);
  // An estimate below a ceiling that a person set leaves that as it is.
  const above = (goal.ceilingMicroUsd ?? 0) + 1;
  const dollars = Math.ceil(Math.max(again / policy.ceilings.estimateFactor, above) / 1_000_000);
  const estimateMicroUsd = dollars * 1_000_000;
  return { estimateMicroUsd, ceilingMicroUsd: goalCeiling({ ceilingMicroUsd: null, estimateMicroUsd }, policy) };
}

/** A goal's new estimate. A ceiling that a person set before, and that is lower, is over by it: both cannot be meant. */
export function newEstimate(
  { ceilingMicroUsd }: { readonly ceilingMicroUsd: number | null },
  estimateMicroUsd: number,
): { readonly estimateMicroUsd: number; readonly ceilingMicroUsd?: null } {
  const isOver = ceilingMicroUsd !== null && ceilingMicroUsd < estimateMicroUsd;
  return isOver ? { estimateMicroUsd, ceilingMicroUsd: null } : { estimateMicroUsd };
}

/** What a goal waits for that a ceiling refuses now: money that other goals have reserved, or that of the next day. */
export type MoneyWait = "others" | "tomorrow";

/** What else is known of a refusal. */
export interface RefusalFacts {
  readonly ceilings: Ceilings;
  /** Of each ceiling, what other goals at work have reserved and not spent. */
  readonly reserved: Readonly<Record<Exclude<CeilingName, "goal">, number>>;
  /** It is worked by a night's contract, which goes on while nobody looks. */
  readonly isNight: boolean;
}

/**
 * Whether money comes back without a person, and whose. Null: what is left was spent, or is too little for good. The goal's own
 * reservations are never waited for, and a day whose whole ceiling is too little is not either.
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

/** The ceiling with the least left, and how much that is. */
export function tightestCeiling(ceilings: Ceilings): { name: CeilingName; leftMicroUsd: number } {
  const left = ceilingNames.flatMap((name) => {
    const ceiling = ceilings[name];
    return ceiling === undefined ? [] : [{ name, leftMicroUsd: ceiling.ceilingMicroUsd - ceiling.spentMicroUsd }];
  });
  return left.reduce((least, each) => (each.leftMicroUsd < least.leftMicroUsd ? each : least));
}
