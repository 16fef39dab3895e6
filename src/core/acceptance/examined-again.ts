import type { CriterionResult } from "./results.ts";

/**
 * What counts of a criterion by all that was found of it at one commit, oldest first. Null: it is looked at, for the first time or
 * because its examination came to no verdict and is made again, at most `again` times.
 */
export function settledByExamination(found: readonly CriterionResult[], again: number): CriterionResult | null {
  const last = found.at(-1);
  if (last?.unjudged !== true) return last ?? null;
  const tries = found.filter(({ unjudged }) => unjudged === true).length;
  if (tries <= again) return null;
  const [why = "nobody said why", ...more] = last.details;
  return tries === 1 ? last : { ...last, details: [`examined ${tries} times without a verdict: ${why}`, ...more] };
}
