import type { WorkNature } from "./plan.ts";
import type { RemovedTests } from "./removed-tests.ts";
import { passedIn, ranIn, type TestsGone, testsGone } from "./tests-gone.ts";
import { namesOf, type TestReport, titleOf } from "./report.ts";

/**
 * A proof on trial (D38): what a criterion's runs say about its power.
 *
 * | verdict | it was seen that |
 * |---|---|
 * | proves | it fails, or its tests are not there, without the work's source, and it passes with it |
 * | guards | it passes with and without: what was there still holds |
 * | no-power | near misses were made, and it passed all the same |
 * | untried | no near miss could be made, or a trial could not be run |
 */
export type TrialVerdict = "proves" | "guards" | "no-power" | "untried";

/** How a trial ended: `none` when it says nothing, such as one that was cut short or whose setup failed. */
export interface TrialRun {
  readonly result: "pass" | "fail" | "none";
  readonly report: TestReport | null;
}

export interface NearMiss extends TrialRun {
  /** What was changed: "test/price.test.js:4: 42 became 43". */
  readonly what: string;
  /** Title of a failing test that was added; left out when something existing was changed. */
  readonly addedTest?: string;
}

export interface TrialFacts {
  /** The work, run with a reporter that names the tests. */
  readonly work: TrialRun;
  /** The proof of the work on the base's source. `times`: how often it ended this way, each time in a folder of its own. */
  readonly withoutSource: TrialRun & { readonly times: number };
  /** The base as it was. Null when only source was changed: then `withoutSource` is the same. */
  readonly base: TrialRun | null;
  /** The work with the base's tests, without what it added to them. Null when it added nothing, or when the base did not pass. */
  readonly withoutAdded: TrialRun | null;
  /** What the work added to the tests. */
  readonly added: readonly string[];
  /** What the work did. */
  readonly nature: WorkNature;
  /** Tests that the work renamed but did not change: for each file, the new titles by the old ones. */
  readonly retitled?: readonly ReadonlyMap<string, string>[];
  /** Tests that are gone because the goal asks to remove what they test. */
  readonly removed?: readonly RemovedTests[];
  readonly nearMisses: readonly NearMiss[];
  /** The work with the clock moved forward. Null when its source does not begin to read the date. */
  readonly later?: { readonly result: TrialRun["result"]; readonly days: number } | null;
  /** The work in another folder. Null when its source does not begin to read where it runs. */
  readonly elsewhere?: TrialRun["result"] | null;
  /** Environment variables that were set in the other folder, with their values. */
  readonly switches?: Readonly<Record<string, string>>;
  /** Suppressions of tool messages that the work added and without which it fails: `src/price.ts:2 (@ts-ignore)`. */
  readonly silenced?: readonly string[];
}

