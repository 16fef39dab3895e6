import { isPythonFile, isShellFile } from "./languages.ts";
import { nameIn, type Token } from "./tokens.ts";
import { bracketAt, closingOf, isTypeAt } from "./type-places.ts";

/**
 * Counts how often source names something that knows the date or the age of its process. A new name counts too: `const { now } = Date`,
 * `import time as t`. A given date (`new Date(2060, 1)`) and a type (`at: Date`) do not count.
 */
export function clocksNamed(tokens: readonly Token[], path: string): number {
  const isPython = isPythonFile(path);
  const isShell = isShellFile(path);
  const isTyped = !/\.[cm]?jsx?$/i.test(path);
  const words = tokens.filter(({ type }) => type === "word");
  const imports = new Set(words.filter(({ text }) => text === "import").map(({ line }) => line));
  const hasDates = words.some(({ text }) => /^_?datetime$/.test(text));
  return tokens.filter((token, index) => {
    if (isShell) return isShellClock(token);
    return isPython ? isPythonClock(tokens, index, { imports, hasDates }) : isScriptClock(tokens, index, isTyped);
  }).length;
}

/** A plain word is a command, and a string may contain one: `"$(date +%Y)"`. */
function isShellClock({ type, text }: Token): boolean {
  if (type === "word") return text === "date" || /EPOCH(?:SECONDS|REALTIME)/.test(text);
  return type === "string" && /\$\(\s?date\b|%\([^)]{0,20}\)T/.test(text);
}

const scriptClocks = /^(?:timeOrigin|DateTimeFormat|Temporal|perf_hooks|node:perf_hooks)$/;

/** Clocks of the process: code that is right only while its process is young is wrong in use. The words name other things as well. */
const processClocks = /^(?:performance|uptime|hrtime)$/;

const globals = /^(?:globalThis|global|window|self|process)$/;

function isScriptClock(tokens: readonly Token[], index: number, isTyped: boolean): boolean {
  const token = tokens[index];
  const name = nameIn(token);
  if (token === undefined || name === null) return false;
  if (scriptClocks.test(name)) return true;
  if (name !== "Date" && !processClocks.test(name)) return false;
  if (token.type === "string") return isMemberName(tokens, index);
  if (ownerAt(tokens, index) || isOfGlobals(tokens, index)) return true;
  return name === "Date" ? isDate(tokens, index, isTyped) : isProcessClock(tokens, index);
}

/**
 * True for `global["Date"]`, `Reflect.get(globalThis, "Date")` and `const { ["Date"]: D } = globalThis`, but not for `["Date", "Price"]`.
 */
function isMemberName(tokens: readonly Token[], index: number): boolean {
  const [owner, before, next] = [tokens[index - 2], tokens[index - 1], tokens[index + 1]];
  if (isOfGlobals(tokens, index)) return true;
  if (before?.text === ",") return globals.test(owner?.text ?? "");
  if (before?.text !== "[" || next?.text !== "]") return false;
  // Also after `?.`.
  return owner?.type === "word"
    ? !/^(?:return|in|of|case|default|as)$/.test(owner.text)
    : /^[)\].]$/.test(owner?.text ?? "");
}

/** True for `globalThis.Date` and `process?.uptime`. */
function ownerAt(tokens: readonly Token[], index: number): boolean {
  if (tokens[index - 1]?.text !== ".") return false;
  const owner = tokens[index - 2]?.text === "?" ? tokens[index - 3] : tokens[index - 2];
  return globals.test(owner?.text ?? "");
}

/**
 * For a name within braces, the token of the object that it is taken from, as `globalThis` in `const { Date: D } = globalThis`; -1 when
 * there is none.
 */
function takenAt(tokens: readonly Token[], index: number): number {
  const open = bracketAt(tokens, index);
  const around = tokens[open]?.text === "[" ? bracketAt(tokens, open) : open;
  if (tokens[around]?.text !== "{") return -1;
  const end = closingOf(tokens, around);
  return end !== -1 && tokens[end + 1]?.text === "=" ? end + 2 : -1;
}

function isOfGlobals(tokens: readonly Token[], index: number): boolean {
  return globals.test(tokens[takenAt(tokens, index)]?.text ?? "");
}

/** Operators and functions that check the type of a value. */
const kinds = /^(?:instanceof|any|isInstanceOf|toBeInstanceOf|instanceOf|isInstance)$/;

function isDate(tokens: readonly Token[], index: number, isTyped: boolean): boolean {
  const [before, next, behind] = [tokens[index - 1]?.text, tokens[index + 1]?.text, tokens[index + 2]?.text];
  if (next === ".") return !/^(?:parse|UTC|prototype)$/.test(behind ?? "");
  // With an argument it is a fixed date. Without one, or with a spread that may be empty, it is now.
  if (next === "(") return !(before === "new" && behind !== undefined && behind !== ")" && behind !== ".");
  if (before === "new") return true;
  if (/^(?:instanceof|typeof|case)$/.test(before ?? "") || /^[!=]==?$/.test(before ?? "")) return false;
  if (/^[!=]==?$/.test(next ?? "")) return false;
  if (before === "(" && next === ")" && kinds.test(tokens[index - 2]?.text ?? "")) return false;
  // A property, or a declaration, of that name.
  if (before === "." || next === ":") return false;
  return !(isTyped && isTypeAt(tokens, index));
}

