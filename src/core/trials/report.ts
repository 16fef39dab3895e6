import { missingIn } from "./missing.ts";
import { phpUnitIn } from "./php-report.ts";
import { failedTestNames, notOkIn } from "./failed-names.ts";
import { rubyCountsIn } from "./ruby-report.ts";

/** Reads the report of a test runner: from a JUnit file, else from the summaries in its output. */

export interface NamedTest {
  readonly name: string;
  readonly outcome: "passed" | "failed" | "skipped";
  /** The name that its failure reports as missing, such as a function. Left out in results stored by an older version. */
  readonly missing?: string;
  /** True when it stands for a file that could not be loaded, so that its tests are not known. Left out otherwise. */
  readonly isUnloaded?: true;
}

export type TestReport =
  | { readonly type: "names"; readonly tests: readonly NamedTest[] }
  /** The runner gives numbers, and may name failed tests. Results stored by an older version have no names. */
  | CountedTests;

interface CountedTests {
  readonly type: "counts";
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failing?: readonly string[];
  /** Failures as TAP names them. They show that the same test failed twice, but are no titles by which a file can be found. */
  readonly notOk?: readonly string[];
  /** True when the output reports a missing name. Left out in results stored by an older version. */
  readonly lacks?: boolean;
  /** Number of tests that each of several runners ran, in their order; left out when there was one. */
  readonly runs?: readonly number[];
}

/** Names of the tests of a report with this outcome; empty when no names are known. */
export function namesOf(report: TestReport | null, outcome: "passed" | "failed"): string[] {
  return report?.type === "names" ? report.tests.flatMap((test) => (test.outcome === outcome ? [test.name] : [])) : [];
}

/** The name that node gives to a file that it could not load, and vitest below the file's own suite. pytest says so in a message. */
const namesFile = /^(?:([\w@./-]{1,500}) > \1|[\w@./-]{1,1000})(?<=\.[cm]?[jt]sx?)$/;

/** Maximum number of tests that are read. */
const mostNames = 20_000;
/** Maximum depth of suites that are named, and maximum number of characters of a name. */
const mostSuites = 20;
const longestName = 1_000;

/**
 * Reads the tests of a JUnit file, named by their suites and their own names; null when it contains none. `place` is the folder where they
 * ran. Some runners report a file without tests as one test, named by its path, and the path differs in each run. Linear in the text.
 */
export function readJunit(text: string, place: string): TestReport | null {
  const tests: NamedTest[] = [];
  const suites: string[] = [];
  let depth = 0;
  const times = new Map<string, number>();
  let open: string | null = null;
  let outcome: NamedTest["outcome"] = "passed";
  let missing: string | null = null;
  let isUnloaded = false;

  function keep(name: string): void {
    const before = times.get(name) ?? 0;
    times.set(name, before + 1);
    const wants = missing === null ? {} : { missing };
    const unloaded = outcome === "failed" && (isUnloaded || namesFile.test(name)) ? { isUnloaded: true as const } : {};
    tests.push({ name: before === 0 ? name : `${name} #${before + 1}`, outcome, ...wants, ...unloaded });
    open = null;
  }

  for (const { name, isEnd, isEmpty, attributes } of elementsOf(text)) {
    if (tests.length >= mostNames) break;
    if (name === "testsuite" && isEnd) {
      if (depth <= mostSuites) suites.pop();
      depth = Math.max(0, depth - 1);
    } else if (name === "testsuite" && !isEmpty) {
      depth += 1;
      if (depth <= mostSuites) suites.push(attributes("name"));
    } else if (name === "testcase" && isEnd) {
      if (open !== null) keep(open);
    } else if (name === "testcase") {
      outcome = "passed";
      missing = null;
      isUnloaded = false;
      open = [...suites.filter((suite) => suite !== "pytest"), ...classOf(attributes("classname")), attributes("name")]
        .join(" > ")
        .replaceAll(`${place}/`, "")
        .slice(0, longestName);
      if (isEmpty) keep(open);
    } else if (open !== null && name === "skipped") outcome = "skipped";
    else if (open !== null && !isEnd && (name === "failure" || name === "error")) {
      outcome = "failed";
      missing ??= missingIn(attributes("message"));
      isUnloaded ||= attributes("message") === "collection failure";
    }
  }
  return tests.length === 0 ? null : { type: "names", tests };
}

/** pytest gives module and class, but the module moves with its file; node gives "test". Only the class becomes a part of the name. */
function classOf(classname: string): string[] {
  return classname.split(".").filter((part) => /^[A-Z]/.test(part));
}

interface Element {
  readonly name: string;
  readonly isEnd: boolean;
  readonly isEmpty: boolean;
  /** An attribute's text; empty when it has none of that name. */
  readonly attributes: (name: string) => string;
}

function* elementsOf(text: string): Generator<Element> {
  for (let start = text.indexOf("<"); start !== -1; ) {
    const end = endOfTag(text, start);
    if (end === -1) return;
    const inside = text.slice(start + 1, end);
    const isEnd = inside.startsWith("/");
    const name = /^\/?([a-z]+)/.exec(inside)?.[1] ?? "";
    yield { name, isEnd, isEmpty: inside.endsWith("/"), attributes: (wanted) => attributeIn(inside, wanted) };
    start = text.indexOf("<", end + 1);
  }
}

