import { chainEnd, closingAt, firstArgument, importsOf, mayCompare, dottedWords } from "./brackets.ts";
import { tokensOf } from "./tokens.ts";
import {
  type TurnedAssertion,
  type TestFile,
  type FoundTurn,
  spanOf,
  otherValues,
  isPredicate,
  hasComparison,
} from "./turned-values.ts";

/** The assertions of a test file that can be turned. Null when something in it compares: then its values are changed instead. */
export function turnsOf(path: string, text: string): readonly TurnedAssertion[] | null {
  const tokens = tokensOf(text, path);
  const imported = importsOf(tokens);
  const found: TurnedAssertion[] = [];
  for (let at = 0; at < tokens.length; ) {
    const next = imported.ends.get(at);
    if (next !== undefined) {
      at = next;
      continue;
    }
    const turn = turnAt({ path, text, tokens, names: imported.names }, at);
    if (turn === null && mayCompare(tokens, at)) return null;
    if (turn !== null) found.push(turn.turn);
    at = turn?.next ?? at + 1;
  }
  return found;
}

function turnAt(source: TestFile, at: number): FoundTurn | null {
  return /\.py$/i.test(source.path) ? turnOfPython(source, at) : turnOfScript(source, at);
}

const thrown = 'throw new Error("a trial");';

/** Replacements of a function or promise: it still runs, and then throws, or does not throw. */
const given = {
  throws: (what: string) => `() => { try { (${what})(); } catch {} }`,
  notThrows: (what: string) => `() => { (${what})(); ${thrown} }`,
  rejects: (what: string) => `${settled(what)}.catch(() => {})`,
  notRejects: (what: string) => `${settled(what)}.then(() => { ${thrown} })`,
} as const;

function settled(what: string): string {
  return `Promise.resolve().then(async () => (${what})).then((it) => (typeof it === "function" ? it() : it))`;
}

/** What an assertion checks: whether something throws, or whether its argument holds. */
type Asked = keyof typeof given | "holds";

const ofAssert: Readonly<Record<string, Asked>> = {
  throws: "throws",
  doesNotThrow: "notThrows",
  rejects: "rejects",
  doesNotReject: "notRejects",
  ok: "holds",
  isTrue: "holds",
};

/** Keyed by the chain of names between `expect(…)` and its arguments. */
const ofExpect: Readonly<Record<string, Asked>> = {
  toThrow: "throws",
  toThrowError: "throws",
  "to.throw": "throws",
  "not.toThrow": "notThrows",
  "not.toThrowError": "notThrows",
  "to.not.throw": "notThrows",
  "not.to.throw": "notThrows",
  "rejects.toThrow": "rejects",
  "rejects.toThrowError": "rejects",
  toBeTruthy: "holds",
  toBeFalsy: "holds",
  toBeNull: "holds",
  toBeUndefined: "holds",
  toBeDefined: "holds",
};

/** `assert.throws(F)`, `t.throws(F)`, `assert(X)`, `expect(F).toThrow()`. */
function turnOfScript(source: TestFile, at: number): FoundTurn | null {
  const { tokens } = source;
  const word = tokens[at]?.text ?? "";
  if (tokens[at]?.type !== "word" || tokens[at - 1]?.text === ".") return null;
  const bracket = chainEnd(tokens, at);
  if (bracket === null || tokens[bracket]?.text !== "(") return null;
  const argument = firstArgument(tokens, bracket);
  if (argument === null) return null;
  const name = tokens[bracket - 1]?.text ?? "";
  if (word === "expect") {
    const called = chainEnd(tokens, argument.next - 1);
    if (bracket !== at + 1 || called === null || tokens[called]?.text !== "(") return null;
    const chain = dottedWords(tokens, argument.next, called);
    const last = closingAt(tokens, called);
    return last === -1 ? null : turned(source, { bracket, end: argument.end, next: last + 1 }, ofExpect[chain]);
  }
  if (word === "assert" && bracket === at + 1) return turned(source, { bracket, ...argument }, "holds");
  const isOfAssert = /^(?:assert|t)$/.test(word) || bracket === at + 1;
  return isOfAssert ? turned(source, { bracket, ...argument }, ofAssert[name]) : null;
}

