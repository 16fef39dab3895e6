import type { Token } from "./tokens.ts";

/**
 * How often a source names what knows the date, or how long its process has run, by whatever name it calls it then:
 * `const { now } = Date` and `import time as t` too. A date that is given (`new Date(2060, 1)`) is none.
 */
export function clocksNamed(tokens: readonly Token[], path: string): number {
  const isPython = /\.pyi?$/i.test(path);
  const isShell = /\.(?:sh|bash|ksh|zsh)$/i.test(path);
  const imports = new Set(
    tokens.filter(({ type, text }) => type === "word" && text === "import").map(({ line }) => line),
  );
  return tokens.filter((token, index) => {
    if (isShell) return isShellClock(token);
    return isPython ? isPythonClock(tokens, index, imports) : isScriptClock(tokens, index);
  }).length;
}

/** A plain word is a command, and a text may hold one: `"$(date +%Y)"`. */
function isShellClock({ type, text }: Token): boolean {
  if (type === "word") return text === "date" || /EPOCH(?:SECONDS|REALTIME)/.test(text);
  return type === "string" && /\$\(\s?date\b|%\([^)]{0,20}\)T/.test(text);
}

/** Of a process too: what is right only while it is young is wrong in use. */
const scriptClocks = /^(?:timeOrigin|DateTimeFormat|Temporal|performance|perf_hooks|node:perf_hooks|uptime|hrtime)$/;

function isScriptClock(tokens: readonly Token[], index: number): boolean {
  const [before, token, next, behind] = [tokens[index - 1], tokens[index], tokens[index + 1], tokens[index + 2]];
  if (token === undefined || (token.type !== "word" && token.type !== "string")) return false;
  const name = token.type === "string" ? token.text.slice(1, -1) : token.text;
  if (scriptClocks.test(name)) return true;
  if (token.type === "string") return name === "Date" && before?.text === "[";
  if (name !== "Date" || before?.text === "instanceof") return false;
  if (next?.text === "." && /^(?:parse|UTC|prototype)$/.test(behind?.text ?? "")) return false;
  // What is given is a date of its own; nothing, or what may be nothing, is now.
  const isGiven = next?.text === "(" && behind !== undefined && behind.text !== ")" && behind.text !== ".";
  return !(before?.text === "new" && isGiven);
}

const pythonModules = /^(?:time|datetime|_datetime|_time)$/;
const pythonClocks =
  /^(?:time|localtime|gmtime|strftime|ctime|asctime|clock_gettime|monotonic|perf_counter|process_time)(?:_ns)?$/;

function isPythonClock(tokens: readonly Token[], index: number, imports: ReadonlySet<number>): boolean {
  const [owner, dot, token] = [tokens[index - 2], tokens[index - 1], tokens[index]];
  if (token === undefined) return false;
  const given = dot?.text === "(" && isLoading(owner?.text);
  if (token.type === "string") return given && pythonModules.test(token.text.slice(1, -1));
  if (token.type !== "word") return false;
  // Under another name than its own it is seen where it gets that name.
  if (pythonModules.test(token.text) && imports.has(token.line)) return isRenamed(tokens, index);
  if (token.text === "formatdate") return true;
  if (dot?.text !== ".") return false;
  if (owner?.text === "time") return pythonClocks.test(token.text);
  return /^(?:now|today|utcnow)$/.test(token.text) && /date/i.test(owner?.text ?? "");
}

function isLoading(name: string | undefined): boolean {
  return name === "__import__" || name === "import_module";
}

/** `import time as t`, `from time import time`, `from datetime import datetime as d`. */
function isRenamed(tokens: readonly Token[], index: number): boolean {
  const [before, token, next] = [tokens[index - 1], tokens[index], tokens[index + 1]];
  if (next?.text === "as" && next.line === token?.line) return true;
  return before?.text === "from" && token?.text !== "datetime" && token?.text !== "_datetime";
}
