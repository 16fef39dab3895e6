import { type Token, tokensOf } from "./tokens.ts";

/**
 * What a source begins to say that has to do with how it is run (PROOF.md, *Out of reach*): by such words code tells a test
 * from use, or changes what tests compare with. Comments are not read; a name that is put together at run time is not seen.
 */
export interface Surroundings {
  /** Runners and libraries of assertions. */
  readonly runners: readonly string[];
  /** Its stack, its arguments, the clock, how it ends, what all code shares. */
  readonly looks: readonly string[];
}

/** Part of a longer name too: `VITEST_WORKER_ID`, `__jest__`. */
const runnerNames = /(?:^|[^a-z])(vitest|pytest|jest|mocha|jasmine|chai|unittest|playwright|qunit)(?:$|[^a-z])/i;

/** Modules by their whole name, for they are words of other things, too. */
const runnerModules = /^(?:node:test|bun:test|tape|tap|ava|uvu|expect|sinon|should|@jest|@vitest)(?:\/|$)/;

/** Members by the name before the dot. */
const members: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [
    "process: exit exitCode reallyExit abort kill argv argv0 execArgv env hrtime getBuiltinModule binding",
    "sys: exit argv orig_argv _getframe modules settrace meta_path",
    "os: _exit abort kill environ getenv",
    "require: main cache",
    "meta: main",
    "Module: _load",
    "Error: captureStackTrace prepareStackTrace",
    "inspect: stack",
    "traceback: extract_stack format_stack",
    "Date: now",
    "performance: now",
    "time: time monotonic",
    "datetime: now today utcnow",
    "Object: prototype",
    "Array: prototype",
    "Function: prototype",
  ].map((line) => {
    const [owner = "", names = ""] = line.split(": ");
    return [owner, names.split(" ")];
  }),
);

const words: ReadonlySet<string> = new Set(
  "_exit captureStackTrace prepareStackTrace _getframe __proto__ globalThis builtins eval atexit NODE_TEST_CONTEXT".split(
    " ",
  ),
);

/** In a shell a plain word is a command. */
const shellWords: ReadonlySet<string> = new Set(["exit", "trap", "kill", "exec", "caller", "FUNCNAME", "BASH_SOURCE"]);

/** What `text` says of its surroundings that `before` did not: in the order in which it comes. `before` is null for a new file. */
export function newSurroundings(path: string, text: string, before: string | null): Surroundings {
  const known = before === null ? { runners: [], looks: [] } : surroundingsIn(path, before);
  const now = surroundingsIn(path, text);
  return {
    runners: now.runners.filter((each) => !known.runners.includes(each)),
    looks: now.looks.filter((each) => !known.looks.includes(each)),
  };
}

function surroundingsIn(path: string, text: string): Surroundings {
  const isShell = /\.(?:sh|bash|ksh|zsh)$/i.test(path);
  const tokens = tokensOf(text, path);
  const runners = new Set<string>();
  const looks = new Set<string>();
  for (const [index, token] of tokens.entries()) {
    const runner = runnerIn(token);
    if (runner !== null) runners.add(runner);
    if (token.type !== "word") continue;
    const member = memberAt(tokens, index);
    if (member !== null) looks.add(member);
    if (isComputed(tokens, index)) looks.add(`${token.text}() of what is computed`);
    if (words.has(token.text) || (isShell && shellWords.has(token.text))) looks.add(token.text);
  }
  return { runners: [...runners], looks: [...looks] };
}

/** A sentence that speaks of a runner is none; the name of a module or of a variable is. */
function runnerIn({ type, text }: Token): string | null {
  if (type !== "word" && type !== "string") return null;
  const name = type === "string" ? text.slice(1, -1) : text;
  if (name.length > 100 || /\s/.test(name)) return null;
  const found = runnerNames.exec(name)?.[1];
  if (found !== undefined) return found.toLowerCase();
  return type === "string" && runnerModules.test(name) ? name : null;
}

/** A module whose name is no plain text. */
function isComputed(tokens: readonly Token[], index: number): boolean {
  const [loader, open, what] = [tokens[index], tokens[index + 1], tokens[index + 2]];
  if (!/^(?:import|require|__import__|import_module)$/.test(loader?.text ?? "") || open?.text !== "(") return false;
  return what !== undefined && what.text !== ")" && (what.type !== "string" || what.text.includes("${"));
}

/** "process.exit", of `process . exit` and `process?.exit`. */
function memberAt(tokens: readonly Token[], index: number): string | null {
  const [owner, ...signs] = [tokens[index - 3], tokens[index - 2], tokens[index - 1]];
  const dot = signs.at(-1)?.text;
  if (dot !== ".") return null;
  const before = signs[0]?.text === "?" ? owner : signs[0];
  const name = tokens[index]?.text ?? "";
  if (before?.type !== "word" || !Object.hasOwn(members, before.text)) return null;
  return members[before.text]?.includes(name) === true ? `${before.text}.${name}` : null;
}
