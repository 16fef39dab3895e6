import { moreOf } from "./more-of.ts";
import { looksLikeTest, testSigns, type WrittenTest } from "./test-looks.ts";
import { namesOf, type TestReport, titleOf } from "./report.ts";

/**
 * Tests that lie in the source that they test, in any language (F-201): pytest's where it collects from every file, and those of Node,
 * vitest, Zig, D and xUnit. A test is recognised by its first line and ends with its indentation.
 */

/** What the work changed in these tests. */
export interface OwnTests {
  /** Lines that the work removed from the base's tests, or added to them; empty when they are unchanged. */
  readonly lines: readonly string[];
  /** The titles of the base's tests; empty when they are not known. */
  readonly titles: readonly string[];
}

/** First lines of tests, and of code that runs around each test, by file extension. */
export const beginnings: readonly (readonly [RegExp, RegExp])[] = [
  [/\.pyi?$/i, /^(?:async )?def (?:test|setup|setUp|teardown)\w*\s?\(|^if __name__ ==/],
  [
    /\.(?:[cm]?[jt]sx?|dart|vue|svelte)$/i,
    /^(?:if \(import\.meta\.vitest\).{0,200}\b)?(?:\w{4,5} |Deno\.)?(?:(?:test|it|bench)(?:\.\w{1,20}){0,3}\s?[(`]|(?:before|after)(?:Each|All)?\()/,
  ],
  [/\.zig$/i, /^test\b/],
  [/\.d$/i, /^(?:@\w+ |pure |nothrow )*unittest\b/],
  [/\.(?:rkt|scm|ss)$/i, /^\((?:check|test)-\S/],
  [/\.(?:ml|re)$/i, /^let%(?:test|expect_test|bench)/],
  [/\.(?:rb|cr)$/i, /^(?:def test_\w|(?:it|test|specify) ["'])/],
  [/\.(?:exs?|nim|gleam)$/i, /^(?:test "|pub fn \w+_test\()/],
  [/\.jl$/i, /^@test(?:set)?\b/],
  [/\.ps1$/i, /^It\s["']/i],
  [
    /\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx|m|mm)$/i,
    /^(?:TEST(?:_F|_P|_CASE|_METHOD)?|SCENARIO|DOCTEST_TEST_CASE|BOOST_AUTO_TEST_CASE)\s?\(|^(?:static )?(?:void|int|bool) test_?\w*\s?\(/,
  ],
  [
    /\.(?:cs|fs|vb|java|kts?|scala|groovy|swift|php)$/i,
    /^(?:\[(?:Fact|Theory|Test|TestMethod|TestCase)\b|@(?:Test|ParameterizedTest)\b|#\[(?:Test|DataProvider)\b|(?:public )?func(?:tion)? test\w*\s?\()/,
  ],
];

/** Examples in documentation that tools run: how their lines begin after the comment mark. */
const examples = /^(?:>>>|\.\.\.>|prop>|iex(?:\(\d{1,4}\))?>)/;
const exampleFiles = /\.(?:exs?|l?hs|jl)$/i;

/** A test without a name: an assertion at the top level of the file. */
const bare = /^(?:assert\b|console\.assert\()/;

/** Code that runs before and after each test. */
const hooks = /^(?:(?:async )?def (?:setup|setUp|teardown|tearDown)|(?:before|after)(?:Each|All)?\()/;

/** Matches the title of a test. An ordinary function of the same name (`test(…)`) has no string as its first argument. */
const title =
  /^(?:async )?def (\w{1,100})|func(?:tion)? (\w{1,100})|^[^"'`(]{0,80}(?:\([^"'`]{0,80})?["'`]([^"'`\n]{1,200})["'`]/;

/** Values beside tests that the tests compare with. */
const tables =
  /^(?:(?:export )?(?:const|let|var|static|final) )?(\w{0,60}(?:case|example|expect|want|golden|sample)\w{0,60})\s?(?::[^=]{1,80})?=/i;

/** Functions beside tests that compare for them. */
const functions =
  /^(?:export )?(?:(?:async )?def|(?:async )?function|fn|func|(?:static )?(?:void|int|bool)|const|let) (\w{1,100})\s?(?:\(|=)/;

/** Compares the tests in the base's source with those in the work's. */
export function ownTestsOtherNow(path: string, text: string, before: string | null): OwnTests {
  const none = { lines: [], titles: [] };
  const begins = beginnings.find(([ending]) => ending.test(path))?.[1] ?? null;
  if (before === null || (begins === null && !exampleFiles.test(path))) return none;
  const was = blocksIn(path, before, begins);
  const now = blocksIn(path, text, begins);
  const gone = moreOf(was, now, textOf);
  if (gone.length === 0) return none;
  const fresh = moreOf(now, was, textOf);
  const titles = was.flatMap(titlesIn);
  return { lines: changedLines(gone.flat(), fresh.flat()), titles };
}

/** True when a proof runs these tests: the command names the file, one of their titles ran, or no report names what ran. */
export function runsOwnTests(
  { path, titles }: { readonly path: string; readonly titles: readonly string[] },
  command: string,
  reports: readonly (TestReport | null)[],
): boolean {
  if (command.includes(path)) return true;
  const ran = reports.flatMap((report) => [...namesOf(report, "passed"), ...namesOf(report, "failed")]).map(titleOf);
  return ran.length === 0 || titles.some((each) => ran.includes(each));
}

/** The lines of a test, without indentation. */
type Block = readonly string[];

function blocksIn(path: string, text: string, begins: RegExp | null): Block[] {
  const lines = text.slice(0, longest).split("\n");
  const tests: Block[] = [];
  const near: { readonly said: string; readonly block: Block }[] = [];
  const signs = testSigns(text);
  for (const [at, line] of lines.entries()) {
    const said = line.trimStart().slice(0, 400);
    const isNear = [hooks, tables, functions].some((each) => each.test(said));
    const isTest = begins?.test(said) === true || (bare.test(said) && begins !== null && depthOf(line) === 0);
    if (!isNear && !isTest) continue;
    const block = blockAt(lines, at);
    if (isTest && !hooks.test(said) && isAlive({ said, block, isMethod: depthOf(line) > 0, signs })) tests.push(block);
    else near.push({ said, block });
  }
  const used = new Set(tests.flat().flatMap((line) => line.match(/\w{1,100}/g) ?? []));
  const isUsed = (said: string, of: RegExp): boolean => used.has(of.exec(said)?.[1] ?? "");
  const beside = near.flatMap(({ said, block }) => {
    const asserts = block.some((line) => /\b(?:assert|expect)/i.test(line));
    return hooks.test(said) || isUsed(said, tables) || (asserts && isUsed(said, functions)) ? [block] : [];
  });
  return [...tests, ...(tests.length === 0 ? [] : beside), ...(exampleFiles.test(path) ? examplesIn(lines) : [])];
}

/** Maximum number of characters that are read. */
const longest = 500_000;

/**
 * False for an ordinary call of a function with such a name, for a function that asserts nothing, and for a main part without an
 * assertion.
 */
function isAlive(written: WrittenTest): boolean {
  const { said, block } = written;
  if (said.startsWith("if __name__")) return block.some((line) => /^assert\b/.test(line));
  if (/^(?:\w{4,5} |Deno\.)?(?:test|it|bench)\b[(.`\s]/.test(said)) return titlesIn(block).length > 0;
  return looksLikeTest(written) ?? true;
}

/** The lines from the annotations before a line to the end of the block that it begins, by indentation. */
function blockAt(lines: readonly string[], start: number): Block {
  const { from, end } = rangeAt(lines, start);
  return lines.slice(from, end).flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
}

/** Like `blockAt`, but returns line numbers. */
export function rangeAt(lines: readonly string[], start: number): { readonly from: number; readonly end: number } {
  const depth = depthOf(lines[start] ?? "");
  let end = start + 1;
  let isHead = marks.test(lines[start]?.trim() ?? "");
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? "";
    const said = line.trim();
    if (said === "" || depthOf(line) > depth) continue;
    if (depthOf(line) < depth) break;
    if (isHead) isHead = marks.test(said);
    else if (/^[})\]]|^end\b/.test(said)) {
      if (/[{([:]$|=>$/.test(said)) continue;
      end += 1;
      break;
    } else if (!said.startsWith("{")) break;
  }
  return { from: marksBefore(lines, start, depth), end };
}

/** Annotations: `@Test`, `[Fact]`, `#[Test]`, `@pytest.mark.skip`. */
const marks = /^(?:@\w|\[\w|#\[)/;

/** The first line of the annotations before a line; one annotation may span several lines. */
function marksBefore(lines: readonly string[], start: number, depth: number): number {
  let from = start;
  for (let at = start - 1; at >= 0 && start - at < longestMarks; at -= 1) {
    const line = lines[at] ?? "";
    if (line.trim() === "" || depthOf(line) < depth) break;
    if (depthOf(line) > depth || /^[)\]]/.test(line.trim())) continue;
    if (!marks.test(line.trim())) break;
    from = at;
  }
  return from;
}

const longestMarks = 200;

function depthOf(line: string): number {
  return line.length - line.trimStart().length;
}

function examplesIn(lines: readonly string[]): Block[] {
  const found: string[][] = [];
  let isOpen = false;
  for (const line of lines) {
    const said = line.trim().replace(/^(?:--|\/\/|#)\s?\|?\s*/, "");
    const isExample = examples.test(said);
    if (isExample && !said.startsWith("...>")) found.push([]);
    isOpen = isExample || (isOpen && said !== "" && !said.startsWith('"""'));
    if (isOpen) found.at(-1)?.push(said);
  }
  return found;
}

/** The title of a test; empty when it has none. */
export function titlesIn(block: Block): string[] {
  const at = Math.max(
    0,
    block.findIndex((line) => !/^(?:[@[(\])#]|["'\d])/.test(line)),
  );
  const found = title.exec(block.slice(at).join("\n").slice(0, 600));
  const [said] = found?.slice(1).filter((each) => each !== undefined) ?? [];
  return said === undefined ? [] : [said];
}

function textOf(block: Block): string {
  return block.join("\n");
}

/** The removed lines; if there are none, the added lines; if there are none, the first line of the old test. */
function changedLines(gone: readonly string[], came: readonly string[]): readonly string[] {
  const told = [moreOf(gone, came), moreOf(came, gone)].map((lines) => lines.filter((line) => /\w/.test(line)));
  return told.find(({ length }) => length > 0) ?? gone.slice(0, 1);
}
