import { bracketEnds, indentOf, lastIndented } from "./asserted.ts";
import { isPythonFile, isRubyFile } from "./languages.ts";
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
  const guarded = isPythonFile(path)
    ? inPython(lines)
    : isRubyFile(path)
      ? inRuby(lines)
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
    let next = end + 1;
    while (next < lines.length && lines[next]?.trim() === "") next += 1;
    const handler = lines[next] ?? "";
    const [, caught] = /^\s{0,200}except\b([^:#]{0,200}):/.exec(handler) ?? [];
    if (caught === undefined || indentOf(handler) !== indentOf(line)) return [];
    if (caught.trim() !== "" && !caughtInPython.test(caught)) return [];
    const body = [handler.slice(handler.indexOf(":")), ...lines.slice(next + 1, lastIndented(lines, next) + 1)];
    return isInert(body) ? from(at, end) : [];
  });
}

/** What is no error of the everyday kind: a bare `rescue` catches none of minitest's and RSpec's. */
const caughtInRuby = /\b(?:Exception|Assertion|ExpectationNotMetError|AssertionFailedError|Object)\b/;

function inRuby(lines: readonly string[]): number[] {
  return lines.flatMap((line, at) => {
    const [, given] = /^\s{0,200}suppress\(([^()]{0,200})\)\s{0,4}do\b/.exec(line) ?? [];
    if (given !== undefined) return caughtInRuby.test(given) ? from(at, lastIndented(lines, at)) : [];
    const [, caught] = /^\s{0,200}rescue\b(.{0,200})/.exec(line) ?? [];
    if (caught === undefined || !caughtInRuby.test(caught)) return [];
    let start = at - 1;
    while (start > 0 && (lines[start]?.trim() === "" || indentOf(lines[start] ?? "") > indentOf(line))) start -= 1;
    return isInert(lines.slice(at + 1, lastIndented(lines, at) + 1)) ? from(start, at - 1) : [];
  });
}

/** What is caught where tests of a language fail: by the ends of files; of others, and where nothing is named, everything is. */
const caughtInBraces: readonly (readonly [RegExp, RegExp])[] = [
  [/\.(?:java|kts?|groovy|scala)$/i, /^(?:Throwable|Error|\w{0,60}Assert\w{0,60})$/],
  [/\.(?:php|phpt|cs)$/i, /^(?:Throwable|Exception|\w{0,60}(?:Assert|ExpectationFailed)\w{0,60})$/],
];

function inBraces(tokens: readonly Token[], path: string): number[] {
  const caught = caughtInBraces.find(([ending]) => ending.test(path))?.[1] ?? null;
  const ends = bracketEnds(tokens);
  const begins = new Map([...ends].map(([begin, end]) => [end, begin]));
  const endOf = (at: number): number => ends.get(at) ?? -1;
  return tokens.flatMap(({ text, line }, at) => {
    if (text === "catch" && tokens[at - 1]?.text === ".") return inChain(tokens, at, { endOf, begins });
    if (text !== "try" || tokens[at - 1]?.text === ".") return [];
    const body = tokens[at + 1]?.text === "(" ? endOf(at + 1) + 1 : at + 1;
    const end = tokens[body]?.text === "{" ? endOf(body) : -1;
    if (end === -1 || tokens[end + 1]?.text !== "catch") return [];
    const hasName = tokens[end + 2]?.text === "(";
    const named = hasName ? tokens.slice(end + 3, endOf(end + 2)) : [];
    const open = hasName ? endOf(end + 2) + 1 : end + 2;
    const words = named.filter(({ type }) => type === "word");
    if (caught !== null && words.length > 0 && !words.some((each) => caught.test(each.text))) return [];
    const last = tokens[open]?.text === "{" ? endOf(open) : -1;
    const isRead = last !== -1 && last - open <= longestChain;
    return isRead && isInertBlock(tokens.slice(open + 1, last)) ? from(line, tokens[end]?.line ?? line) : [];
  });
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

/** `expect(price()).resolves.toBe(3).catch(() => {})`. */
function inChain(tokens: readonly Token[], at: number, { endOf, begins }: Brackets): number[] {
  const end = endOf(at + 1);
  if (end === -1 || end - at > longestChain) return [];
  const handler = tokens.slice(at + 1, end).map(({ text }) => text);
  if (!/=>(?:\{\}|undefined|null)$|^\((?:\w{0,10}noop)$/.test(handler.join(""))) return [];
  let start = at - 2;
  while (start > at - longestChain) {
    start = begins.has(start) ? (begins.get(start) ?? start) - 1 : start;
    if (tokens[start - 1]?.text !== ".") break;
    start -= 2;
  }
  const chain = tokens.slice(Math.max(0, start), at).map(({ text }) => text);
  return asserts(chain.join("")) ? from(tokens[start]?.line ?? 0, tokens[at]?.line ?? 0) : [];
}
