import type { CheckpointKind } from "../checkpoints/checkpoint.ts";
import type { Trigger } from "../checkpoints/triggers.ts";

/**
 * Preferences of approvers, learnt from their answers within bounds. In thousandths instead of fractions, so that sums are exact: 500 is
 * 0.5. A weight orders and marks what a card recommends (`recommend.ts`). It never answers a question, and never keeps one from being
 * asked. S4-PL, C-77.
 */
export const preferenceKeys = [
  "cost_tolerance",
  "daily_cost_tolerance",
  "risk_tolerance",
  "retry_tolerance",
  "skip_tendency",
  "manual_preference",
  "modification_tendency",
] as const;
export type PreferenceKey = (typeof preferenceKeys)[number];

export interface Weight {
  readonly valueMilli: number;
  readonly samples: number;
}

/** The initial weight. S4-PL-01. */
export const newWeight: Weight = { valueMilli: 500, samples: 0 };

/** The most that one answer changes a weight (S4-PL-08), and how many answers make it certain (S4-PL-10). */
const mostChangeMilli = 100;
const samplesToBeSure = 5;

/**
 * What one answer says, by the label of the chosen button. Empty for a question that is about no preference, or about a ceiling: whether
 * this goal or campaign gets more money does not say what a day may cost. S4-PL-02…07, C-77.
 */
export function signalsOf(trigger: Trigger, choice: string, kind?: CheckpointKind): ReadonlyMap<PreferenceKey, number> {
  if (kind === "ceiling" || kind === "money") return new Map();
  // A person who wants something changed says nothing about its cost or risk.
  if (choice === "Modify") return new Map([["modification_tendency", 100]]);
  const isYes = choice === "Proceed";
  switch (trigger) {
    case "cost_single":
      return new Map([["cost_tolerance", isYes ? 100 : -100]]);
    case "cost_cumulative":
      return new Map([["daily_cost_tolerance", isYes ? 100 : -100]]);
    case "architecture":
    case "ux_change":
      return new Map([["risk_tolerance", isYes ? 50 : -50]]);
    case "hiccup": {
      if (kind !== undefined && !afterFailures.has(kind)) return new Map();
      const key = hiccupKeys.get(choice);
      return key === undefined ? new Map() : new Map([[key, 100]]);
    }
    case "scope_change":
      return new Map();
  }
}

/** Kinds of questions after failed work. A refused permission, proof or finding says nothing about those. */
const afterFailures: ReadonlySet<CheckpointKind> = new Set(["start", "hiccup", "escalation"]);

const hiccupKeys: ReadonlyMap<string, PreferenceKey> = new Map([
  ["Retry", "retry_tolerance"],
  ["Skip", "skip_tendency"],
  ["Manual", "manual_preference"],
]);

/** The weight after one more sample: changed by at most 0.1, within 0 and 1. S4-PL-08, S4-PL-09. */
export function moved(weight: Weight, directionMilli: number): Weight {
  const change = Math.max(-mostChangeMilli, Math.min(mostChangeMilli, directionMilli));
  return { valueMilli: Math.max(0, Math.min(1000, weight.valueMilli + change)), samples: weight.samples + 1 };
}

/** From 0 to 1. S4-PL-10. */
export function confidenceOf({ samples }: Weight): number {
  return Math.min(1, samples / samplesToBeSure);
}

/** The weight that is used: neutral until there are three answers. S4-PL-11. */
export function readWeight(weight: Weight | undefined): number {
  if (weight === undefined || confidenceOf(weight) < 0.5) return 0.5;
  return weight.valueMilli / 1000;
}

export type PreferenceLevel = "high" | "low" | "neutral";

/** The weight in one word. Null while there are too few answers. S4-PL-12. */
export function preferenceLevel(weight: Weight): PreferenceLevel | null {
  if (confidenceOf(weight) < 0.5) return null;
  if (weight.valueMilli > 600) return "high";
  return weight.valueMilli < 400 ? "low" : "neutral";
}

/** One change of a weight, as its history stores it. */
export interface WeightChange {
  readonly changeNo: number;
  readonly key: PreferenceKey;
  readonly was: Weight;
  readonly now: Weight;
}

/** The weights before a change, for all keys that this or a later change affected. `changes` must be in order. */
export function weightsBefore(changes: readonly WeightChange[], changeNo: number): ReadonlyMap<PreferenceKey, Weight> {
  const before = new Map<PreferenceKey, Weight>();
  for (const change of changes) {
    if (change.changeNo >= changeNo && !before.has(change.key)) before.set(change.key, change.was);
  }
  return before;
}