function isProcessClock(tokens: readonly Token[], index: number): boolean {
  const [before, next, behind] = [tokens[index - 1]?.text, tokens[index + 1]?.text, tokens[index + 2]?.text];
  if (before === ".") {
    // A member of an object that its name does not identify: `g.performance.now()`, `running.uptime()`.
    if (tokens[index]?.text === "performance")
      return next === "." && /^(?:now|mark|measure|toJSON)$/.test(behind ?? "");
    return next === "(" || next === "[" || tokens[index]?.text === "hrtime";
  }
  if (next === "." || next === "(" || next === "[" || (next === "?" && behind === ".")) return true;
  // Another name for it is counted where it is assigned.
  if (before === "=") return next !== "=>";
  return isImported(tokens, index) || isGiven(tokens, index);
}

/** True for `import { performance as p } from "node:perf_hooks"` and `const { uptime } = require("node:process")`. */
function isImported(tokens: readonly Token[], index: number): boolean {
  const open = bracketAt(tokens, index);
  if (tokens[open]?.text !== "{") return tokens[index - 1]?.text === "import";
  if (/^(?:import|,)$/.test(tokens[open - 1]?.text ?? "")) return tokens[closingOf(tokens, open) + 1]?.text === "from";
  const taken = takenAt(tokens, index);
  return taken !== -1 && (tokens[taken]?.text === "require" || tokens[taken + 1]?.text === "import");
}

/** True for an argument of a call, as in `young(performance)`, but not for `function score(performance) {`. */
function isGiven(tokens: readonly Token[], index: number): boolean {
  if (!/^[,(]$/.test(tokens[index - 1]?.text ?? "") || !/^[,)]$/.test(tokens[index + 1]?.text ?? "")) return false;
  const open = bracketAt(tokens, index);
  const callee = tokens[open - 1];
  if (tokens[open]?.text !== "(" || tokens[open - 2]?.text === "function" || callee?.text === "function") return false;
  return (
    (callee?.type === "word" || callee?.text === ")") &&
    !/^(?:\{|=>|:)$/.test(tokens[closingOf(tokens, open) + 1]?.text ?? "")
  );
}

const pythonModules = /^(?:time|datetime|_datetime|_time)$/;
const pythonClocks =
  /^(?:time|localtime|gmtime|strftime|ctime|asctime|clock_gettime|monotonic|perf_counter|process_time)(?:_ns)?$/;
const pythonDays = /^(?:now|today|utcnow)$/;

function isPythonClock(
  tokens: readonly Token[],
  index: number,
  { imports, hasDates }: { readonly imports: ReadonlySet<number>; readonly hasDates: boolean },
): boolean {
  const [owner, dot, token] = [tokens[index - 2], tokens[index - 1], tokens[index]];
  if (token === undefined) return false;
  const given = dot?.text === "(" && isLoading(owner?.text);
  if (token.type === "string") return given && pythonModules.test(token.text.slice(1, -1));
  if (token.type !== "word") return false;
  // Another name for the module is counted where it is imported; a date, where the current day is asked for.
  if (/^_?time$/.test(token.text) && imports.has(token.line) && isRenamed(tokens, index)) return true;
  if (token.text === "formatdate") return true;
  if (dot?.text !== ".") return false;
  if (owner?.text === "time") return pythonClocks.test(token.text);
  if (!pythonDays.test(token.text)) return false;
  return tokens[index + 1]?.text === "(" || /date/i.test(owner?.text ?? "") || (hasDates && owner?.text !== "self");
}

function isLoading(name: string | undefined): boolean {
  return name === "__import__" || name === "import_module";
}

/** Maximum number of tokens of an import that are read. */
const mostNames = 100;

/** True for `import time as t` and `from time import time`, but not for `from time import sleep`. */
function isRenamed(tokens: readonly Token[], index: number): boolean {
  const [before, token, next] = [tokens[index - 1], tokens[index], tokens[index + 1]];
  if (next?.text === "as" && next.line === token?.line && before?.text !== "from") return !isFromModule(tokens, index);
  if (before?.text !== "from" || next?.text !== "import") return false;
  const open = index + 2;
  const end = tokens[open]?.text === "(" ? closingOf(tokens, open) : -1;
  for (let at = open; at < open + mostNames; at += 1) {
    const each = tokens[at];
    const isSameLine = each?.line === tokens[at - 1]?.line || tokens[at - 1]?.text === "\\";
    if (end === -1 ? !isSameLine : at > end) break;
    if (each?.text === "*" || pythonClocks.test(each?.text ?? "")) return true;
  }
  return false;
}

/** True within an import such as `from datetime import time as t`. */
function isFromModule(tokens: readonly Token[], index: number): boolean {
  const near = tokens.slice(Math.max(0, index - mostNames), index);
  return near.some(({ text, line }) => text === "from" && line === tokens[index]?.line);
}
