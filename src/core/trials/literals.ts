import { closingAt } from "./brackets.ts";
import { isPythonFile, isShellFile, quotesLetters } from "./languages.ts";
import type { Token } from "./tokens.ts";

/** Decides which literals of a file are values that it tests or uses, and which only frame it, such as titles and imports. */

/** Where single quotes enclose one letter, a longer match is no literal: it is a Rust lifetime or an apostrophe. */
const letter = /^'(?:[^'\\]|\\.[^']{0,10})'$/su;

/** True for a number, a string or a boolean that could have another value. */
export function isValue({ type, text }: Token, path = ""): boolean {
  if (type === "number") return true;
  if (type !== "string") return /^(?:true|false|True|False)$/.test(text);
  return text.length > 1 && (!quotesLetters(path) || !text.startsWith("'") || letter.test(text));
}

/** True for the first argument of a function that defines a test or a group of tests. */
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

/** True when a line loads a module or a file. */
export function isImport(line: string): boolean {
  const text = line.slice(0, 400);
  return imports.some((each) => each.test(text));
}

/** True when a line ends a process. */
export function isExit(line: string): boolean {
  return /\bexit\b|_exit|\bkill\b|\babort\b/i.test(line.slice(0, 400));
}

/** True when a line asserts something, judged by its words. */
export function isAssertion(line: string): boolean {
  const text = line.slice(0, 400);
  return asserting.test(text) || ofPerl.test(text);
}

const asserting = /assert|expect|should|\bequal|\.to[A-Z]|\bis[A-Z(]|\braises\b|\bok\(|\bt\./i;
/** Test::More, with brackets and without. */
const ofPerl = /\b(?:is_deeply|isnt|cmp_ok|isa_ok|can_ok|unlike)\b|^\s{0,20}(?:is|ok|like)[\s(]\s{0,5}[\w$'"@%&(]/;

/** True for the name of an asserting call. */
export function isAsserting(name: string): boolean {
  return /^(?:assert\w*|expect|should|\w*[eE]quals?|to[A-Z]\w*|is[A-Z]\w*|ok|is|isnt|is_deeply|cmp_ok|like|unlike|same|not|match|raises)$/.test(
    name,
  );
}

/** True when a line says where files lie, or how many tests there are. */
export function isFrame(line: string): boolean {
  const places =
    /__DIR__|__FILE__|__file__|__dirname|__filename|import\.meta\.|\bsys\.path\b|\$LOAD_PATH|\bFindBin\b|\bchdir\b|\bdirname\b|^\s{0,20}cd\s/;
  return places.test(line.slice(0, 400)) || isPlan(line);
}

function isPlan(line: string): boolean {
  return /\bplan\b|\bexpect\.assertions\b|\bdone_testing\b|["']1\.\.\d|\btests\s{0,5}=>/.test(line.slice(0, 400));
}

const ends = /^(?:_?_?exit|_Exit|Exit|quick_exit|exitCode|exit_code|SystemExit|ExitCode|abort|halt|die)$/;
/** Usual names of variables that count or collect failures. */
const counters = /^(?:\w{0,30}(?:fail|error|wrong|problem|mismatch|broken)\w{0,10}|bad)$/i;
const results = /^(?:ok|passed|status|rc|ret)$/i;
const words = /^(?:if|else|elif|unless|not|and|or|then|return|process|sys|os|std|int|Number|main|end|fi|do|done)$/;

/**
 * Start offsets of values that decide how a test file ends, whatever it compares: values after `exit` on its line, values that `main`
 * returns, initial values of failure counters, and the number of planned tests. In a shell also redirections and arguments that are not
 * compared. If one is changed, the file fails by itself. Linear in the tokens.
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

/** True when the code that ends a process is called or set. An exit code that a test inspects is neither: `equal(result.exitCode, 2)`. */
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

/** Shell commands that compare, and assignments, whose value may be compared later. */
const comparing = /(?:^|[\s;&|!(])(?:\[\[?|test|diff|cmp|comm|e?grep|jq|awk|case|expr)\s|^\s{0,40}\w{1,60}=|\bassert/;

/** True in a shell for arguments on a line that compares nothing, and for paths: `find src -name '*.java'`. */
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

/** The lines of a function `main`, whose return value ends the process. */
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
