import { moreOf } from "./more-of.ts";
import { type RustItem, itemsOf, namesGivenBy, usedBy, wordTokens } from "./rust-items.ts";
import { piecesOf } from "./tokens.ts";

/**
 * Tests that lie in a source of Rust. One that has the same lines may still be another test: an attribute before it, a line more in it,
 * a comment around it, a function of its own name beside it. So whole items are compared, with what they lie in (F-201).
 */

/**
 * Lines by which the tests of a base's source are others in the work's: of tests that are gone or changed, of what gives another meaning
 * to a name in them, of examples in its documentation, and what makes it another one in tests than in use.
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
    ...moreOf(text.match(otherwise) ?? [], before.match(otherwise) ?? []),
    ...moreOf(nestedIn(text), nestedIn(before)),
  ];
}

/** What is another one in tests than in use, or leaves out the whole file. */
const otherwise =
  /\bcfg!\s{0,5}\([^)]{0,200}\btest\b\)?|\bcfg(?:_attr)?\s{0,5}\([^)]{0,200}\bnot\s{0,5}\(\s{0,5}test\b\)?|#!\[\s{0,5}cfg\b[^\]]{0,200}\]/g;

function textOf({ text }: RustItem): string {
  return text;
}

/** Lines by which what is gone is told: those that are gone, else those that came, else where it was. */
function changedLines(gone: readonly RustItem[], came: readonly RustItem[]): readonly string[] {
  if (gone.length === 0) return [];
  const before = gone.flatMap(({ lines }) => lines);
  const now = came.flatMap(({ lines }) => lines);
  return [linesGone(before, now), linesGone(now, before), before.slice(0, 1)].find(({ length }) => length > 0) ?? [];
}

/** Those of the items that came which are called as one that is gone. */
function namesakes(gone: readonly RustItem[], fresh: readonly RustItem[]): readonly RustItem[] {
  const names = new Set(gone.flatMap(namesGivenBy));
  return fresh.filter((item) => item.isTest && namesGivenBy(item).some((each) => names.has(each)));
}

/** Macros of the language by which tests compare. */
const comparing = new Set(
  "assert assert_eq assert_ne debug_assert debug_assert_eq debug_assert_ne matches panic unreachable".split(" "),
);

/**
 * Whether an item that came gives a meaning to a name which tests that were there use: what lies beside them, and a macro, goes before
 * what they take from elsewhere.
 */
function redefines(item: RustItem, used: ReadonlySet<string>): boolean {
  const names = namesGivenBy(item);
  const words = wordTokens(item.tokens);
  const isMacro = words.includes("macro_rules");
  if ((isMacro || words.includes("use")) && names.some((each) => comparing.has(each))) return true;
  return (item.isTest || isMacro) && names.some((each) => used.has(each));
}

/** Examples in documentation, which are run as tests, each whole with what its fence says. */
function examplesIn(text: string): readonly RustItem[] {
  const found: string[][] = [];
  let open: string[] | null = null;
  for (const line of text.split("\n")) {
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

/** Comments in which another one begins: Rust ends them later than others do. */
function nestedIn(text: string): readonly string[] {
  return piecesOf(text, "lib.rs").comments.flatMap((each) => {
    const isNested = each.text.startsWith("/*") && each.text.includes("/*", 2);
    return isNested ? [each.text.split("\n", 1)[0] ?? ""] : [];
  });
}

/** Lines with more than brackets that the others have not as often. */
function linesGone(before: readonly string[], now: readonly string[]): readonly string[] {
  return moreOf(before, now).filter((line) => /\w/.test(line));
}
