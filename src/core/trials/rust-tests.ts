import { moreOf } from "./more-of.ts";
import { type RustItem, itemsOf, namesGivenBy, quotedLines, usedBy, wordTokens } from "./rust-items.ts";
import { piecesOf } from "./tokens.ts";

/**
 * Tests inside Rust source. A test with the same lines may still be another test: through an attribute before it, an added line, a comment
 * around it, or a function of the same name beside it. So whole items are compared, with what is around them (F-201).
 */

/**
 * Lines that show that the tests in the base's source differ in the work's: of removed or changed tests, of items that give a name in them
 * another meaning, of documentation examples, and of conditions that make source differ between tests and use.
 */
export function rustTestsOtherNow(text: string, before: string): string[] {
  const [now, was] = [itemsOf(text), itemsOf(before)];
  const fresh = moreOf(now, was, textOf);
  const gone = moreOf(was, now, textOf).filter(({ isTest }) => isTest);
  const used = usedBy(moreOf(was, gone, textOf).filter(({ isTest }) => isTest));
  const [examples, examplesBefore] = [examplesIn(text), examplesIn(before)];
  const goneExamples = moreOf(examplesBefore, examples, textOf);
  return [
    ...changedLines(gone, namesakes(gone, fresh)),
    ...changedLines(goneExamples, moreOf(examples, examplesBefore, textOf)),
    ...fresh.filter((item) => redefines(item, used)).map(({ lines }) => lines[0] ?? ""),
    ...moreOf(conditionsIn(text), conditionsIn(before)),
    ...moreOf(nestedIn(text), nestedIn(before)),
  ];
}

/** Conditions that make source differ between tests and use, or that leave out the whole file. */
const otherwise =
  /\bcfg!\s{0,5}\([^)]{0,200}\btest\b\)?|\bcfg(?:_attr)?\s{0,5}\([^)]{0,200}\bnot\s{0,5}\(\s{0,5}test\b\)?|#!\[\s{0,5}cfg\b[^\]]{0,200}\]/g;

function conditionsIn(text: string): readonly string[] {
  return text.replaceAll(commentLines, "").match(otherwise) ?? [];
}

/** A line that only comments; not one in which a comment of several lines ends. */
const commentLines = /^[ \t]{0,100}\/\/(?!.*\*\/).*$/gm;

function textOf({ text }: RustItem): string {
  return text;
}

/** The removed lines; if there are none, the added lines; if there are none, the first line of the old items. */
function changedLines(gone: readonly RustItem[], came: readonly RustItem[]): readonly string[] {
  if (gone.length === 0) return [];
  const before = gone.flatMap(({ lines }) => lines);
  const now = came.flatMap(({ lines }) => lines);
  return [linesGone(before, now), linesGone(now, before), before.slice(0, 1)].find(({ length }) => length > 0) ?? [];
}

/** The new test items that have the name of a removed one. */
function namesakes(gone: readonly RustItem[], fresh: readonly RustItem[]): readonly RustItem[] {
  const names = new Set(gone.flatMap(namesGivenBy));
  return fresh.filter((item) => item.isTest && namesGivenBy(item).some((each) => names.has(each)));
}

/** Macros of the language that tests compare with. */
const comparing = new Set(
  "assert assert_eq assert_ne debug_assert debug_assert_eq debug_assert_ne matches panic unreachable".split(" "),
);

/**
 * True when a new item gives another meaning to a name that existing tests use. A neighbouring item and a macro take precedence over
 * imported names.
 */
function redefines(item: RustItem, used: ReadonlySet<string>): boolean {
  const names = namesGivenBy(item);
  const words = wordTokens(item.tokens);
  const isMacro = words.includes("macro_rules");
  if ((isMacro || words.includes("use")) && names.some((each) => comparing.has(each))) return true;
  return (item.isTest || isMacro) && names.some((each) => used.has(each));
}

/** Documentation examples, which run as tests: each whole, with the words of its fence. */
function examplesIn(text: string): readonly RustItem[] {
  const found: string[][] = [];
  let open: string[] | null = null;
  const quoted = quotedLines(text);
  for (const [at, line] of text.split("\n").entries()) {
    if (quoted.has(at)) continue;
    const said = /^\s*\/\/[/!]\s?(.*)$/.exec(line)?.[1]?.trim() ?? null;
    const isFence = said?.startsWith("```") === true;
    if (said !== null && open !== null && !isFence) open.push(said);
    else if (isFence && open === null) {
      open = [said];
      found.push(open);
    } else open = null;
  }
  return found.map((lines) => ({ text: lines.join("\n"), lines, tokens: [], isTest: true }));
}

/** Comments that contain the start of another comment: Rust nests comments, so they end later than in other languages. */
function nestedIn(text: string): readonly string[] {
  return piecesOf(text, "lib.rs").comments.flatMap((each) => {
    const isNested = each.text.startsWith("/*") && each.text.includes("/*", 2);
    return isNested ? [each.text.split("\n", 1)[0] ?? ""] : [];
  });
}

/** Lines with more than brackets that occur less often in `now`. */
function linesGone(before: readonly string[], now: readonly string[]): readonly string[] {
  return moreOf(before, now).filter((line) => /\w/.test(line));
}
