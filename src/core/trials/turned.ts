import { chainEnd, closing, firstArgument, importsOf, mayCompare, wordsOf } from "./brackets.ts";
import { type Token, tokensOf } from "./tokens.ts";

/**
 * Assertions that compare with no value: that something throws, or that a predicate says yes. Changing an input says nothing about
 * them (`price(-2)` throws as `price(-1)` does), so what they are given is turned round, and they have to fail.
 *
 * What is turned is what the assertion is given, never its name: an assertion that was changed to pass is asked itself, and what
 * is tested still runs, so that code that ends the process still ends it. Only where nothing in the file compares: a value that
 * is equal to everything passes where a wanted value was changed, and would be seen where `equal` became `notEqual`.
 */
export interface Turn {
  readonly start: number;
  readonly end: number;
  /** What stands there instead. */
  readonly to: string;
  /** From 0. */
  readonly line: number;
}

/** The assertions of a test file that can be turned round; null: something in it compares, and its values are what is changed. */
export function turnsOf(path: string, text: string): readonly Turn[] | null {
  const tokens = tokensOf(text, path);
  const imported = importsOf(tokens);
  const found: Turn[] = [];
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

interface Source {
  readonly path: string;
  readonly text: string;
  readonly tokens: readonly Token[];
  /** What the file imports. */
  readonly names: ReadonlySet<string>;
}

interface Found {
  readonly turn: Turn;
  /** The first token behind the assertion. */
  readonly next: number;
}

function turnAt(source: Source, at: number): Found | null {
  return /\.py$/i.test(source.path) ? turnOfPython(source, at) : turnOfScript(source, at);
}

function spanOf({ text, tokens }: Source, from: number, end: number): { start: number; end: number; text: string } {
  const start = tokens[from]?.start ?? 0;
  const last = tokens[end - 1]?.end ?? start;
  return { start, end: last, text: text.slice(start, last) };
}

const thrown = 'throw new Error("a trial");';

/** What a function or promise becomes: it runs, and then throws, or does not. */
const given = {
  throws: (what: string) => `() => { try { (${what})(); } catch {} }`,
  notThrows: (what: string) => `() => { (${what})(); ${thrown} }`,
  rejects: (what: string) => `${settled(what)}.catch(() => {})`,
  notRejects: (what: string) => `${settled(what)}.then(() => { ${thrown} })`,
  truth: (what: string) => `!(${what})`,
  nothing: (what: string) => `((${what}), 1)`,
  something: (what: string) => `void (${what})`,
} as const;

function settled(what: string): string {
  return `Promise.resolve().then(async () => (${what})).then((it) => (typeof it === "function" ? it() : it))`;
}

const ofAssert: Readonly<Record<string, keyof typeof given>> = {
  throws: "throws",
  doesNotThrow: "notThrows",
  rejects: "rejects",
  doesNotReject: "notRejects",
  ok: "truth",
  isTrue: "truth",
};

/** By what stands between `expect(…)` and its arguments. */
const ofExpect: Readonly<Record<string, keyof typeof given>> = {
  toThrow: "throws",
  toThrowError: "throws",
  "to.throw": "throws",
  "not.toThrow": "notThrows",
  "not.toThrowError": "notThrows",
  "to.not.throw": "notThrows",
  "not.to.throw": "notThrows",
  "rejects.toThrow": "rejects",
  "rejects.toThrowError": "rejects",
  toBeTruthy: "truth",
  toBeFalsy: "truth",
  toBeNull: "nothing",
  toBeUndefined: "nothing",
  toBeDefined: "something",
};

/** `assert.throws(F)`, `t.throws(F)`, `assert(X)`, `expect(F).toThrow()`. */
function turnOfScript(source: Source, at: number): Found | null {
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
    const chain = wordsOf(tokens, argument.next, called);
    const last = closing(tokens, called);
    return last === -1 ? null : turned(source, bracket, argument.end, ofExpect[chain], last + 1);
  }
  if (word === "assert" && bracket === at + 1) return turned(source, bracket, argument.end, "truth", argument.next);
  const isOfAssert = /^(?:assert|t)$/.test(word) || bracket === at + 1;
  return isOfAssert ? turned(source, bracket, argument.end, ofAssert[name], argument.next) : null;
}

