import { beginsWithTypes, isCFile } from "./languages.ts";
import { isAssertion } from "./literals.ts";
import type { Token } from "./tokens.ts";

/** Finds functions of a test file that assert, and how deep a value stands inside an assertion. */

/** Functions of a test file that assert. Lines are counted from 0. */
export interface Helpers {
  /** Lines of functions that assert. */
  readonly bodies: ReadonlySet<number>;
  /** Lines that call one of these functions. */
  readonly calls: ReadonlySet<number>;
  readonly names: ReadonlySet<string>;
}

/**
 * Finds the functions of a test file that assert, or that compare two of their arguments: `function holds(given, wanted) { assert… }`,
 * `const holds = (…) => …`, `def holds(…):`, `static void holds(Object given, Object wanted)`. Linear in the tokens and lines.
 */
export function helpersIn({ path, tokens, lines }: Omit<Source, "ends">): Helpers {
  const bodies = new Set<number>();
  const names = new Set<string>();
  const ends = bracketEnds(tokens);
  let covered = -1;
  for (const [at, token] of tokens.entries()) {
    if (token.line <= covered) continue;
    const last = lastLineOf({ path, tokens, ends, lines }, at);
    const name = nameAt(tokens, at);
    if (last === null || name === null) continue;
    covered = last;
    const own = Array.from({ length: last - token.line + 1 }, (_each, index) => token.line + index);
    const given = givenTo(tokens, ends, at);
    if (!own.some((line) => isAssertion(lines[line] ?? "") || comparesTwo(lines[line] ?? "", given))) continue;
    names.add(name);
    for (const line of own) bodies.add(line);
  }
  const calls = tokens.filter(
    ({ type, text, line }, at) =>
      type === "word" && names.has(text) && tokens[at + 1]?.text === "(" && !bodies.has(line),
  );
  return { bodies, calls: new Set(calls.map(({ line }) => line)), names };
}

/** The name of the function that is defined here. Null for `def test…`: pytest and unittest call it, no other code does. */
function nameAt(tokens: readonly Token[], at: number): string | null {
  const name = tokens[at + 1];
  return name?.type === "word" && !(tokens[at]?.text === "def" && /^test/i.test(name.text)) ? name.text : null;
}

/** The words between the brackets of the function that is defined here: its arguments and their types. */
function givenTo(tokens: readonly Token[], ends: ReadonlyMap<number, number>, at: number): ReadonlySet<string> {
  const open = tokens.slice(at, at + longestType).findIndex(({ text }) => text === "(") + at;
  const given = tokens.slice(open, ends.get(open) ?? open).filter(({ type }) => type === "word");
  return new Set(given.map(({ text }) => text));
}

const comparing =
  /[=!]==?|<=>|\.equals\(|\b(?:eq|ne|strcmp|strncmp|memcmp|isDeepStrictEqual|deepEqual|reflect\.DeepEqual)\b/;

/** True when a line compares and names two of these words. */
function comparesTwo(line: string, given: ReadonlySet<string>): boolean {
  const text = line.slice(0, 400);
  if (!comparing.test(text)) return false;
  return new Set((text.match(/[\w$]+/g) ?? []).filter((word) => given.has(word))).size > 1;
}

interface Source {
  readonly path: string;
  readonly tokens: readonly Token[];
  /** For each opening bracket, by token index, the index of the bracket that closes it. */
  readonly ends: ReadonlyMap<number, number>;
  readonly lines: readonly string[];
}

/** Maximum number of tokens between the arguments of a function and its body: the return type. */
const longestType = 12;

/** The last line of the function that is defined here; null when none is defined here. */
function lastLineOf({ path, tokens, ends, lines }: Source, at: number): number | null {
  const { text, line } = tokens[at] ?? { text: "", line: 0 };
  if (text === "def") return lastIndented(lines, line);
  const isNamed = /^(?:func|fn|fun)$/.test(text) || (beginsWithTypes(path) && isTyped(tokens, at));
  if (isNamed) return bodyEnd(tokens, ends, at + 2);
  if (text !== "function" && !(/^(?:const|let|var)$/.test(text) && tokens[at + 2]?.text === "=")) return null;
  const from = text === "function" ? at + 2 : tokens[at + 3]?.text === "async" ? at + 4 : at + 3;
  const close = ends.get(tokens[from]?.text === "function" ? from + 1 : from) ?? from;
  const isArrow = text !== "function" && tokens[from]?.text !== "function";
  const next = tokens.slice(close + 1, close + longestType).findIndex((each) => each.text === (isArrow ? "=>" : "{"));
  if (next === -1) return null;
  const body = close + 1 + next + (isArrow ? 1 : 0);
  const last = tokens[body]?.text === "{" ? ends.get(body) : body;
  return last === undefined ? null : (tokens[last]?.line ?? null);
}

/** True for a definition such as `void holds(`, but not for a call or a keyword of the language. */
function isTyped(tokens: readonly Token[], at: number): boolean {
  const [type, name] = [tokens[at], tokens[at + 1]];
  if (type === undefined || name?.type !== "word" || tokens[at + 2]?.text !== "(") return false;
  if (/^(?:if|for|while|switch|catch|return|sizeof|synchronized)$/.test(name.text)) return false;
  return type.type === "word"
    ? !/^(?:return|new|else|throw|case|goto|[a]wait|yield|delete|in|define)$/.test(type.text)
    : /^[*&>\]]$/.test(type.text);
}

