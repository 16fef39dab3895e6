import type { Policy } from "../policy.ts";
import { count } from "../text.ts";

/** How an agent is paid: by what it uses, or at a flat rate that a person pays anyway (D48). */
export type Billing = "metered" | "flat";

/** What a goal has taken of an agent at a flat rate: its executions, and how long they worked together. */
export interface FlatUse {
  readonly turns: number;
  readonly workedMs: number;
}

/** "3 of 30 turns, 14 of 120 min": what a card shows in the place of dollars, which nobody spends. */
export function flatWords({ turns, workedMs }: FlatUse, { goals }: Pick<Policy, "goals">): string {
  return `${turns} of ${count(goals.flatTurns, "turn")}, ${Math.round(workedMs / minute)} of ${goals.flatMinutes} min (flat rate)`;
}

/** Why a goal may not take more of an agent at a flat rate; null: it may (D48: ceilings in minutes and turns). */
export function flatRefusal(use: FlatUse, { goals }: Pick<Policy, "goals">): string | null {
  if (use.turns >= goals.flatTurns) return `Stopped at its ceiling of ${count(goals.flatTurns, "turn")} of its agent`;
  if (use.workedMs >= goals.flatMinutes * minute)
    return `Stopped at its ceiling of ${goals.flatMinutes} min of its agent`;
  return null;
}

/** How long the next turn may take at most. */
export function flatTimeLeftMs({ workedMs }: FlatUse, { goals }: Pick<Policy, "goals">): number {
  return Math.max(minute, goals.flatMinutes * minute - workedMs);
}

const minute = 60_000;
