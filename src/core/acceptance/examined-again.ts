import type { CriterionResult } from "./results.ts";

/**
 * The result that counts for a criterion, from all its examinations of one commit, oldest first. Null when it has to be examined: for the
 * first time, or again because an examination came to no verdict. It is examined again at most `again` times.
 */
export function settledByExamination(found: readonly CriterionResult[], again: number): CriterionResult | null {
  const last = found.at(-1);
  if (last?.unjudged !== true) return last ?? null;
  const tries = found.filter(({ unjudged }) => unjudged === true).length;
  if (tries <= again) return null;
  const [why = "nobody said why", ...more] = last.details;
  return tries === 1 ? last : { ...last, details: [`examined ${tries} times without a verdict: ${why}`, ...more] };
}
