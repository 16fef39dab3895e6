import type { Tier } from "../goals/goal.ts";
import { tierTable } from "./tiers.ts";

/**
 * Tokens that reach a model because of the worklog. Limits raise alarms and stop nothing. Seed 000 NFR-001, seed 001 T4.2, C-06, C-23,
 * C-24.
 */
export interface TokenCount {
  readonly tier: string;
  readonly byOperation: Readonly<Record<string, number>>;
  readonly total: number;
}

/** The count of a new session. */
export function noTokens(tier: string): TokenCount {
  return { tier, byOperation: {}, total: 0 };
}

/** The count with `tokens` added for an operation. */
export function withTokens(counted: TokenCount, operation: string, tokens: number): TokenCount {
  const byOperation = { ...counted.byOperation, [operation]: (counted.byOperation[operation] ?? 0) + tokens };
  return { ...counted, byOperation, total: counted.total + tokens };
}

/** The limit of a tier. 0 for an unknown tier. */
export function tokenBound(tier: string): number {
  return Object.entries(tierTable).find(([name]) => name === tier)?.[1].mostTokens ?? 0;
}

/** True when a session has stayed within its tier's limit. */
export function isWithinBound({ tier, total }: TokenCount): boolean {
  return total <= tokenBound(tier);
}

/** The used share of the limit. With a limit of 0, no tokens are 0 and any number is infinite (C-23). */
export function utilisation({ tier, total }: TokenCount): number {
  const bound = tokenBound(tier);
  if (bound > 0) return total / bound;
  return total === 0 ? 0 : Number.POSITIVE_INFINITY;
}

/** True when the last addition reached the given share of the limit, so that the warning is given once (C-24). */
export function hasReachedWarning(before: TokenCount, after: TokenCount, share: number): boolean {
  return utilisation(before) < share && utilisation(after) >= share;
}

/** Limits of single operations: opening 75, an entry 30 (S0-WI-06, S0-OL-14). */
export const operationBounds: Readonly<Record<"open" | "entry", number>> = { open: 75, entry: 30 };

const usualMix: Readonly<Record<Tier, number>> = { STRICT: 0.1, STANDARD: 0.6, LIGHT: 0.25, EXEMPT: 0.05 };

/**
 * Tokens for each goal, weighted by how often each tier occurs. Without a mix, or with an empty one, uses the usual mix. A tier that a
 * given mix lacks counts as 0.
 */
export function weightedMean(mix: Readonly<Partial<Record<Tier, number>>> | null): number {
  const shares = mix === null || Object.keys(mix).length === 0 ? usualMix : mix;
  const sum = Object.entries(tierTable).reduce((total, [tier, rules]) => {
    return total + (Object.entries(shares).find(([name]) => name === tier)?.[1] ?? 0) * rules.mostTokens;
  }, 0);
  return Math.round(sum * 1000) / 1000;
}
