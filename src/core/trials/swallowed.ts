import { bracketEnds, indentOf, lastIndented } from "./asserted.ts";
import { isPythonFile, isRubyFile, isShellFile } from "./languages.ts";
import { isAssertion } from "./literals.ts";
import { type Token, tokensOf } from "./tokens.ts";

/**
 * Lines of a test that assert, and whose failure is caught and led nowhere: `with suppress(AssertionError)`, `try { … } catch {}`,
 * `rescue Exception`. Such a comparison cannot fail (F-201).
 */

/** Lines from 1 that the base's file did not have so. `before`: as the base had it; null: it is new. */
export function newlySwallowed(path: string, text: string, before: string | null): number[] {
  const said = (all: string): string[] => swallowedIn(path, all).map((line) => all.split("\n")[line]?.trim() ?? "");
  const known = new Set(before === null ? [] : said(before));
  const lines = text.split("\n");
  return swallowedIn(path, text).flatMap((line) => (known.has(lines[line]?.trim() ?? "") ? [] : [line + 1]));
}

/** Lines from 0. */
function swallowedIn(path: string, text: string): number[] {
  const lines = text.split("\n");
  if (isShellFile(path) || path.endsWith(".bats")) return inShell(lines);
  const guarded = isPythonFile(path)
    ? inPython(lines)
    : isRubyFile(path)
      ? inRuby(lines)
      : /\.exs?$/i.test(path)
        ? inElixir(lines)
        : inBraces(tokensOf(text, path), path);
  const found = guarded.filter((line) => asserts(lines[line] ?? ""));
  return [...new Set(found)].toSorted((one, other) => one - other);
}

/** Names of what is caught assert nothing. */
const caughtNames = /\b[A-Z]\w{0,60}(?:Error|Exception|Assertion)\b/g;

function asserts(line: string): boolean {
  const code = line.slice(0, 400).replace(caughtNames, "");
  return !/^\s{0,200}(?:#|\/\/|\*)/.test(code) && (isAssertion(code) || /\bfail\w{0,10}\s{0,2}\(/.test(code));
}

/** What a handler may do with what it has caught: it says so, hands it on, or waits for another try. */
const matters =
  /\b(?:raise|throw|die|exit\w{0,4}|abort|panic|return|sleep|delay|wait\w{0,20}|retr(?:y|ies)|push|append|reject|done|next|t\.\w{1,20})\b/;

function isInert(body: readonly string[]): boolean {
  return !body.some((line) => matters.test(line.slice(0, 400)) || asserts(line));
}

function from(start: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - start + 1) }, (_each, index) => start + index);
}

const caughtInPython = /\b(?:AssertionError|Exception|BaseException)\b/;

function inPython(lines: readonly string[]): number[] {
  return lines.flatMap((line, at) => {
    const [, given] = /^\s{0,200}(?:async )?with\s.{0,200}?\bsuppress\(([^()]{0,200})\)/.exec(line) ?? [];
    if (given !== undefined) return caughtInPython.test(given) ? from(at, lastIndented(lines, at)) : [];
    if (!/^\s{0,200}try\s{0,4}:/.test(line)) return [];
    const end = lastIndented(lines, at);
    return isHeardInPython(lines, end, indentOf(line)) ? [] : from(at, end);
  });
}

