import type { Trigger } from "../checkpoints/triggers.ts";

/**
 * A night contract: goals, dollars, until when, and what may be done without asking. What falls outside is parked with a
 * recommendation and the next goal starts; in the morning the parked decisions are cleared one by one.
 */

/** What a person may allow beforehand, by the word they use. Money is what the contract itself is about. */
export const allowable = {
  ux: ["ux_change"],
  architecture: ["architecture"],
  scope: ["scope_change"],
  cost: ["cost_single"],
} as const satisfies Readonly<Record<string, readonly Trigger[]>>;

export type Allowable = keyof typeof allowable;

/** The triggers that need no question in a night: what was allowed, and the day's spend, which the budget is about. */
export function allowedTriggers(words: readonly Allowable[]): Trigger[] {
  return ["cost_cumulative", ...new Set(words.flatMap((word): readonly Trigger[] => allowable[word]))];
}

/** How one session of the night stands. */
export interface NightSession {
  readonly status: "running" | "paused" | "ended";
  /** A goal is being worked now. */
  readonly isWorking: boolean;
  /** Nothing can go on before somebody answers, or nothing is left. */
  readonly isWaiting: boolean;
  /** A person paused it and will say when it goes on: the night waits for them until its hour. */
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

/** Whether the night is over: its hour has come, its money is used up, or nothing is left that needs nobody. */
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