function turned(
  source: Source,
  bracket: number,
  end: number,
  kind: keyof typeof given | undefined,
  next: number,
): Found | null {
  if (kind === undefined) return null;
  const isPlain = kind === "truth" || kind === "nothing" || kind === "something";
  if (isPlain ? !isPredicate(source, bracket + 1, end) : hasComparison(source, bracket + 1, end)) return null;
  const span = spanOf(source, bracket + 1, end);
  const line = source.tokens[bracket]?.line ?? 0;
  return { turn: { start: span.start, end: span.end, to: given[kind](span.text), line }, next };
}

/**
 * One call, with literals alone, of what the file imports: `isFree(3)`, `not shop.is_free("a", 3)`. What was computed before, and
 * a call around another one, may compare.
 */
function isPredicate({ tokens, names }: Source, from: number, end: number): boolean {
  let at = from;
  // Core itself is read for that word.
  while (/^(?:!|not|[a]wait)$/.test(tokens[at]?.text ?? "")) at += 1;
  const root = tokens[at];
  if (root?.type !== "word" || !names.has(root.text)) return false;
  const bracket = chainEnd(tokens, at);
  if (bracket === null || tokens[bracket]?.text !== "(" || closing(tokens, bracket) !== end - 1) return false;
  const inside = tokens.slice(bracket + 1, end - 1);
  return inside.every((token, index) => isLiteral(token) || (token.type === "word" && inside[index + 1]?.text === ":"));
}

function isLiteral({ type, text }: Token): boolean {
  if (type === "number") return true;
  if (type === "string") return !text.startsWith("`") || !text.includes("${");
  if (type === "word") return /^(?:true|false|null|undefined|True|False|None)$/.test(text);
  return /^[-,[\]{}:]$/.test(text);
}

/** A class of its own: what is raised is none of it. */
const otherClass = 'type("ATrial", (Exception,), {})';

/** `pytest.raises(X)`, `self.assertRaises(X)`, `assert f(3)`, `assert f(3) is None`, `self.assertTrue(f(3))`. */
function turnOfPython(source: Source, at: number): Found | null {
  const { tokens } = source;
  const token = tokens[at];
  if (token?.type !== "word" || tokens[at - 1]?.text === ".") return null;
  if (token.text === "assert") return turnOfAssert(source, at);
  const bracket = chainEnd(tokens, at);
  if (bracket === null || tokens[bracket]?.text !== "(") return null;
  const name = wordsOf(tokens, at, bracket);
  const argument = firstArgument(tokens, bracket);
  if (argument === null) return null;
  const { end, next } = argument;
  const span = spanOf(source, bracket + 1, end);
  const of = (to: string): Found => ({ turn: { start: span.start, end: span.end, to, line: token.line }, next });
  // A tuple of classes is one; a name before `=` is none.
  if (/^(?:pytest\.raises|raises|self\.assertRaises)$/.test(name))
    return /^[\w.]+$|^\([\w.,\s]*\)$/.test(span.text) ? of(otherClass) : null;
  if (/^self\.assert(?:True|False)$/.test(name) && isPredicate(source, bracket + 1, end))
    return of(`not (${span.text})`);
  return null;
}

/** `assert f(3)`, with `is None` or `is not None` behind it, and a message; to the end of its line. */
function turnOfAssert(source: Source, at: number): Found | null {
  const { tokens } = source;
  let from = at + 1;
  while (tokens[from]?.text === "not") from += 1;
  const bracket = chainEnd(tokens, from);
  if (bracket === null || tokens[bracket]?.text !== "(") return null;
  const called = closing(tokens, bracket) + 1;
  if (called === 0 || !isPredicate(source, at + 1, called)) return null;
  const line = tokens[called - 1]?.line ?? 0;
  const behind = [1, 2, 3].map((count) => wordsOf(tokens, called, called + count));
  const more = behind[2] === "is.not.None" ? 3 : behind[1] === "is.None" ? 2 : 0;
  const next = tokens[called + more];
  if (next !== undefined && next.line === line && next.text !== ",") return null;
  const span = spanOf(source, at + 1, called + more);
  return {
    turn: { start: span.start, end: span.end, to: `not (${span.text})`, line: tokens[at]?.line ?? 0 },
    next: called + more,
  };
}

function hasComparison({ tokens }: Source, from: number, end: number): boolean {
  for (let at = from; at < end; at += 1) if (mayCompare(tokens, at)) return true;
  return false;
}
