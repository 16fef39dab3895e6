import { type FileKind, type FileRole, hasSourceFolders, isBelowSource, mayBeCompared } from "../files/kind.ts";
import { isOnlyLookedAt } from "../files/runners.ts";
import { programsIn } from "../files/program-runs.ts";
import { isWithoutEnding } from "../files/shebang.ts";
import { globMatcher, globsProblem } from "../text/globs.ts";
import type { CriterionResult } from "./results.ts";
import type { Spec } from "./spec.ts";

/**
 * The frozen contract: criteria and proof files are those of the commit that a run began with (D26). The executor may add tests. Existing
 * proof files keep their old content while the work is verified.
 */

/** The facts that decide which files of the base are proof files. */
export interface ProofFacts {
  /** Paths at the base. */
  readonly files: readonly string[];
  readonly kindOf: (path: string) => FileKind;
  readonly commands: readonly string[];
  /** Paths that scripts of the commands run, too. */
  readonly run?: readonly string[];
  /** True when a file is, by its name, a setting of a tool that the commands start (`settingsOfTools`). */
  readonly isOfTool: (path: string) => boolean;
  /** The goal's text, in the words of the person who asked for it. */
  readonly goal: string;
  /** Patterns of the repository's own `.cos/proof`. */
  readonly listed: readonly string[];
  /** Files changed by the work that only tests and settings name. */
  readonly onlyOfTests: readonly string[];
  /** Programs that a command runs and that are the subject of the proof. */
  readonly proven: readonly string[];
  /** Changes that a person expects (`--allow-proof`). */
  readonly allowed: readonly string[];
}

/**
 * The proof files among the files at the base: by their kind, by `.cos/proof`, because only tests use them, or because a command runs or
 * reads them. Files that the goal is about are not proof files for the last reason (D38, F-207).
 */
export function proofFilesOf(facts: ProofFacts): string[] {
  const { files, kindOf, commands, isOfTool, goal, listed, onlyOfTests, proven, allowed } = facts;
  const isListed = globMatcher(listed);
  const isAllowed = globMatcher(allowed);
  const unsure = new Set(onlyOfTests);
  const run = new Set([...commands.flatMap(programsIn), ...(facts.run ?? [])]);
  const named = new Set(commands.flatMap(wordsOf));
  const compared = new Set(commands.filter((command) => comparing.test(command)).flatMap(wordsOf));
  const isAbout = namedIn(goal);

  function isNamedProof(file: string, role: FileRole): boolean {
    if (!(named.has(file) || run.has(file)) || isAbout(file) || isBelowSource(file) || proven.includes(file))
      return false;
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

/** Commands that compare a file with an output. */
const comparing = /\b(?:diff|cmp|comm|colordiff)\b/;

/** Returns a test for files that a text names by their path. */
export function namedIn(text: string): (path: string) => boolean {
  const words = new Set(wordsOf(text));
  return (path) => words.has(path);
}

/** The words of a line, without quotes and punctuation. A path is one word, without "./". */
function wordsOf(text: string): string[] {
  return text.split(/[\s'"=,;:&|()<>`$]+/).map((word) => word.replace(/^\.\//, "").replace(/\.$/, ""));
}

/**
 * Changed files that may be proof files although their path does not show it. First data, and code outside the source folders if there are
 * such folders; then text and pictures that are not documents. The files that name them decide (D38).
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

/**
 * True when only tests, proof files and settings name a file; prose and generated files are ignored. A file that nothing runs must be
 * named by a test or proof file. False when nothing names it.
 */
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
 * Added files that decide how things are proven: new settings of a test runner or a linter could make everything pass. Excluded are new
 * tests, files that a command runs, and settings of a tool that the goal names, because these were wanted.
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

/** The commands that criteria or checks run. A criterion without a command gives none. */
export function criterionCommands(criteria: Spec["criteria"]): string[] {
  return criteria.flatMap(({ verification }) => (verification.method === "bash" ? [verification.command] : []));
}

/** The commands whose output a condition compares, written as what that is: a pipe into `grep`. */
export function comparedCommands(criteria: Spec["criteria"]): string[] {
  return criteria.flatMap(({ verification }) => {
    if (verification.method !== "bash") return [];
    const { command, condition } = verification;
    return condition.parts.some(({ type }) => type !== "exit-code") ? [`${command} | grep .`] : [];
  });
}

/** The patterns of a `.cos/proof` file: one per line, # for comments. */
export function proofPatternsIn(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

/** The problem of the first invalid pattern of a `.cos/proof` file, with its line. Null when all are valid. */
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
 * A criterion holds only if it passes with the proof files of the base and with those of the work. Otherwise a goal that breaks a file
 * which a command names would be verified without it. A setup that is broken as committed excuses nothing. A person looks at failing
 * criteria that pass as committed (D26).
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
