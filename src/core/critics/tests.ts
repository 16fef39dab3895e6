import { isBelowSource, isProgram, isRunnable } from "../files/kind.ts";
import { globMatcher } from "../text/globs.ts";
import { asserts, mayAssert, mayPanic } from "./assertions.ts";
import { type Artifact, issueAt, type Line } from "./lines.ts";
import { skipsIn } from "./skips.ts";
import { callsTestLibrary } from "./test-libraries.ts";

/** What a change does to tests: removed tests, skipped tests, and tests without assertions. */

/** True when a path may contain tests. */
const isTestFile = (path: string): boolean => isRunnable(path) || isInFolderOfTests(path);
const isInFolderOfTests = globMatcher(["**/{test,tests,__tests__}/**"], "any-case");

/** The start of a test, with its name if that is on the same line. */
const beginning =
  /^\s{0,60}(?:(?:it|test|specify)(?:\.(?:each|concurrent|only|skip|todo|fails|failing))*\s{0,3}[(`."']|(?:async\s{1,3})?def\s{1,3}test_\w|(?:(?:public|private|static|final)\s{1,3}){0,3}func(?:tion)?\s{1,3}[Tt]est\w|#\[(?:\w{1,20}::)?(?:test|Test|rstest)\b|@(?:Test|ParameterizedTest|test)\b|\[(?:Fact|Theory|Test|TestMethod|TestCase)\b|Deno\.test\()/;
/** The same in C and C++, and in frameworks and languages with a form of their own. */
const begunByMacro =
  /^\s{0,60}(?:(?:TYPED_)?TEST(?:_F|_P|_CASE|_CASE_METHOD|_CASE_FIXTURE|_METHOD|_GROUP)?\s{0,2}\(|START_TEST\(|SCENARIO\s{0,2}\(|BOOST_(?:AUTO|FIXTURE|DATA)_TEST_CASE\w{0,20}\()/;
const begunOtherwise =
  /^\s{0,60}(?:QUnit\.test\(|testWidgets\(|test_that\(|\(deftest\s|func\s{1,3}(?:Example|Fuzz)\w{0,60}\(|def\s{1,3}["']|@(?:RepeatedTest|TestFactory|Property)\b|\[(?:TestCaseSource|DataTestMethod|SkippableFact)\b)/;
/** The parts of a change that affect tests, including tests within source files (Rust). */
export function testsIn({ added, removed, moved, changed, stayed }: Artifact): Artifact {
  const inSource = new Set(
    [...added, ...removed]
      .filter(({ path, text }) => path.endsWith(".rs") && beginning.test(text))
      .map(({ path }) => path),
  );
  const isTest = (path: string): boolean => isTestFile(path) || inSource.has(path);
  return {
    added: added.filter((line) => isTest(line.path)),
    removed: removed.filter((line) => isTest(line.path)),
    moved: moved.filter(({ from }) => isTest(from)),
    ...(changed === undefined ? {} : { changed }),
    ...(stayed === undefined ? {} : { stayed: stayed.filter((line) => isTest(line.path)) }),
  };
}

/**
 * Removed tests that were not added again under the same name as often as they were removed, each with its line, and test files that were
 * renamed to other files.
 */
export function removedTests({ added, removed, moved }: Artifact): string[] {
  const kept = new Map<string, number>();
  for (const name of namesOf(added).values()) kept.set(name, (kept.get(name) ?? 0) + 1);
  const gone = [...namesOf(removed)].filter(([, name]) => {
    const left = kept.get(name) ?? 0;
    kept.set(name, left - 1);
    return left < 1;
  });
  return [
    ...moved.flatMap(({ from, to }) =>
      isTestFile(from) && !isTestFile(to) ? [`${from}: its tests are run no more: it is ${to} now`] : [],
    ),
    ...gone.map(([line]) => issueAt(line, "a test was removed")),
  ];
}

/** Added tests that do not run, or keep others from running. */
export function skippedTests({ added, stayed = [] }: Pick<Artifact, "added" | "stayed">): string[] {
  return skipsIn(added.filter(holdsTests), stayed.filter(holdsTests)).map((line) => issueAt(line, "a test is skipped"));
}

/**
 * Files with new tests but no assertions, and files from which assertions were removed. A test whose first line was changed (made `async`,
 * given a fixture) is not new: its assertions may be in unchanged lines.
 */
export function emptyTests({ added, removed, moved }: Pick<Artifact, "added" | "removed" | "moved">): string[] {
  const paths = new Map(moved.map(({ from, to }) => [from, to]));
  const before = removed.map((line) => ({ ...line, path: paths.get(line.path) ?? line.path }));
  const files = newTests(added, before);
  const begun = new Set<string>();
  const looking = new Set<string>();
  const written = new Set<string>();
  for (const line of added) {
    if (begins(line)) begun.add(line.path);
    if (begun.has(line.path) && mayPanic(line)) looking.add(line.path);
    if (!mayAssert(line) || bringsIn(line)) continue;
    written.add(line.path);
    // A helper of the tests may stand above them, but not in the source under test (Rust).
    if (begun.has(line.path) || isTestFile(line.path)) looking.add(line.path);
  }
  const gone = newTests(before, added);
  const weakened = new Map<string, Line>();
  for (const [index, line] of removed.entries()) {
    const { path } = before[index] ?? line;
    // New and removed tests are reported elsewhere.
    if (!holdsTests(line) || !asserts(line) || written.has(path) || files.has(path) || gone.has(path)) continue;
    if (!weakened.has(path)) weakened.set(path, line);
  }
  return [
    ...[...files.values()]
      .filter(({ path }) => !looking.has(path))
      .map((first) => issueAt(first, "tests that assert nothing")),
    ...[...weakened.values()].map((line) => issueAt(line, "an assertion was taken out")),
  ];
}

/**
 * For each file with more test starts in `lines` than in `others`, the first surplus one. Tests are matched by name first; the rest are
 * matched by number.
 */
function newTests(lines: readonly Line[], others: readonly Line[]): ReadonlyMap<string, Line> {
  const named = new Map<string, number>();
  const left = new Map<string, number>();
  const plus = (counted: Map<string, number>, key: string, more: number): void => {
    counted.set(key, (counted.get(key) ?? 0) + more);
  };
  for (const [{ path }, name] of namesOf(others)) {
    plus(named, `${path}: ${name}`, 1);
    plus(left, path, 1);
  }
  const unnamed: Line[] = [];
  for (const [line, name] of namesOf(lines)) {
    const key = `${line.path}: ${name}`;
    if ((named.get(key) ?? 0) === 0) unnamed.push(line);
    else {
      plus(named, key, -1);
      plus(left, line.path, -1);
    }
  }
  const found = new Map<string, Line>();
  for (const line of unnamed) {
    if ((left.get(line.path) ?? 0) > 0) plus(left, line.path, -1);
    else if (!found.has(line.path)) found.set(line.path, line);
  }
  return found;
}

/**
 * True when a change should contain tests and does not. An assertion counts as a test, because frameworks start tests in more ways than are
 * known here. Additions to an existing test, a fixture or a helper need not start one.
 */
export function lacksTests({ added, removed, changed }: Artifact): boolean {
  if (removed.length > 0) return false;
  if (added.some(isTestLine) || callsTestLibrary(added)) return false;
  if (changed === undefined) return true;
  const isNew = (path: string): boolean =>
    !changed.has(path) && isRunnable(path) && isProgram(path) && !isNamedHelper(path) && !isPage(path);
  const written = added.filter(({ path }) => isNew(path));
  return written.length > 0;
}

/** Helpers with names like tests; benchmarks only measure. */
const isNamedHelper = globMatcher(
  [
    "**/{test,spec}{_,-}{helper,helpers,util,utils,support,common,base,data}.*",
    "**/{test,tests,__tests__,spec}/**/{setup,teardown,helper,helpers,util,utils,support,common,handlers,server,factory,factories}.*",
    "**/{testcase.php,abstract*test.*,abstract*tests.*,export_test.go,*{_,-}bench{,mark}_test.*}",
  ],
  "any-case",
);

/** True for source with a name like a test: `app/tests/page.tsx`, `app/models/test_result.rb`. */
function isPage(path: string): boolean {
  return isBelowSource(path) && !isNamedTest(path);
}

const isNamedTest = globMatcher([
  "**/*{.,_,-}{test,tests,spec,specs,e2e,cy}.*",
  "**/*{Test,Tests,Spec,Specs,TestCase,IT}.*",
  "**/{test_*.py,tests.py}",
]);

function isTestLine(line: Line): boolean {
  return begins(line) || (holdsTests(line) && (mayAssert(line) || takesTests.test(line.text))) || isStep(line);
}

/** Calls that load tests from elsewhere: pytest-bdd's `scenarios("a.feature")`, Elixir's `doctest Shop`. */
const takesTests = /^\s{0,60}(?:scenarios\(|doctest\s{1,3}[A-Z])/;

/** A scenario in natural language, in any language: `Scenario: …`, `Szenario: …`. */
function isStep({ path, text }: Line): boolean {
  return path.endsWith(".feature") && /^\s{0,60}[^\s:#@][^:#]{0,60}:/.test(text);
}

/** True for an import. The name of an assertion in it asserts nothing. */
function bringsIn({ text }: Line): boolean {
  if (/^\s{0,60}(?:[\w$]{1,60}(?:\sas\s[\w$]{1,60})?\s{0,3},|(?:expect|assert)\s{0,20}$)/.test(text)) return true;
  const isImport =
    /^\s{0,60}(?:(?:import|from|alias|@import|#include)\b|(?:pub\s)?use\s[\w:{]|using\s(?!var\b|\())/.test(text) ||
    /\brequire\(\s{0,3}["'`]/.test(text);
  // Code after the import on the same line still counts.
  return isImport && !/;\s{0,20}[^\s/]/.test(text);
}

function holdsTests({ path }: Line): boolean {
  return isTestFile(path) || path.endsWith(".rs");
}

function begins(line: Line): boolean {
  return holdsTests(line) && [beginning, begunByMacro, begunOtherwise].some((each) => each.test(line.text));
}

/** The first lines of tests and their names: the first string, or the name of the function, which may be on a following line. */
function namesOf(lines: readonly Line[]): Map<Line, string> {
  const names = new Map<Line, string>();
  for (const [index, line] of lines.entries()) {
    if (!begins(line)) continue;
    const isAlone = /^\s{0,60}(?:@|#?\[)/.test(line.text);
    const next = isAlone
      ? lines
          .slice(index + 1, index + 6)
          .find((each) => each.path === line.path && /\b(?:fn|fun|func|void|def|Task)\s/.test(each.text))
      : undefined;
    names.set(line, nameOf(next ?? line));
  }
  return names;
}

function nameOf({ text }: Line): string {
  const named =
    /["'`]([^"'`]{1,300})/.exec(text)?.[1] ??
    /\b(?:fn|fun|func|function|void|def|Task)\s{1,3}(\w{1,200})/.exec(text)?.[1];
  return named ?? text.trim();
}