/** Why a person is asked. */
export type TrialQuestion =
  /** The near misses in `tried` passed. With `noneFailed`, they failed, but not by a test that had run before. */
  | { readonly type: "no-power"; readonly tried: readonly string[]; readonly noneFailed?: boolean }
  /** The criterion failed at the base, and passes on the base's source with the tests and settings of the work. */
  | { readonly type: "passed-by-proof" }
  | TestsGone
  /** The base's tests pass at the base, and fail on the work when what it added to them is taken away. */
  | { readonly type: "passed-by-added"; readonly added: readonly string[] }
  /** Source begins to name a test runner, a test, or a comparison. Asked about the work, whatever the proof (F-201). */
  | { readonly type: "names-runner"; readonly path: string; readonly names: readonly string[] }
  /** The criterion passes today and fails with the clock `days` days forward, and source begins to read the date (docs/proofs.md, 6). */
  | { readonly type: "not-later"; readonly days: number }
  /**
   * The criterion passes where it was verified. It fails in another folder, or with variables set that the source begins to decide by:
   * `CI=true`. Questions stored by an older version have no `given`.
   */
  | { readonly type: "not-elsewhere"; readonly given?: readonly string[] }
  /** The criterion failed at the base, and passes only with suppressions of tool messages. */
  | { readonly type: "silenced"; readonly places: readonly string[] }
  /** Source begins to change what all code shares. Asked about the work, whatever the proof (F-201). */
  | { readonly type: "changes-shared"; readonly path: string; readonly names: readonly string[] }
  /** Source begins to run text as code, whose content is not checked. Asked about the work, whatever the proof (F-201). */
  | { readonly type: "runs-text"; readonly path: string; readonly names: readonly string[] }
  /** Tests inside source changed, or source that differs between tests and use. Asked about the work, whatever the proof (F-201). */
  | {
      readonly type: "tests-in-source";
      readonly path: string;
      readonly lines: readonly string[];
      /** Titles as a report names them; they show whether these tests ran. */
      readonly titles?: readonly string[];
    }
  /** A new file that tests of the base load instead of another file beside it. */
  | { readonly type: "taken-for"; readonly path: string; readonly other: string; readonly test: string }
  /** Source that was not read because it is too long or comes after too many other files. What it begins to name is unknown. */
  | { readonly type: "unread"; readonly paths: readonly string[] };

export interface Judgement {
  readonly verdict: TrialVerdict;
  /** Names of the tests that prove, and the number of tests that guard. Empty and 0 when no names are known. */
  readonly proving: readonly string[];
  readonly guarding: number;
  /** Number of tests that passed; null when the run reports none. */
  readonly tests: number | null;
  /** For a guard, the number of tests that are missing without the work's source because they lie in it. Left out when 0. */
  readonly inSource?: number;
  readonly questions: readonly TrialQuestion[];
}

/** Judges the trials of one criterion that passed (docs/proofs.md, D38). `expects`: a person allowed changes of the proof. */
export function judgeTrials(facts: TrialFacts, expects = false): Judgement {
  const { work, withoutSource, nearMisses } = facts;
  const passing = namesOf(work.report, "passed");
  const byProof = facts.base?.result === "fail" && withoutSource.result === "pass";
  const verdict = verdictOf(facts, byProof);
  const proving = verdict === "proves" ? freshNames(facts) : [];

  const questions: TrialQuestion[] = expects
    ? []
    : testsGone({ ...facts, before: (facts.base ?? withoutSource).report, now: work.report }).slice();
  if (byProof && !expects) questions.push({ type: "passed-by-proof" });
  if (facts.withoutAdded?.result === "fail" && !expects)
    questions.push({ type: "passed-by-added", added: facts.added });
  const { silenced = [], base, switches = {} } = facts;
  const given = Object.entries(switches).map(([name, value]) => `${name}=${value}`);
  if (silenced.length > 0 && (base ?? withoutSource).result === "fail" && !expects)
    questions.push({ type: "silenced", places: silenced });
  if (facts.later?.result === "fail" && work.result === "pass")
    questions.push({ type: "not-later", days: facts.later.days });
  if (facts.elsewhere === "fail" && work.result === "pass") questions.push({ type: "not-elsewhere", given });
  if (verdict === "no-power") questions.push(noPower(nearMisses));
  const tests = work.report === null ? null : passedIn(work.report);
  const inSource = verdict === "guards" && withoutSource.result === "pass" ? addedTo(withoutSource.report, tests) : 0;
  const guarding = passing.length - proving.length;
  return { verdict, proving, guarding, tests, ...(inSource > 0 ? { inSource } : {}), questions };
}

function addedTo(before: TestReport | null, tests: number | null): number {
  return before === null || tests === null ? 0 : tests - passedIn(before);
}

/** Names the near misses that passed, not those that failed for another reason. */
function noPower(nearMisses: readonly NearMiss[]): TrialQuestion {
  const passed = nearMisses.filter(({ result }) => result === "pass").map(({ what }) => what);
  if (passed.length > 0) return { type: "no-power", tried: passed };
  return { type: "no-power", tried: nearMisses.map(({ what }) => what), noneFailed: true };
}

