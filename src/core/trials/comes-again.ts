import { lastPart } from "../files/path.ts";

import type { TrialRun } from "./judge.ts";
import { type TestReport, titleOf } from "./report.ts";

/** Checks whether a failure without the source comes again: a failure by chance proves nothing (D38, F-205). */

/** Names of the failed tests, where the report has names. A file that cannot be loaded counts as one, named by its path. */
export function failedIn(report: TestReport | null): readonly string[] {
  if (report === null) return [];
  if (report.type === "counts") return [...(report.failing ?? []), ...(report.notOk ?? [])];
  return report.tests.flatMap(({ name, outcome }) => (outcome === "failed" ? [name] : []));
}

/** True when a test of the same name failed in both reports. False when names are not known. */
export function failsAlike(one: TestReport | null, other: TestReport | null): boolean {
  const again = new Set(failedIn(other));
  return failedIn(one).some((name) => again.has(name));
}

/**
 * True when both runs ended alike and no additional test failed in the second. A second run that failed counts only when both report
 * tests.
 */
export function endsAlike(one: TrialRun, other: TrialRun): boolean {
  if (other.result === "pass") return one.result === "pass";
  if (other.result === "none" || one.report === null || other.report === null) return false;
  const failed = new Set(failedIn(one.report));
  const isCounted = one.report.type === "counts" && other.report.type === "counts";
  const isFewer = !isCounted || failuresOf(other.report) <= failuresOf(one.report);
  return isFewer && failedIn(other.report).every((name) => failed.has(name));
}

function failuresOf(report: TestReport): number {
  return report.type === "counts" ? report.failed : failedIn(report).length;
}

/** When more tests than this failed, none is searched for. */
const mostNames = 10;

/** Strings to search for in test files to find the failed tests: paths, or titles of at least two characters. */
export function failedTitles(report: TestReport | null): readonly string[] {
  const titles = [...new Set(failedIn(report).map((name) => titleOf(name).trim()))];
  return titles.length > mostNames ? [] : titles.filter((title) => title.length > 1);
}

/**
 * Test files that can be left out when a rerun only has to show that other tests fail again. These are test files of the base that the
 * work does not change and that contain no failed test. Empty when no file with a failed test is known. Also empty when the command, or a
 * text that it may be made of, names one of them: without the file it would fail.
 */
export function testsBeside(facts: {
  /** Test files at the base that the work does not change. */
  readonly unchanged: readonly string[];
  /** Files that contain the failed tests. */
  readonly holding: readonly string[];
  /** The command, and texts that it may be made of. */
  readonly commands: readonly string[];
}): readonly string[] {
  if (facts.holding.length === 0) return [];
  const beside = facts.unchanged.filter((path) => !facts.holding.includes(path));
  const isNamed = (path: string): boolean => facts.commands.some((text) => text.includes(lastPart(path)));
  return beside.some(isNamed) ? [] : beside;
}

/** Maximum number of names that are looked for. */
const mostWanted = 5;

/**
 * Names that failed tests report as missing and that the work's source adds. A test that fails for a missing name fails every time.
 * `added`: the lines that the work adds to its source. The caller must check whether the base knew the name.
 */
export function wantedOfWork(report: TestReport | null, added: readonly string[]): readonly string[] {
  if (report?.type !== "names") return [];
  const said = report.tests.flatMap(({ outcome, missing: name }) =>
    outcome === "failed" && name !== undefined ? [name] : [],
  );
  const isAdded = (name: string): boolean => added.some((line) => wordsOf(line).includes(name));
  return [...new Set(said)].filter(isAdded).slice(0, mostWanted);
}

function wordsOf(line: string): readonly string[] {
  return line.split(/[^\w$]+/);
}