/** The last line of the first block after the first brackets from `from`; null when there is none. */
function bodyEnd(tokens: readonly Token[], ends: ReadonlyMap<number, number>, from: number): number | null {
  const open = tokens.slice(from, from + longestType).findIndex(({ text }) => text === "(");
  const close = open === -1 ? undefined : ends.get(from + open);
  if (close === undefined) return null;
  const next = tokens.slice(close + 1, close + longestType).findIndex(({ text }) => /^[{;]$/.test(text));
  const last = tokens[close + 1 + next]?.text === "{" ? ends.get(close + 1 + next) : undefined;
  return last === undefined ? null : (tokens[last]?.line ?? null);
}

/** For each opening bracket, by token index, the index of the bracket that closes it. */
export function bracketEnds(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (const [at, { type, text }] of tokens.entries()) {
    if (type !== "sign") continue;
    if (/^[([{]$/.test(text)) open.push(at);
    const begin = /^[)\]}]$/.test(text) ? open.pop() : undefined;
    if (begin !== undefined) ends.set(begin, at);
  }
  return ends;
}

/** The last line of the block that is indented deeper than line `from`. Empty lines are ignored. */
export function lastIndented(lines: readonly string[], from: number): number {
  const depth = lineIndent(lines[from] ?? "");
  let last = from;
  for (let line = from + 1; line < lines.length; line += 1) {
    const text = lines[line] ?? "";
    if (text.trim() === "") continue;
    if (lineIndent(text) <= depth) break;
    last = line;
  }
  return last;
}

/** How far a line is indented. */
export function lineIndent(line: string): number {
  return line.length - line.trimStart().length;
}

/** Where a value stands inside an assertion. */
export interface ValuePlace {
  /**
   * Number of brackets between the value and the asserting call around it: 0 for `42` in `equal(price(3), 42)`, 1 for `3`. Without an
   * asserting call, the number of all brackets around it.
   */
  readonly depth: number;
  /** True when the value stands after the compared arguments, where a message stands that nobody compares. */
  readonly isMessage: boolean;
  /** Name of the asserting call around it; empty when there is none. */
  readonly call: string;
  /** Index of the value's argument in the innermost bracket, from 0. */
  readonly argument: number;
}

/** Calls that compare with nothing: their second argument is a message. */
const predicates = /^(?:assert|ok|notOk|truthy|falsy|true|false|isTrue|isFalse|assertTrue|assertFalse)$/;

/** The place of each token. Linear in the number of tokens. */
export function placesOfValues(
  tokens: readonly Token[],
  isAsserting: (name: string) => boolean,
): ReadonlyMap<Token, ValuePlace> {
  const found = new Map<Token, ValuePlace>();
  const top = { depth: 0, argument: 0, compared: 1, call: "" };
  const around = [top];
  let line = 0;
  for (const [at, token] of tokens.entries()) {
    const here = around.at(-1) ?? top;
    if (here === top && token.line !== line) top.argument = 0;
    line = token.line;
    const sign = token.type === "sign" ? token.text : "";
    if (/^[([{]$/.test(sign)) {
      const name = tokens[at - 1]?.type === "word" && sign === "(" ? (tokens[at - 1]?.text ?? "") : "";
      const asserts = isAsserting(name);
      around.push({
        depth: asserts ? 0 : here.depth + 1,
        argument: 0,
        compared: predicates.test(name) ? 1 : 2,
        call: asserts ? name : here.call,
      });
    } else if (/^[)\]}]$/.test(sign)) {
      if (here !== top) around.pop();
    } else if (sign === ",") here.argument += 1;
    else {
      const { depth, argument, call } = here;
      found.set(token, { depth, isMessage: depth === 0 && argument >= here.compared, call, argument });
    }
  }
  return found;
}

/**
 * True when a value in an assertion is certainly compared itself: next to an operator, or as an argument of a comparing call. `isBeside`:
 * a comparison operator stands next to the value. `isOwn`: the function is defined in the file, so a string may be a message in any
 * position.
 */
export function isCompared(
  path: string,
  { type }: Pick<Token, "type">,
  about: {
    readonly place: ValuePlace | undefined;
    readonly isBeside: boolean;
    readonly isOwn: (name: string) => boolean;
  },
): boolean {
  const { place, isBeside, isOwn } = about;
  if (place === undefined || place.depth > 0) return false;
  if (isBeside) return type !== "string" || !isCFile(path);
  const { call, argument } = place;
  if (call === "" || predicates.test(call)) return false;
  if (type !== "string") return true;
  // In Java, the first of three arguments is a message.
  return !isOwn(call) && argument < 2 && (argument > 0 || !beginsWithTypes(path));
}
