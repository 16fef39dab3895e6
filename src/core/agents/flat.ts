import type { Policy } from "../policy.ts";
import { count } from "../text.ts";

/** How an agent is paid: by use, or at a flat rate that a person pays anyway (D48). */
export type Billing = "metered" | "flat";

/** A goal's use of a flat-rate agent: the number of executions, and their total duration. */
export interface FlatUse {
  readonly turns: number;
  readonly workedMs: number;
}

/** Returns "3 of 30 turns, 14 of 120 min": shown on a card instead of dollars. */
export function flatWords({ turns, workedMs }: FlatUse, { goals }: Pick<Policy, "goals">): string {
  return `${turns} of ${count(goals.flatTurns, "turn")}, ${Math.round(workedMs / minute)} of ${goals.flatMinutes} min (flat rate)`;
}

/** Returns why a goal may not use a flat-rate agent any more. Null when it may (D48: ceilings in minutes and turns). */
export function flatRefusal(use: FlatUse, { goals }: Pick<Policy, "goals">): string | null {
  if (use.turns >= goals.flatTurns) return `Stopped at its ceiling of ${count(goals.flatTurns, "turn")} of its agent`;
  if (use.workedMs >= goals.flatMinutes * minute)
    return `Stopped at its ceiling of ${goals.flatMinutes} min of its agent`;
  return null;
}

/** Returns the maximum duration of the next turn. */
export function flatTimeLeftMs({ workedMs }: FlatUse, { goals }: Pick<Policy, "goals">): number {
  return Math.max(minute, goals.flatMinutes * minute - workedMs);
}

const minute = 60_000;