/** An argument as token indexes: its bracket, its end, and the next token to read. */
interface Argument {
  readonly bracket: number;
  readonly end: number;
  readonly next: number;
}

function turned(source: TestFile, { bracket, end, next }: Argument, kind: Asked | undefined): FoundTurn | null {
  if (kind === undefined) return null;
  const isFine = kind === "holds" ? isPredicate(source, bracket + 1, end) : !hasComparison(source, bracket + 1, end);
  if (!isFine) return null;
  const { start, end: last, text } = spanOf(source, bracket + 1, end);
  const line = source.tokens[bracket]?.line ?? 0;
  const turned = kind === "holds" ? null : { start, end: last, to: given[kind](text) };
  return { turn: { line, ...otherValues(source.tokens, bracket + 1, end), turned }, next };
}

/** A new exception class: no raised error is an instance of it. */
const otherClass = 'type("ATrial", (Exception,), {})';

/** `pytest.raises(X)`, `self.assertRaises(X)`, `assert f(3)`, `assert f(3) is None`, `self.assertTrue(f(3))`. */
function turnOfPython(source: TestFile, at: number): FoundTurn | null {
  const { tokens } = source;
  const token = tokens[at];
  if (token?.type !== "word" || tokens[at - 1]?.text === ".") return null;
  if (token.text === "assert") return turnOfAssert(source, at);
  const bracket = chainEnd(tokens, at);
  if (bracket === null || tokens[bracket]?.text !== "(") return null;
  const name = dottedWords(tokens, at, bracket);
  const argument = firstArgument(tokens, bracket);
  if (argument === null) return null;
  const { end, next } = argument;
  const span = spanOf(source, bracket + 1, end);
  // A tuple of classes counts as a class; a keyword argument does not.
  if (/^(?:pytest\.raises|raises|self\.assertRaises)$/.test(name))
    return /^[\w.]+$|^\([\w.,\s]*\)$/.test(span.text) ? raising(source, at, argument) : null;
  if (/^self\.assert(?:True|False)$/.test(name) && isPredicate(source, bracket + 1, end))
    return { turn: { line: token.line, ...otherValues(tokens, bracket + 1, end), turned: null }, next };
  return null;
}

/** The tested call is an argument after the class, or stands in the line below `with`. */
function raising(
  source: TestFile,
  at: number,
  { end, next }: { readonly end: number; readonly next: number },
): FoundTurn {
  const { tokens } = source;
  const line = tokens[at]?.line ?? 0;
  let last = next;
  while (tokens[at - 1]?.text === "with" && (tokens[last]?.line ?? Infinity) <= line + 1) last += 1;
  const bracket = chainEnd(tokens, at) ?? at;
  const { start, end: behind } = spanOf(source, bracket + 1, end);
  const turned = { start, end: behind, to: otherClass };
  const called = last === next ? end : next;
  return { turn: { line, ...otherValues(tokens, called, last), turned }, next };
}

/** `assert f(3)`, with `is None` or `is not None` behind it, and a message; to the end of its line. */
function turnOfAssert(source: TestFile, at: number): FoundTurn | null {
  const { tokens } = source;
  let from = at + 1;
  while (tokens[from]?.text === "not") from += 1;
  const bracket = chainEnd(tokens, from);
  if (bracket === null || tokens[bracket]?.text !== "(") return null;
  const called = closingAt(tokens, bracket) + 1;
  if (called === 0 || !isPredicate(source, at + 1, called)) return null;
  const line = tokens[called - 1]?.line ?? 0;
  const behind = [1, 2, 3].map((count) => dottedWords(tokens, called, called + count));
  const more = behind[2] === "is.not.None" ? 3 : behind[1] === "is.None" ? 2 : 0;
  const next = tokens[called + more];
  if (next !== undefined && next.line === line && next.text !== ",") return null;
  const others = otherValues(tokens, at + 1, called);
  return { turn: { line: tokens[at]?.line ?? 0, ...others, turned: null }, next: called + more };
}
