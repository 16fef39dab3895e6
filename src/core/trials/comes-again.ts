import { lastPart } from "../files/path.ts";

import type { TrialRun } from "./judge.ts";
import { type TestReport, titleOf } from "./report.ts";

/** Whether a failure without the source comes again: a failure by chance proves nothing (D38, F-205). */

/** The tests that failed, as far as they are named; a file that cannot be loaded is one, by its path. */
export function failedIn(report: TestReport | null): readonly string[] {
  if (report === null) return [];
  if (report.type === "counts") return [...(report.failing ?? []), ...(report.notOk ?? [])];
  return report.tests.flatMap(({ name, outcome }) => (outcome === "failed" ? [name] : []));
}

/** Whether a test failed in both, by its name; false where no names are known. */
export function failsAlike(one: TestReport | null, other: TestReport | null): boolean {
  const again = new Set(failedIn(other));
  return failedIn(one).some((name) => again.has(name));
}

/** Whether two runs ended alike, with no other test failed in the second; false where one of them says nothing of its tests. */
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

/** More names than that are not looked for. */
const mostNames = 10;

/** What to look for in files of tests to find those that failed: paths, or titles that are long enough to tell something. */
export function failedTitles(report: TestReport | null): readonly string[] {
  const titles = [...new Set(failedIn(report).map((name) => titleOf(name).trim()))];
  return titles.length > mostNames ? [] : titles.filter((title) => title.length > 1);
}

/**
 * The files of tests that can be left out where it is only seen again that others fail: those of the base that the work leaves as
 * they are, and that hold none of what failed. Empty where what failed is not found, and where the command or what it
 * is made of names one of them: it would fail for want of it.
 */
export function testsBeside(facts: {
  /** Files of tests at the base that the work leaves as they are. */
  readonly unchanged: readonly string[];
  /** Files that hold what failed. */
  readonly holding: readonly string[];
  /** The command, and texts of what it may be made of. */
  readonly commands: readonly string[];
}): readonly string[] {
  if (facts.holding.length === 0) return [];
  const beside = facts.unchanged.filter((path) => !facts.holding.includes(path));
  const isNamed = (path: string): boolean => facts.commands.some((text) => text.includes(lastPart(path)));
  return beside.some(isNamed) ? [] : beside;
}

/** More names than that are not looked for. */
const mostWanted = 5;

/**
 * What failed tests say that is not there, and the work's source adds: a test that fails for want of it fails every time. `added`: the
 * lines that the work adds to its source. Whether the base knew the name is for the caller to see.
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
