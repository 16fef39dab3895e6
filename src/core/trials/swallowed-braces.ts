import { bracketEnds } from "./asserted.ts";
import { assertsOrFails, type Caught, heeds, matters, mostHandlers } from "./caught.ts";
import type { Token } from "./tokens.ts";

/** Finds where languages with blocks in braces catch a test failure and drop it. */

/** Exception types that catch a test failure, by file extension. In other languages, and where no type is named, everything is caught. */
const caughtInBraces: readonly (readonly [RegExp, RegExp])[] = [
  [/\.(?:java|kts?|groovy|scala)$/i, /^(?:Throwable|Error|\w{0,60}Assert\w{0,60})$/],
  [/\.dart$/i, /^(?:TestFailure|Object|dynamic)$/],
  [/\.(?:php|phpt|cs)$/i, /^(?:Throwable|Exception|\w{0,60}(?:Assert|ExpectationFailed)\w{0,60})$/],
];

/** `try { … } catch {}`, `.catch(() => {})`, `runCatching { … }`, `let _ = catch_unwind(…)`. */
export function inBraces(tokens: readonly Token[], path: string, lost: Caught): void {
  const caught = caughtInBraces.find(([ending]) => ending.test(path))?.[1] ?? null;
  const ends = bracketEnds(tokens);
  const begins = new Map([...ends].map(([begin, end]) => [end, begin]));
  const endOf = (at: number): number => ends.get(at) ?? -1;
  const isDart = path.endsWith(".dart");
  for (const [at, { text }] of tokens.entries()) {
    if (text === "catch" && tokens[at - 1]?.text === ".") inChain(tokens, at, { endOf, begins }, lost);
    if (text === "runCatching" || text === "catch_unwind") inCall(tokens, at, { endOf, begins }, lost);
    if (text !== "try" || tokens[at - 1]?.text === ".") continue;
    const body = tokens[at + 1]?.text === "(" ? endOf(at + 1) + 1 : at + 1;
    const end = tokens[body]?.text === "{" ? endOf(body) : -1;
    if (end !== -1 && !isHeardBehind(tokens, end, { endOf, caught, isDart }))
      lost.lose(lineOf(tokens, at), lineOf(tokens, end));
  }
}

function lineOf(tokens: readonly Token[], at: number): number {
  return tokens[at]?.line ?? -1;
}

/** True when a failure in a `try` that ends there fails the test. */
function isHeardBehind(
  tokens: readonly Token[],
  end: number,
  {
    endOf,
    caught,
    isDart,
  }: { readonly endOf: (at: number) => number; readonly caught: RegExp | null; readonly isDart: boolean },
): boolean {
  let at = end + 1;
  let isHeard = true;
  let isCaught = false;
  for (let looked = 0; looked < mostHandlers; looked += 1) {
    const first = tokens[at]?.text ?? "";
    if (!/^(?:catch|on|finally)$/.test(first)) return isHeard;
    // Dart: `on TestFailure catch (error) {`.
    const typed = first === "on" ? tokens.slice(at + 1, at + 2) : [];
    const word = first === "on" && tokens[at + 2]?.text === "catch" ? at + 2 : at + typed.length;
    const hasName = tokens[word + 1]?.text === "(";
    // In Dart this is the name of the caught object, not a type.
    const named =
      first === "on"
        ? typed
        : hasName && !isDart
          ? tokens.slice(word + 2, Math.min(Math.max(0, endOf(word + 1)), word + longestChain))
          : [];
    const open = hasName ? endOf(word + 1) + 1 : word + 1;
    const last = tokens[open]?.text === "{" ? endOf(open) : -1;
    if (last === -1) return isHeard;
    const inner = last - open <= longestChain ? tokens.slice(open + 1, last) : null;
    const names = named.filter(({ type }) => type === "word");
    const isTaken = caught === null || names.length === 0 || names.some((each) => caught.test(each.text));
    if (first === "finally") {
      // A `return` here replaces the exception; in an inner function it does not.
      const texts = new Set(inner?.map(({ text }) => text));
      if (texts.has("return") && !texts.has("=>") && !texts.has("function") && !texts.has("->")) return false;
    } else if (isTaken && !isCaught) {
      isCaught = true;
      isHeard = inner === null || !isInertBlock(inner);
    }
    at = last + 1;
  }
  return isHeard;
}