/** The end of a tag. A `>` within quotes does not end it; comments and CDATA have their own end marks. */
function endOfTag(text: string, start: number): number {
  if (text.startsWith("<!--", start)) return behind(text, "-->", start);
  if (text.startsWith("<![CDATA[", start)) return behind(text, "]]>", start);
  let isQuoted = false;
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === ">" && !isQuoted) return at;
  }
  return -1;
}

function behind(text: string, mark: string, start: number): number {
  const at = text.indexOf(mark, start);
  return at === -1 ? -1 : at + mark.length - 1;
}

function attributeIn(inside: string, name: string): string {
  const start = inside.indexOf(` ${name}="`);
  if (start === -1) return "";
  const from = start + name.length + 3;
  const end = inside.indexOf('"', from);
  const text = inside.slice(from, end === -1 ? undefined : end).slice(0, longestName);
  // Node escapes twice.
  return text
    .replaceAll("&amp;", "&")
    .replace(/&(lt|gt|quot|apos);/g, (_all, entity: string) => entities[entity] ?? "");
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'" };

/** Number of characters at the end of an output that are searched for summaries. */
const longestSummaries = 1_000_000;

/**
 * The sum of all summaries in an output without escape sequences. A command may start several runners one after the other, and ends with
 * the first that fails. Null when there is no known summary. Linear in the text.
 */
export function readSummary(output: string): CountedTests | null {
  const lines = output.slice(-longestSummaries).split("\n");
  let sum: CountedTests | null = null;
  const runs: number[] = [];
  let last = 0;
  for (const [at, line] of lines.entries()) {
    const found = countsIn(line.slice(0, 300), lines.slice(Math.max(0, at - 6), at + 7));
    if (found === null) continue;
    sum = sum === null ? found : plus(sum, found);
    runs.push(found.passed + found.failed);
    last = at;
  }
  if (sum === null) return null;
  const before = lines.slice(0, last);
  const failing = [...new Set(before.flatMap(failedTestNames))].slice(0, mostFailing);
  const notOk = [...new Set(notOkIn(before))].slice(0, mostFailing);
  return {
    ...sum,
    ...(runs.length < 2 ? {} : { runs }),
    ...(failing.length === 0 ? {} : { failing }),
    ...(notOk.length === 0 ? {} : { notOk }),
    ...(sum.failed === 0 ? {} : { lacks: lines.some((line) => missingIn(line) !== null) }),
  };
}

function plus(one: CountedTests, other: CountedTests): CountedTests {
  return counts(one.passed + other.passed, one.failed + other.failed, one.skipped + other.skipped);
}

const mostFailing = 50;

/** vitest, jest, pytest, cargo and unittest print all numbers in one line; mocha, node and TAP in several. */
function countsIn(line: string, around: readonly string[]): CountedTests | null {
  const near = (pattern: RegExp): number => numberIn(around.find((each) => pattern.test(each)) ?? "", pattern);
  const ofPhpUnit = phpUnitIn(line);
  if (ofPhpUnit !== null) return counts(...ofPhpUnit);
  const ofRuby = rubyCountsIn(line);
  if (ofRuby !== null) return counts(...ofRuby);
  if (/^\s{0,8}Tests:?\s{1,8}\d/.test(line) || /\d passed\b.{0,80} in \d|\d failed\b.{0,80} in \d/.test(line))
    return counts(
      numberIn(line, /(\d{1,9}) passed/),
      numberIn(line, /(\d{1,9}) failed/),
      numberIn(line, /(\d{1,9}) (?:skipped|todo|ignored)/),
    );
  if (/^\s{0,8}\d+ passing\b/.test(line))
    return counts(
      numberIn(line, /(\d{1,9}) passing/),
      near(/^\s{0,8}(\d{1,9}) failing/),
      near(/^\s{0,8}(\d{1,9}) pending/),
    );
  // node's, and TAP's as tape and tap write it.
  if (/^. pass {1,2}\d+$/.test(line))
    return counts(
      numberIn(line, /pass {1,2}(\d{1,9})/),
      near(/^. fail {1,2}(\d{1,9})$/),
      near(/^. skip(?:ped)? {1,2}(\d{1,9})$/),
    );
  if (!/^Ran \d+ tests? in/.test(line)) return null;
  const verdict = around.find((each) => /^(?:OK|FAILED)\b/.test(each)) ?? "";
  const failed = numberIn(verdict, /failures=(\d{1,9})/) + numberIn(verdict, /errors=(\d{1,9})/);
  const skipped = numberIn(verdict, /skipped=(\d{1,9})/);
  return counts(numberIn(line, /^Ran (\d{1,9})/) - failed - skipped, failed, skipped);
}

function counts(passed: number, failed: number, skipped: number): CountedTests {
  return { type: "counts", passed, failed, skipped };
}

function numberIn(line: string, pattern: RegExp): number {
  return Number(pattern.exec(line)?.[1] ?? 0);
}

/** The title of a test, without its suites, its number and the values that a runner appends. */
export function titleOf(name: string): string {
  const last = name.split(" > ").at(-1) ?? name;
  const bracket = last.indexOf("[");
  return (bracket > 2 ? last.slice(0, bracket) : last).replace(/ #\d{1,6}$/, "");
}
