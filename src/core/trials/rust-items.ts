import { piecesOf, type Token } from "./tokens.ts";

/** The items of a source of Rust: read without a grammar, linear in the text. */

/** An item: a function, a use, a part with others in it. */
export interface RustItem {
  /** The items around it, its attributes and its tokens. */
  readonly text: string;
  /** Its lines, as they are written. */
  readonly lines: readonly string[];
  readonly tokens: readonly Token[];
  /** True when the item exists only in tests. */
  readonly isTest: boolean;
}

/** `#[cfg(test)]`, `#[test]`, `#[tokio::test]`, as tokens. */
const beginning = /^# \[ (?:cfg \( (?:all \( )?test\b|(?:\w{1,40} : : )?(?:test|rstest)\b)/;

/** The items of a file, of its modules and impl blocks, and of calls of macros with tests in them, one after the other. */
export function itemsOf(source: string): readonly RustItem[] {
  const { tokens } = piecesOf(source, "lib.rs");
  const lines = source.split("\n");
  const ends = closings(tokens);
  const hasTest = testsIn(tokens);
  const found: RustItem[] = [];
  const parts = [{ from: 0, to: tokens.length, place: "", isTest: false }];
  // The array grows while it is iterated: inner parts are appended and read in their turn.
  for (const part of parts) {
    for (let at = part.from; at < part.to; ) {
      const { attributes, next: body } = attributesAt(tokens, at, ends);
      const { end, inner } = itemEnd(tokens, body, { to: part.to, ends });
      const isRule = tokens[body]?.text === "macro_rules" && hasTest(body, end);
      const isTest = part.isTest || isRule || attributes.some((each) => beginning.test(each));
      const calls = inner !== null && isCall(tokens, body, inner) && hasTest(inner, end);
      const opens = inner !== null && (calls || /^(?:mod|impl)$/.test(headWord(tokens, body, inner)));
      const within = inner === null ? end : inner + 1;
      // What holds for all tests in a call (`#![proptest_config(…)]`) belongs to what opens it.
      const first = calls ? innerAttributesEnd(tokens, within, ends) : within;
      const shown = tokens.slice(at, opens ? first : end);
      const text = `${part.place}${textOf(shown)}`;
      if (shown.length > 0) found.push({ text, lines: linesOf(shown, lines), tokens: shown, isTest });
      // The surroundings of test items are already compared by the item around them.
      const place = isTest ? "" : `${text} `.slice(-longestPlace);
      if (opens) parts.push({ from: first, to: end - 1, place, isTest });
      at = Math.max(end, at + 1);
    }
  }
  return found;
}

/** Maximum number of characters of the surroundings that are kept; the nearest are enough. */
const longestPlace = 2_000;

/** The token that closes each bracket, by the one that opens it. */
function closings(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (const [at, { type, text }] of tokens.entries()) {
    if (type === "string" || type === "word") continue;
    if ("([{".includes(text)) open.push(at);
    const begin = ")]}".includes(text) ? open.pop() : undefined;
    if (begin !== undefined) ends.set(begin, at);
  }
  return ends;
}

/** The attributes that begin there, each as its tokens, and what stands behind them. */
function attributesAt(
  tokens: readonly Token[],
  from: number,
  ends: ReadonlyMap<number, number>,
): { readonly attributes: readonly string[]; readonly next: number } {
  const attributes: string[] = [];
  let next = from;
  while (tokens[next]?.text === "#") {
    const bracket = tokens[next + 1]?.text === "!" ? next + 2 : next + 1;
    const end = ends.get(bracket);
    if (tokens[bracket]?.text !== "[" || end === undefined) break;
    attributes.push(textOf(tokens.slice(next, end + 1)));
    next = end + 1;
  }
  return { attributes, next };
}

/** What stands behind the attributes of the whole block (`#![…]`) that begin there. */
function innerAttributesEnd(tokens: readonly Token[], from: number, ends: ReadonlyMap<number, number>): number {
  let next = from;
  while (tokens[next]?.text === "#" && tokens[next + 1]?.text === "!") {
    const end = ends.get(next + 2);
    if (end === undefined) break;
    next = end + 1;
  }
  return next;
}

/** The token after an item, which ends with a semicolon or its braces, and the brace that opens its body; null when it has no braces. */
function itemEnd(
  tokens: readonly Token[],
  from: number,
  { to, ends }: { readonly to: number; readonly ends: ReadonlyMap<number, number> },
): { readonly end: number; readonly inner: number | null } {
  for (let at = from; at < to; at += 1) {
    const { type, text } = tokens[at] ?? { type: "sign", text: "" };
    if (type === "string" || type === "word") continue;
    if (text === ";") return { end: at + 1, inner: null };
    const end = ends.get(at);
    if (end === undefined) continue;
    if (text === "{") return { end: end + 1, inner: at };
    at = end;
  }
  return { end: to, inner: null };
}