/** Finds `runCatching { … }` of Kotlin and `let _ = catch_unwind(…)` of Rust whose result is not used. */
function inCall(tokens: readonly Token[], at: number, { endOf, begins }: Brackets, lost: Caught): void {
  const [token, before] = [tokens[at], tokens[at - 1]];
  const end = endOf(at + 1);
  const next = tokens[end + 1]?.text;
  if (token === undefined || end === -1 || next === "." || next === "?") return;
  const left = tokens
    .slice(Math.max(0, at - 12), at)
    .map(({ text }) => text)
    .join(" ");
  const isUnasked =
    token.text === "runCatching"
      ? /^[{};)]$/.test(before?.text ?? "{") &&
        (before?.line ?? -1) < token.line &&
        !(next === "}" && isValue(tokens, begins.get(end + 1) ?? -1, begins))
      : /\blet _ = [\w: ]{0,60}$/.test(left);
  if (isUnasked) lost.lose(token.line, lineOf(tokens, end));
}

/** Calls whose lambda is a test, or a step of one: its value is not used. */
const valueless = /^(?:test|it|should|then|scenario|run\w{0,20}Test|repeat|forEach\w{0,20}|also|apply)$/;

/** True when the last value of the block that begins there may be used: in a lambda, but not in a function or a branch. */
function isValue(tokens: readonly Token[], open: number, begins: ReadonlyMap<number, number>): boolean {
  const before = tokens[open - 1];
  if (before === undefined) return false;
  if (before.text !== ")") {
    // `fun a(): Unit {`.
    const type = tokens.slice(Math.max(0, open - longestType), open).map(({ text }) => text);
    if (/\):[^=]{0,200}$/.test(type.join(""))) return false;
    return before.type === "word"
      ? !/^(?:else|try|finally|do|init)$/.test(before.text) && !valueless.test(before.text)
      : /^[=(,]$/.test(before.text);
  }
  const call = (begins.get(open - 1) ?? 0) - 1;
  const name = tokens[call]?.text ?? "";
  if (/^(?:if|for|while|when|catch|constructor)$/.test(name) || valueless.test(name)) return false;
  const left = tokens.slice(Math.max(0, call - longestType), call).filter(({ line }) => line === tokens[call]?.line);
  return !left.some(({ text }) => text === "fun") || left.some(({ text }) => text === "=");
}

/** Maximum number of tokens of a return type, or between `fun` and its name. */
const longestType = 12;

function isInertBlock(inner: readonly Token[]): boolean {
  return !heeds(inner.map(({ text }) => text).join("")) && !inner.some(({ text }) => matters.test(text));
}

/** `endOf`: where a bracket ends, by its start (-1 when it does not end). `begins`: the start, by the end. */
interface Brackets {
  readonly endOf: (at: number) => number;
  readonly begins: ReadonlyMap<number, number>;
}

/** Maximum number of tokens of a handler and a chain that are read. */
const longestChain = 400;

const unheard = /=>(?:\{\}|undefined|null|console\.\w{1,10}\([\w,.]{0,60}\))$|^\((?:\w{0,10}noop|console\.\w{1,10})$/;

/** `expect(price()).resolves.toBe(3).catch(() => {})`. */
function inChain(tokens: readonly Token[], at: number, { endOf, begins }: Brackets, lost: Caught): void {
  const end = endOf(at + 1);
  if (end === -1 || end - at > longestChain) return;
  const handler = tokens.slice(at + 1, end).map(({ text }) => text);
  if (!unheard.test(handler.join(""))) return;
  let start = at - 2;
  while (start > at - longestChain) {
    start = begins.has(start) ? (begins.get(start) ?? start) - 1 : start;
    if (tokens[start - 1]?.text !== ".") break;
    start -= 2;
  }
  const chain = tokens.slice(Math.max(0, start), Math.min(at, start + longestChain)).map(({ text }) => text);
  if (assertsOrFails(chain.join(""))) lost.lose(lineOf(tokens, start), lineOf(tokens, at));
}
