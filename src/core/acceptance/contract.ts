import { type FileKind, type FileRole, hasSourceFolders, isBelowSource, mayBeCompared } from "../files/kind.ts";
import { isOnlyLookedAt, programsIn } from "../files/runners.ts";
import { isWithoutEnding } from "../files/shebang.ts";
import { globMatcher, globsProblem } from "../text/globs.ts";
import type { CriterionResult } from "./results.ts";
import type { Spec } from "./spec.ts";

/**
 * The frozen contract: criteria and the files that prove them are those of the commit a run began with (D26). Whoever
 * does the work may add tests; what was there keeps its old content while the work is verified.
 */

/** What decides which files of the base prove something. */
export interface ProofFacts {
  /** Paths at the base. */
  readonly files: readonly string[];
  readonly kindOf: (path: string) => FileKind;
  readonly commands: readonly string[];
  /** Whether a file is a setting of a tool that the commands start, by its name (`settingsOfTools`). */
  readonly isOfTool: (path: string) => boolean;
  /** What the goal is about, in the words of whoever asked for it. */
  readonly goal: string;
  /** Patterns of the repository's own `.cos/proof`. */
  readonly listed: readonly string[];
  /** Of the files that the work changes, those that nothing but tests and settings name. */
  readonly onlyOfTests: readonly string[];
  /** Programs that a command runs and that are what is proven. */
  readonly proven: readonly string[];
  /** Changes that a person expects (`--allow-proof`). */
  readonly allowed: readonly string[];
}

/**
 * Of the files at the base, those that prove something: by their kind, by `.cos/proof`, because nothing but tests uses them,
 * or because a command runs them or looks things up in them. What the goal is about is none of the last (D38, F-207).
 */
export function proofFilesOf(facts: ProofFacts): string[] {
  const { files, kindOf, commands, isOfTool, goal, listed, onlyOfTests, proven, allowed } = facts;
  const isListed = globMatcher(listed);
  const isAllowed = globMatcher(allowed);
  const unsure = new Set(onlyOfTests);
  const run = new Set(commands.flatMap(programsIn));
  const named = new Set(commands.flatMap(wordsOf));
  const compared = new Set(commands.filter((command) => comparing.test(command)).flatMap(wordsOf));
  const isAbout = namedIn(goal);

  function isNamedProof(file: string, role: FileRole): boolean {
    if (!named.has(file) || isAbout(file) || isBelowSource(file) || proven.includes(file)) return false;
    if (isWithoutEnding(file) && isOnlyLookedAt(file, commands)) return false;
    return run.has(file) || role === "unsure" || (role === "other" && compared.has(file) && mayBeCompared(file));
  }

  return files.filter((file) => {
    if (isAllowed(file)) return false;
    const { role } = kindOf(file);
    if (role === "test" || role === "proof" || role === "setting") return true;
    if (isOfTool(file) && !isAbout(file)) return true;
    const isOfTests = unsure.has(file) && !(role === "other" && isAbout(file));
    return isOfTests || isListed(file) || isNamedProof(file, role);
  });
}

/** Commands that hold a file against what was printed. */
const comparing = /\b(?:diff|cmp|comm|colordiff)\b/;

/** Which files a text names by their path. */
export function namedIn(text: string): (path: string) => boolean {
  const words = new Set(wordsOf(text));
  return (path) => words.has(path);
}

/** The words of a line, without quotes and signs; a path is one, without "./". */
function wordsOf(text: string): string[] {
  return text.split(/[\s'"=,;:&|()<>`$]+/).map((word) => word.replace(/^\.\//, "").replace(/\.$/, ""));
}

/**
 * Of the files that the work changes, those that may be a part of the proof although their path does not say so: data, code
 * outside of the folders of source where there are such folders, and then text and pictures that are no documents. Whether they
 * are is told by who names them (D38).
 */
export function unsureFiles(
  changed: readonly string[],
  files: readonly string[],
  kindOf: ProofFacts["kindOf"],
): string[] {
  const known = new Set(files);
  const hasFolders = hasSourceFolders(files, kindOf);
  const before = changed.filter((file) => known.has(file));
  const isUnsure = (file: string): boolean => {
    const { role } = kindOf(file);
    return role === "unsure" || (role === "source" && hasFolders && !isBelowSource(file));
  };
  return [...before.filter(isUnsure), ...before.filter((file) => kindOf(file).role === "other" && mayBeCompared(file))];
}

/** Whether a file that some files name is named by nothing but what proves; one that nothing runs has to be named by a test. */
export function isOnlyOfTests(
  namedIn: readonly string[],
  kindOf: ProofFacts["kindOf"],
  role: FileRole = "unsure",
): boolean {
  const roles = namedIn.map((file) => kindOf(file).role).filter((each) => each !== "other" && each !== "generated");
  if (role === "other" && !roles.some((each) => each === "test" || each === "proof")) return false;
  return roles.length > 0 && roles.every((each) => each === "test" || each === "proof" || each === "setting");
}

/**
 * Files that the work adds and that decide how things are proven: a test runner's or a linter's settings where there were none
 * could make everything pass. New tests are not among them, nor is what a command runs, and no tool's setting that the goal
 * names: that was wanted.
 */
export function addedSettings(facts: {
  readonly changed: readonly string[];
  readonly files: readonly string[];
  readonly kindOf: ProofFacts["kindOf"];
  readonly commands: readonly string[];
  readonly isOfTool: ProofFacts["isOfTool"];
  readonly goal: string;
  readonly allowed: readonly string[];
}): string[] {
  const isAllowed = globMatcher(facts.allowed);
  const known = new Set(facts.files);
  const wanted = new Set(facts.commands.flatMap(programsIn).filter((path) => path.includes("/")));
  const isAbout = namedIn(facts.goal);
  const isSetting = (file: string): boolean =>
    facts.kindOf(file).role === "setting" || (facts.isOfTool(file) && !isAbout(file));
  return facts.changed.filter((file) => !known.has(file) && isSetting(file) && !isAllowed(file) && !wanted.has(file));
}

/** What a criterion or check runs; empty for one that no command verifies. */
export function criterionCommands(criteria: Spec["criteria"]): string[] {
  return criteria.flatMap(({ verification }) => (verification.method === "bash" ? [verification.command] : []));
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
 * that breaks a file which a command names would be verified without it. A setup that is broken as committed excuses nothing.
 * Which failing ones pass as committed is for a person to see (D26).
 */
export function holdsBothWays(
  frozen: readonly CriterionResult[],
  committed: readonly CriterionResult[],
): { readonly results: readonly CriterionResult[]; readonly passAsCommitted: readonly string[] } {
  const results = frozen.map((result): CriterionResult => {
    const other = committed.find((each) => each.id === result.id);
    if (other?.status !== "fail") return result;
    if (other.brokenSetup === true && result.status === "not-checked") return other;
    if (result.status !== "pass") return result;
    return {
      ...other,
      details: ["passes with the files as they were before, and fails as committed", ...other.details],
    };
  });
  const passing = committed.filter((each) => each.status === "pass").map((each) => each.id);
  const failing = frozen.filter((each) => each.status === "fail").map((each) => each.id);
  return { results, passAsCommitted: passing.filter((id) => failing.includes(id)) };
}