/** True for `proptest! {`: a call of a macro that is an item itself. */
function isCall(tokens: readonly Token[], from: number, inner: number): boolean {
  const called = tokens.slice(from, Math.min(inner, from + longestAttribute));
  return tokens[inner - 1]?.text === "!" && called.every(({ type, text }) => type === "word" || /^[:!]$/.test(text));
}

/** Whether an attribute of tests is among the tokens from the one to before the other. */
function testsIn(tokens: readonly Token[]): (from: number, to: number) => boolean {
  const before = [0];
  for (const [at, { text }] of tokens.entries()) {
    const isTest = text === "#" && beginning.test(textOf(tokens.slice(at, at + longestAttribute)));
    before.push((before[at] ?? 0) + (isTest ? 1 : 0));
  }
  return (from, to) => (before[to] ?? 0) > (before[from] ?? 0);
}

/** Number of tokens of an attribute that are read. */
const longestAttribute = 8;

/** The lines, from 0, of code that `quote!` writes for others: what documents it there is no example of this crate. */
export function quotedLines(source: string): ReadonlySet<number> {
  const { tokens } = piecesOf(source, "lib.rs");
  const ends = closings(tokens);
  const lines = new Set<number>();
  for (const [at, { text }] of tokens.entries()) {
    if (!/^(?:parse_)?quote(?:_spanned)?$/.test(text) || tokens[at + 1]?.text !== "!") continue;
    const [first, last] = [tokens[at + 2], tokens[ends.get(at + 2) ?? -1]];
    if (first !== undefined && last !== undefined)
      for (let line = first.line + 1; line < last.line; line += 1) lines.add(line);
  }
  return lines;
}

/** `mod` of `pub(crate) mod tests {`. */
function headWord(tokens: readonly Token[], from: number, to: number): string {
  const words = tokens.slice(from, Math.min(to, from + 8)).flatMap(({ type, text }) => (type === "word" ? [text] : []));
  return words.find((each) => !/^(?:pub|crate|super|self|in|unsafe|default)$/.test(each)) ?? "";
}

function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => text).join(" ");
}

/** The lines that contain more than brackets. */
function linesOf(tokens: readonly Token[], lines: readonly string[]): readonly string[] {
  const numbers = new Set(tokens.flatMap(({ type, line }) => (type === "sign" ? [] : [line])));
  return [...numbers].map((each) => lines[each]?.trim() ?? "");
}

/** Names that tests call, or use without having bound them. */
export function usedBy(tests: readonly RustItem[]): ReadonlySet<string> {
  const [called, named, bound] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { tokens } of tests)
    for (const [at, { type, text }] of tokens.entries()) {
      const before = tokens[at - 1]?.text ?? "";
      if (type !== "word" || before === "." || before === "fn") continue;
      if (/^(?:let|mut|for|ref|\|)$/.test(before)) bound.add(text);
      else if (/^[(!]$/.test(tokens[at + 1]?.text ?? "")) called.add(text);
      else named.add(text);
    }
  return new Set([...called, ...[...named].filter((each) => !bound.has(each))]);
}

/** The name of an item; for a `use`, all names that it imports. */
export function namesGivenBy({ tokens }: RustItem): readonly string[] {
  const words = wordTokens(tokens);
  const use = words.indexOf("use");
  let at = words.findIndex((each) => naming.has(each));
  if (use !== -1 && (at === -1 || use < at)) return namesOfUse(tokens);
  if (at === -1) return [];
  while (naming.has(words[at] ?? "") || words[at] === "mut") at += 1;
  return words.slice(at, at + 1).filter((each) => !nameless.has(each));
}

/** For `use a::{b, c as d}` the names b, c and d. Empty for modules of the language itself. */
function namesOfUse(tokens: readonly Token[]): readonly string[] {
  const at = tokens.findIndex(({ text }) => text === "use");
  if (/^(?:std|core|alloc)$/.test(tokens[at + 1]?.text ?? "")) return [];
  const leaves = tokens.slice(at + 1).filter(({ type }, index) => {
    const next = tokens[at + index + 2]?.text ?? ";";
    return type === "word" && /^(?:[,;}]|as)$/.test(next);
  });
  return leaves.map(({ text }) => text).filter((each) => !nameless.has(each));
}

const naming = new Set("fn struct enum union const static type trait mod macro_rules macro unsafe async".split(" "));
/** Words that are no names. */
const nameless = new Set(["self", "_"]);

/** The words among tokens. */
export function wordTokens(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap(({ type, text }) => (type === "word" ? [text] : []));
}
