import type { Tier } from "../goals/goal.ts";
import { tierTable } from "./tiers.ts";

/** Tokens that may reach a model because of the worklog: bounds are alarms, nothing stops because of them. Seed 000 NFR-001, C-06. */

const usualMix: Readonly<Record<Tier, number>> = { STRICT: 0.1, STANDARD: 0.6, LIGHT: 0.25, EXEMPT: 0.05 };

/** Of a tier that nobody knows, 0. */
export function tokenBound(tier: string, isBatched: boolean): number {
  const rules = Object.entries(tierTable).find(([name]) => name === tier)?.[1];
  if (rules === undefined) return 0;
  return isBatched ? rules.tokens.batched : rules.tokens.unbatched;
}

/** Tokens a goal, weighted by how often each tier comes; without a mix the usual one, in a mix that is given what it lacks is 0. */
export function weightedMean(mix: Readonly<Partial<Record<Tier, number>>> | null): number {
  const shares = Object.entries(mix ?? usualMix);
  const sum = shares.reduce((total, [tier, share]) => total + share * tokenBound(tier, true), 0);
  return Math.round(sum * 1000) / 1000;
}
