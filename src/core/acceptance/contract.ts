import { globMatcher, globsProblem } from "../text/globs.ts";
import type { CriterionResult } from "./results.ts";
import type { Spec } from "./spec.ts";

/**
 * The frozen contract: criteria and the files that prove them are those of the commit a run began with (D26). Whoever
 * does the work may add tests; what was there keeps its old content while the work is verified.
 */

/** Of the files at the base, those that prove something: by pattern, named by a criterion's command, or listed in `.cos/proof`. */
export function proofFilesOf(facts: {
  readonly files: readonly string[];
  readonly spec: Pick<Spec, "criteria">;
  readonly checks: readonly string[];
  /** `proofFiles` and `settingFiles` of the policy. */
  readonly patterns: readonly string[];
  /** Patterns of the repository's own `.cos/proof`. */
  readonly listed: readonly string[];
  /** Changes that a person expects (`--allow-proof`). */
  readonly allowed: readonly string[];
}): string[] {
  const isProof = globMatcher([...facts.patterns, ...facts.listed]);
  const isAllowed = globMatcher(facts.allowed);
  const words = new Set(
    [
      ...facts.checks,
      ...facts.spec.criteria.flatMap(({ verification }) =>
        verification.method === "bash" ? [verification.command] : [],
      ),
    ]
      .flatMap((command) => command.split(/[\s'"=;&|()<>`$]+/))
      .map((word) => word.replace(/^\.\//, "")),
  );
  return facts.files.filter((file) => !isAllowed(file) && (isProof(file) || words.has(file)));
}

/**
 * Files that the work adds and that decide how things are proven: a test runner's settings where there were none could
 * make every test pass. New tests are not among them.
 */
export function addedSettings(facts: {
  readonly changed: readonly string[];
  readonly files: readonly string[];
  readonly patterns: readonly string[];
  readonly allowed: readonly string[];
}): string[] {
  const isSetting = globMatcher(facts.patterns);
  const isAllowed = globMatcher(facts.allowed);
  const known = new Set(facts.files);
  return facts.changed.filter((file) => !known.has(file) && isSetting(file) && !isAllowed(file));
}

/** The patterns of a `.cos/proof` file: one a line, # for comments. */
export function proofPatternsIn(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

/** What is wrong with the first pattern of a `.cos/proof` file that cannot be read, with its line; null when nothing is. */
export function proofPatternsProblem(text: string): string | null {
  const all = globsProblem(proofPatternsIn(text));
  if (all === null) return null;
  for (const [index, line] of text.split("\n").entries()) {
    const problem = globsProblem(proofPatternsIn(line));
    if (problem !== null) return `.cos/proof:${index + 1}: ${problem}`;
  }
  return `.cos/proof: ${all}`;
}

/** Proof files that the work changed or removed. */
export function touchedProof(proofFiles: readonly string[], changed: readonly string[]): string[] {
  const touched = new Set(changed);
  return proofFiles.filter((file) => touched.has(file));
}

/**
 * A criterion holds when it passes with the proof files of the base and also with those of the work: otherwise a goal
 * that breaks a file which a command names would be verified without it. Which failing ones pass as committed is for a
 * person to see (D26).
 */
export function holdsBothWays(
  frozen: readonly CriterionResult[],
  committed: readonly CriterionResult[],
): { readonly results: readonly CriterionResult[]; readonly passAsCommitted: readonly string[] } {
  const results = frozen.map((result): CriterionResult => {
    const other = committed.find((each) => each.id === result.id);
    if (result.status !== "pass" || other?.status !== "fail") return result;
    return {
      ...other,
      details: ["passes with the files as they were before, and fails as committed", ...other.details],
    };
  });
  const passing = committed.filter((each) => each.status === "pass").map((each) => each.id);
  const failing = frozen.filter((each) => each.status === "fail").map((each) => each.id);
  return { results, passAsCommitted: passing.filter((id) => failing.includes(id)) };
}