type Before = Pick<TrialFacts, "work" | "base" | "nature"> & { readonly withoutSource: TrialRun };

/**
 * True when a failure without the source may prove something, and must therefore be seen again. It proves nothing when the same tests
 * passed before: they only cannot be loaded without the source.
 */
export function mayProve(facts: Before): boolean {
  return facts.withoutSource.result === "fail" && !isAsBefore(facts);
}

function isAsBefore(facts: Before): boolean {
  return namesOf(facts.work.report, "passed").length > 0 ? freshNames(facts).length === 0 : passedAsMany(facts);
}

/**
 * Tests that pass now and did not pass before. A test that passed at the base is no proof when its file cannot be loaded without the
 * source, or when it fails for a missing name. It is a proof when it fails by what it compares.
 */
function freshNames({ work, withoutSource, base }: Before): string[] {
  const wrong = new Set(wrongIn(withoutSource.report));
  const passedBase = namesOf(base?.report ?? null, "passed").filter((name) => !wrong.has(name));
  const before = new Set([...namesOf(withoutSource.report, "passed"), ...passedBase]);
  return namesOf(work.report, "passed").filter((name) => !before.has(name));
}

/** Tests that failed, but not for a missing name. */
function wrongIn(report: TestReport | null): string[] {
  if (report?.type !== "names") return [];
  return report.tests.flatMap(({ name, outcome, missing }) =>
    outcome === "failed" && missing === undefined ? [name] : [],
  );
}

/**
 * For reports without names. True when the base passed with as many tests, or, where tests are not counted, when the tested code only
 * moved.
 */
function passedAsMany({ work, base, nature, withoutSource }: Before): boolean {
  if (base?.result !== "pass") return false;
  if (work.report === null || base.report === null) return nature === "moved";
  return passedIn(base.report) >= passedIn(work.report) && !isWrongByNumber(withoutSource.report, work.report);
}

/** True when all tests of the work ran without its source and some failed, none for a missing name. */
function isWrongByNumber(without: TestReport | null, work: TestReport): boolean {
  return without?.type === "counts" && without.failed > 0 && without.lacks === false && ranIn(without) >= ranIn(work);
}

function verdictOf(facts: TrialFacts, byProof: boolean): TrialVerdict {
  const { work, withoutSource, nearMisses } = facts;
  const tried = nearMisses.filter(({ result }) => result !== "none");
  if (work.result !== "pass" || withoutSource.result === "none" || tried.length === 0) return "untried";
  if (!tried.some((miss) => isSeenBy(miss, work.report))) return "no-power";
  if (withoutSource.result === "pass" || byProof || isAsBefore(facts)) return "guards";
  // A failure that does not come again proves nothing.
  return withoutSource.times > 1 ? "proves" : "untried";
}

/**
 * True when a near miss was detected: the same tests ran, and one of them, or the added test, failed. A command without tests detects it
 * by failing. A runner that fails before it runs a test has seen that something is broken, not that a value is wrong.
 */
export function isSeenBy(miss: TrialRun & Pick<NearMiss, "addedTest">, work: TestReport | null): boolean {
  if (miss.result !== "fail") return false;
  if (work === null) return true;
  if (miss.report === null) return false;
  if (miss.report.type === "counts") return miss.report.failed > 0;
  // A file that can no longer be loaded fails under its own name: none of its tests has checked a value.
  const known = new Set(namesOf(work, "passed").map((name) => titleOf(name)));
  const failed = namesOf(miss.report, "failed");
  if (work.type === "counts") return failed.length > 0;
  if (miss.addedTest === undefined) return failed.some((name) => known.has(titleOf(name)));
  const ran = new Set(miss.report.tests.map(({ name }) => titleOf(name)));
  return failed.some((name) => titleOf(name) === miss.addedTest) && [...known].every((title) => ran.has(title));
}