/** Whether what fails in a `try` that ends there fails the test: nothing catches it, or what does so says it. */
function isHeardInPython(lines: readonly string[], end: number, indent: number): boolean {
  let at = end + 1;
  let isHeard = true;
  let isCaught = false;
  for (let looked = 0; looked < mostHandlers; looked += 1) {
    while (at < lines.length && lines[at]?.trim() === "") at += 1;
    const handler = lines[at] ?? "";
    const [, word = "", caught = ""] = /^\s{0,200}(except|else|finally)\b([^:#]{0,200}):/.exec(handler) ?? [];
    if (word === "" || indentOf(handler) !== indent) return isHeard;
    const last = lastIndented(lines, at);
    const body = [handler.slice(handler.indexOf(":")), ...lines.slice(at + 1, last + 1)];
    // It takes the place of what was thrown.
    if (word === "finally" && body.some((each) => /^(?::\s{0,9}|\s{0,200})return\b/.test(each))) return false;
    if (word === "except" && !isCaught && (/^[\s*]{0,9}$/.test(caught) || caughtInPython.test(caught))) {
      isCaught = true;
      isHeard = !isInert(body);
    }
    at = last + 1;
  }
  return isHeard;
}

/** So many handlers of one `try` are looked at. */
const mostHandlers = 20;

/** What is no error of the everyday kind: a bare `rescue` catches none of minitest's and RSpec's. */
const caughtInRuby = /\b(?:Exception|Assertion|ExpectationNotMetError|AssertionFailedError|Object)\b/;

function inRuby(lines: readonly string[]): number[] {
  return lines.flatMap((line, at) => {
    const [, given] = /^\s{0,200}suppress\(([^()]{0,200})\)\s{0,4}do\b/.exec(line) ?? [];
    if (given !== undefined) return caughtInRuby.test(given) ? from(at, lastIndented(lines, at)) : [];
    const [, word, caught = ""] = /^\s{0,200}(rescue|ensure)\b(.{0,200})/.exec(line) ?? [];
    const body = lines.slice(at + 1, lastIndented(lines, at) + 1);
    // What is returned there takes the place of what was thrown.
    const isLost =
      word === "ensure"
        ? body.some((each) => /^\s{0,200}return\b/.test(each))
        : word === "rescue" && caughtInRuby.test(caught) && isInert(body);
    if (!isLost) return [];
    let start = at - 1;
    while (start > 0 && (lines[start]?.trim() === "" || indentOf(lines[start] ?? "") > indentOf(line))) start -= 1;
    return from(start, at - 1);
  });
}

/** `try do … rescue _ -> :ok end`: a clause that takes everything, or what an assertion throws, and says nothing of it. */
function inElixir(lines: readonly string[]): number[] {
  return lines.flatMap((line, at) => {
    if (!/^\s{0,200}rescue\s{0,9}$/.test(line)) return [];
    const [, taken = ""] = /^\s{0,200}(?:\w{1,60} in )?([\w.[\], ]{1,200}?)\s{0,3}->/.exec(lines[at + 1] ?? "") ?? [];
    if (!/^[a-z_]\w{0,60}$|AssertionError/.test(taken)) return [];
    let start = at - 1;
    while (start > 0 && (lines[start]?.trim() === "" || indentOf(lines[start] ?? "") > indentOf(line))) start -= 1;
    return isInert(lines.slice(at + 1, lastIndented(lines, at) + 1)) ? from(start, at - 1) : [];
  });
}

const unheardInShell =
  /^\s{0,60}(?:test\s|\[\[?\s|assert\w{0,40}\s)[^|&;]{1,300}\|\|\s{0,3}(?:true|:)\s{0,3}(?:#.{0,200})?$/;

/** `[ "$price" = 42 ] || true`: alone on its line, it is there for nothing else. */
function inShell(lines: readonly string[]): number[] {
  return lines.flatMap((line, at) => (unheardInShell.test(line.slice(0, 500)) ? [at] : []));
}

/** What is caught where tests of a language fail: by the ends of files; of others, and where nothing is named, everything is. */
const caughtInBraces: readonly (readonly [RegExp, RegExp])[] = [
  [/\.(?:java|kts?|groovy|scala)$/i, /^(?:Throwable|Error|\w{0,60}Assert\w{0,60})$/],
  [/\.dart$/i, /^(?:TestFailure|Object|dynamic)$/],
  [/\.(?:php|phpt|cs)$/i, /^(?:Throwable|Exception|\w{0,60}(?:Assert|ExpectationFailed)\w{0,60})$/],
];

function inBraces(tokens: readonly Token[], path: string): number[] {
  const caught = caughtInBraces.find(([ending]) => ending.test(path))?.[1] ?? null;
  const ends = bracketEnds(tokens);
  const begins = new Map([...ends].map(([begin, end]) => [end, begin]));
  const endOf = (at: number): number => ends.get(at) ?? -1;
  return tokens.flatMap(({ text, line }, at) => {
    if (text === "catch" && tokens[at - 1]?.text === ".") return inChain(tokens, at, { endOf, begins });
    if (text === "runCatching" || text === "catch_unwind") return inCall(tokens, at, endOf);
    if (text !== "try" || tokens[at - 1]?.text === ".") return [];
    const body = tokens[at + 1]?.text === "(" ? endOf(at + 1) + 1 : at + 1;
    const end = tokens[body]?.text === "{" ? endOf(body) : -1;
    if (end === -1 || isHeardBehind(tokens, end, { endOf, caught, isDart: path.endsWith(".dart") })) return [];
    return from(line, tokens[end]?.line ?? line);
  });
}

/** Whether what fails in a `try` that ends there fails the test. */
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
    // Of Dart that is a name of what was caught, and no type.
    const named = first === "on" ? typed : hasName && !isDart ? tokens.slice(word + 2, endOf(word + 1)) : [];
    const open = hasName ? endOf(word + 1) + 1 : word + 1;
    const last = tokens[open]?.text === "{" ? endOf(open) : -1;
    if (last === -1) return isHeard;
    const inner = last - open <= longestChain ? tokens.slice(open + 1, last) : null;
    const names = named.filter(({ type }) => type === "word");
    const isTaken = caught === null || names.length === 0 || names.some((each) => caught.test(each.text));
    if (first === "finally") {
      // It takes the place of what was thrown; in a function of its own it does not.
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

/** `runCatching { … }` of Kotlin and `let _ = catch_unwind(…)` of Rust, where nobody asks what came of it. */
function inCall(tokens: readonly Token[], at: number, endOf: (at: number) => number): number[] {
  const [token, before] = [tokens[at], tokens[at - 1]];
  const end = endOf(at + 1);
  if (token === undefined || end === -1 || tokens[end + 1]?.text === ".") return [];
  const left = tokens
    .slice(Math.max(0, at - 12), at)
    .map(({ text }) => text)
    .join(" ");
  const isUnasked =
    token.text === "runCatching"
      ? /^[{};)]$/.test(before?.text ?? "{") && (before?.line ?? -1) < token.line
      : /\blet _ = [\w: ]{0,60}$/.test(left);
  return isUnasked ? from(token.line, tokens[end]?.line ?? token.line) : [];
}

function isInertBlock(inner: readonly Token[]): boolean {
  return isInert([inner.map(({ text }) => text).join("")]) && !inner.some(({ text }) => matters.test(text));
}

/** Where brackets end, by where they begin (-1: nowhere), and the other way round. */
interface Brackets {
  readonly endOf: (at: number) => number;
  readonly begins: ReadonlyMap<number, number>;
}

/** So many tokens of a handler and a chain are read. */
const longestChain = 400;

const unheard = /=>(?:\{\}|undefined|null|console\.\w{1,10}\([\w,.]{0,60}\))$|^\((?:\w{0,10}noop|console\.\w{1,10})$/;

/** `expect(price()).resolves.toBe(3).catch(() => {})`. */
function inChain(tokens: readonly Token[], at: number, { endOf, begins }: Brackets): number[] {
  const end = endOf(at + 1);
  if (end === -1 || end - at > longestChain) return [];
  const handler = tokens.slice(at + 1, end).map(({ text }) => text);
  if (!unheard.test(handler.join(""))) return [];
  let start = at - 2;
  while (start > at - longestChain) {
    start = begins.has(start) ? (begins.get(start) ?? start) - 1 : start;
    if (tokens[start - 1]?.text !== ".") break;
    start -= 2;
  }
  const chain = tokens.slice(Math.max(0, start), at).map(({ text }) => text);
  return asserts(chain.join("")) ? from(tokens[start]?.line ?? 0, tokens[at]?.line ?? 0) : [];
}
