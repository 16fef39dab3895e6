import { closingAt } from "./brackets.ts";
import { isPythonFile, isShellFile, quotesLetters } from "./languages.ts";
import type { Token } from "./tokens.ts";

/** Which literals of a file are values of what it tests or does, and not what it is made of. */

/** Where a quote stands around one letter, what is longer is none: a lifetime of Rust, an apostrophe. */
const letter = /^'(?:[^'\\]|\\.[^']{0,10})'$/su;

/** A number, a text or a truth value that may be another one. */
export function isValue({ type, text }: Token, path = ""): boolean {
  if (type === "number") return true;
  if (type !== "string") return /^(?:true|false|True|False)$/.test(text);
  return text.length > 1 && (!quotesLetters(path) || !text.startsWith("'") || letter.test(text));
}

/** The first argument of what defines a test or a group of them, and of what it is said to be. */
export function isTitle(tokens: readonly Token[], index: number): boolean {
  const [name, open] = [tokens[index - 2], tokens[index - 1]];
  return (
    tokens[index]?.type === "string" &&
    open?.text === "(" &&
    /^(?:test|it|describe|suite|context|only|skip|todo|each|specify)$/.test(name?.text ?? "")
  );
}

const imports: readonly RegExp[] = [
  /^\s{0,20}(?:\}\s{0,5})?(?:import|from|export .{0,200}from|#\s{0,5}include|use|using|package|autoload)\b/,
  /^[^"'`]{0,80}(?:^|[=;@]|\breturn)\s{0,20}(?:require|include)(?:_once|_relative)?\s{1,5}[^=\s]/,
  /^\s{0,20}(?:load\s{1,5}["']|(?:source|\.)\s)|\b(?:require|import|dofile|include_once|require_once)\s?\(/,
];

/** Whether a line names what is loaded. */
export function isImport(line: string): boolean {
  const text = line.slice(0, 400);
  return imports.some((each) => each.test(text));
}

/** Whether a line says how a process ends. */
export function isExit(line: string): boolean {
  return /\bexit\b|_exit|\bkill\b|\babort\b/i.test(line.slice(0, 400));
}

/** Whether a line asserts something, by its words. */
export function isAssertion(line: string): boolean {
  const text = line.slice(0, 400);
  return asserting.test(text) || ofPerl.test(text);
}

const asserting = /assert|expect|should|\bequal|\.to[A-Z]|\bis[A-Z(]|\braises\b|\bok\(|\bt\./i;
/** Test::More, with brackets and without. */
const ofPerl = /\b(?:is_deeply|isnt|cmp_ok|isa_ok|can_ok|unlike)\b|^\s{0,20}(?:is|ok|like)[\s(]\s{0,5}[\w$'"@%&(]/;

/** The name of a call that asserts. */
export function isAsserting(name: string): boolean {
  return /^(?:assert\w*|expect|should|\w*[eE]quals?|to[A-Z]\w*|is[A-Z]\w*|ok|is|isnt|is_deeply|cmp_ok|like|unlike|same|not|match|raises)$/.test(
    name,
  );
}

/** Whether a line says where something lies, or how many tests there are. */
export function isFrame(line: string): boolean {
  const places =
    /__DIR__|__FILE__|__file__|__dirname|__filename|import\.meta\.|\bsys\.path\b|\$LOAD_PATH|\bFindBin\b|\bchdir\b|\bdirname\b|^\s{0,20}cd\s/;
  return places.test(line.slice(0, 400)) || isPlan(line);
}

function isPlan(line: string): boolean {
  return /\bplan\b|\bexpect\.assertions\b|\bdone_testing\b|["']1\.\.\d|\btests\s{0,5}=>/.test(line.slice(0, 400));
}

const ends = /^(?:_?_?exit|_Exit|Exit|quick_exit|exitCode|exit_code|SystemExit|ExitCode|abort|halt|die)$/;
/** What people call what they count failures in, or keep them in. */
const counters = /^(?:\w{0,30}(?:fail|error|wrong|problem|mismatch|broken)\w{0,10}|bad)$/i;
const results = /^(?:ok|passed|status|rc|ret)$/i;
const words = /^(?:if|else|elif|unless|not|and|or|then|return|process|sys|os|std|int|Number|main|end|fi|do|done)$/;

/**
 * Places of values by which a test file says how it ends, whatever it compares: what stands behind `exit` in its line or is returned by
 * `main`, what its counters of failures begin with, and how many tests it plans. One that is changed fails by itself. Linear in the tokens.
 */
export function endingsIn(tokens: readonly Token[], lines: readonly string[], path: string): ReadonlySet<number> {
  const found = new Set<number>();
  const names = new Set<string>();
  const returns = mainOf(tokens, lines, path);
  let line = -1;
  for (const [at, token] of tokens.entries()) {
    const isReturned = token.text === "return" && returns.has(token.line);
    if (token.type === "word" && (isReturned || isEnding(tokens, at))) line = token.line;
    if (token.line !== line) continue;
    found.add(token.start);
    if (token.type === "word" && !words.test(token.text) && !ends.test(token.text) && tokens[at + 1]?.text !== "(")
      names.add(nameOf(token));
  }
  const isCounter: IsCounter = (token, isSet) => {
    if (token?.type !== "word") return false;
    const name = nameOf(token);
    return names.has(name) || counters.test(name) || (isSet && results.test(name));
  };
  for (const [at, token] of tokens.entries()) {
    const text = lines[token.line] ?? "";
    const isCounted = isBeginning(tokens, at, isCounter) || (!isAssertion(text) && isAsked(tokens, at, isCounter));
    const isMade = isRedirected(tokens, at, path) || isMereArgument(token, text, path);
    if (isPlan(text) || isCounted || isMade) found.add(token.start);
  }
  return found;
}

type IsCounter = (token: Token | undefined, isSet: boolean) => boolean;

/** What ends a process is called, or set; what a test is told of it is neither: `equal(result.exitCode, 2)`. */
function isEnding(tokens: readonly Token[], at: number): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (token === undefined || !ends.test(token.text)) return false;
  const isAssigned = next?.text === "=" && tokens[at + 2]?.text !== "=";
  if (/^exit_?code$/i.test(token.text) && next?.text !== ":") return isAssigned;
  if (next === undefined || next.line !== token.line) return false;
  return next.text === "(" || next.text === ":" || next.type === "number" || next.type === "word";
}

function nameOf({ text }: Token): string {
  return text.replace(/^\$/, "");
}

/** `failed = 0`, `let failed: number = 0;`, `failed += 1`. */
function isBeginning(tokens: readonly Token[], at: number, isCounter: IsCounter): boolean {
  const [token, sign, next] = [tokens[at], tokens[at - 1], tokens[at + 1]];
  if (token === undefined || !/^[-+|&]?=$/.test(sign?.text ?? "")) return false;
  if (next !== undefined && next.line === token.line && !/^[;,}]$/.test(next.text)) return false;
  // `failed := 0`, `failed: number = 0`.
  const back = tokens[at - 2]?.text === ":" ? 3 : tokens[at - 3]?.text === ":" ? 4 : 2;
  const named = tokens[at - back];
  return named?.line === token.line && isCounter(named, true);
}

/** By which a shell compares, or keeps what it compares with. */
const comparing = /(?:^|[\s;&|!(])(?:\[\[?|test|diff|cmp|comm|e?grep|jq|awk|case|expr)\s|^\s{0,40}\w{1,60}=|\bassert/;

/** In a shell, what a program is given where nothing is compared, and paths: `find src -name '*.java'`. */
function isMereArgument({ type, text }: Token, line: string, path: string): boolean {
  if (!isShellFile(path) || type === "word") return false;
  return !comparing.test(line.slice(0, 400)) || /[*?]\.|^["']?\.{1,2}\//.test(text);
}

/** `failed === 0`. */
function isAsked(tokens: readonly Token[], at: number, isCounter: IsCounter): boolean {
  const isBound = /^(?:[=!]==?|[<>]=?)$/.test(tokens[at - 1]?.text ?? "");
  return isBound && /^[01]$/.test(tokens[at]?.text ?? "") && isCounter(tokens[at - 2], false);
}

/** `2>&1` in a shell. */
function isRedirected(tokens: readonly Token[], at: number, path: string): boolean {
  if (!isShellFile(path) || tokens[at]?.type !== "number") return false;
  return tokens[at + 1]?.start === tokens[at]?.end && /^[<>]/.test(tokens[at + 1]?.text ?? "");
}

/** The lines of a function `main`, of which a process ends with what it returns. */
function mainOf(tokens: readonly Token[], lines: readonly string[], path: string): ReadonlySet<number> {
  const at = tokens.findIndex(
    ({ text }, index) =>
      text === "main" &&
      tokens[index + 1]?.text === "(" &&
      /^(?:def|int|function|fn)$/.test(tokens[index - 1]?.text ?? ""),
  );
  const first = tokens[at]?.line ?? lines.length;
  if (at === -1) return new Set();
  const body = tokens.slice(at, at + 30).findIndex(({ text }) => text === "{");
  const last = isPythonFile(path)
    ? lines.findIndex((line, index) => index > first && /^\S/.test(line)) - 1
    : (tokens[body === -1 ? -1 : closingAt(tokens, at + body)]?.line ?? -1);
  const end = last < first ? lines.length - 1 : last;
  return new Set(Array.from({ length: end - first + 1 }, (_each, index) => first + index));
}
