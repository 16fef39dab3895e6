import type { Trigger } from "../checkpoints/triggers.ts";

/**
 * A night contract: goals, dollars, an end time, and what may be done without asking. A goal that would need anything else is parked with a
 * recommendation, and the next goal starts. In the morning the parked decisions are cleared one by one.
 */

/** What a person may allow beforehand, by the word they use. Money is limited by the contract itself. */
export const allowable = {
  ux: ["ux_change"],
  architecture: ["architecture"],
  scope: ["scope_change"],
  cost: ["cost_single"],
} as const satisfies Readonly<Record<string, readonly Trigger[]>>;

export type Allowable = keyof typeof allowable;

/** The triggers that need no question in a night: the allowed ones, and the day's spend, which the contract's budget limits. */
export function allowedTriggers(words: readonly Allowable[]): Trigger[] {
  return ["cost_cumulative", ...new Set(words.flatMap((word): readonly Trigger[] => allowable[word]))];
}

/** The state of one session of the night. */
export interface NightSession {
  readonly status: "running" | "paused" | "ended";
  /** True when a goal is being worked now. */
  readonly isWorking: boolean;
  /** True when nothing can go on before somebody answers, or nothing is left. */
  readonly isWaiting: boolean;
  /** True when a person paused it and will resume it. The night waits for them until its end time. */
  readonly isHeld: boolean;
}

export interface NightFacts {
  readonly isOpen: boolean;
  readonly untilAt: Date;
  readonly now: Date;
  readonly leftMicroUsd: number;
  readonly sessions: readonly NightSession[];
}

export type NightDecision =
  | { readonly type: "goes-on" }
  | { readonly type: "ends"; readonly why: "time" | "money" | "done" };

/** Whether the night is over: its end time has come, its money is used up, or nothing is left that can go on without a person. */
export function decideNight(facts: NightFacts, minimumMicroUsd: number): NightDecision {
  if (!facts.isOpen) return { type: "goes-on" };
  if (facts.now >= facts.untilAt) return { type: "ends", why: "time" };
  if (facts.sessions.some((each) => each.isWorking)) return { type: "goes-on" };
  if (facts.sessions.every(isDone)) return { type: "ends", why: "done" };
  return facts.leftMicroUsd < minimumMicroUsd ? { type: "ends", why: "money" } : { type: "goes-on" };
}

function isDone({ status, isWaiting, isHeld }: NightSession): boolean {
  return !isHeld && (status !== "running" || isWaiting);
}
