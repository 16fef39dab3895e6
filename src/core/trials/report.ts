import { missingIn } from "./missing.ts";
import { phpUnitIn } from "./php-report.ts";
import { failedTestNames, notOkIn } from "./failed-names.ts";
import { rubyCountsIn } from "./ruby-report.ts";

/** What a test runner said of its tests: read from a JUnit file, else from the summaries in its output. */

export interface NamedTest {
  readonly name: string;
  readonly outcome: "passed" | "failed" | "skipped";
  /** What its failure says that is not there, such as a function; results that were kept before that was read have none. */
  readonly missing?: string;
}

export type TestReport =
  | { readonly type: "names"; readonly tests: readonly NamedTest[] }
  /** The runner gives numbers, and may name what failed; results that were kept before that was read have no names. */
  | CountedTests;

interface CountedTests {
  readonly type: "counts";
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failing?: readonly string[];
  /** What TAP names as failed: it shows that the same failed twice, and is no title by which a file is found. */
  readonly notOk?: readonly string[];
  /** Whether the output says of something that it is not there; results that were kept before that was read do not say. */
  readonly lacks?: boolean;
  /** How many tests each of several runners ran, in their order; left out where there was one. */
  readonly runs?: readonly number[];
}

/** The tests of a report that ended so; empty where no names are known. */
export function namesOf(report: TestReport | null, outcome: "passed" | "failed"): string[] {
  return report?.type === "names" ? report.tests.flatMap((test) => (test.outcome === outcome ? [test.name] : [])) : [];
}

/** More tests than that are not read. */
const mostNames = 20_000;
/** Suites within more suites than that are not named, and of a name so many characters are read. */
const mostSuites = 20;
const longestName = 1_000;

/**
 * The tests of a JUnit file, by the names of their suites and their own; null when it holds none. `place` is where they ran:
 * a runner gives a file without tests as one, by its path, which is another one each time. Linear in the text.
 */
export function readJunit(text: string, place: string): TestReport | null {
  const tests: NamedTest[] = [];
  const suites: string[] = [];
  let depth = 0;
  const times = new Map<string, number>();
  let open: string | null = null;
  let outcome: NamedTest["outcome"] = "passed";
  let missing: string | null = null;

  function keep(name: string): void {
    const before = times.get(name) ?? 0;
    times.set(name, before + 1);
    const wants = missing === null ? {} : { missing };
    tests.push({ name: before === 0 ? name : `${name} #${before + 1}`, outcome, ...wants });
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
      open = [...suites.filter((suite) => suite !== "pytest"), ...classOf(attributes("classname")), attributes("name")]
        .join(" > ")
        .replaceAll(`${place}/`, "")
        .slice(0, longestName);
      if (isEmpty) keep(open);
    } else if (open !== null && name === "skipped") outcome = "skipped";
    else if (open !== null && !isEnd && (name === "failure" || name === "error")) {
      outcome = "failed";
      missing ??= missingIn(attributes("message"));
    }
  }
  return tests.length === 0 ? null : { type: "names", tests };
}

/** pytest says module and class, which moves with its file; node says "test". The class alone is a part of the name. */
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

/** A `>` within quotes is none; comments and CDATA end where they say. */
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

/** How much of an output's end is looked at for summaries. */
const longestSummaries = 1_000_000;

/**
 * What runners printed at their ends, without escape sequences, all of them together: a command may start several, one after the
 * other, and ends with the first that fails. Null when none is known. Linear in the text.
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

/** vitest, jest, pytest, cargo and unittest say all in a line; mocha, node and TAP in several. */
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

/** A test's own title, without its suites, its number and the values that a runner adds. */
export function titleOf(name: string): string {
  const last = name.split(" > ").at(-1) ?? name;
  const bracket = last.indexOf("[");
  return (bracket > 2 ? last.slice(0, bracket) : last).replace(/ #\d{1,6}$/, "");
}
