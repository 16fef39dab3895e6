import { isPerlFile, isPhpFile, isShellFile } from "./languages.ts";
import { phpLookAt } from "./php.ts";
import type { Token } from "./tokens.ts";

/** Words by which source reads its stack, its arguments or the clock, decides how it ends, or reaches what all code shares. */

/** Members, by the name of their owner. */
const members: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [
    "process: exit exitCode reallyExit abort kill argv argv0 execArgv env hrtime getBuiltinModule binding title ppid connected channel send stdin",
    "sys: exit argv orig_argv _getframe modules settrace meta_path stdin flags gettrace path_hooks",
    "os: _exit abort kill environ getenv getppid isatty",
    "stdout: isTTY isatty",
    "stderr: isTTY isatty",
    "Math: random",
    "random: random randint choice shuffle uniform randrange",
    "crypto: randomInt getRandomValues randomBytes",
    "require: main cache",
    "module: parent children",
    "meta: main",
    "Module: _load",
    "Error: captureStackTrace prepareStackTrace",
    "inspect: stack",
    "traceback: extract_stack format_stack",
    "Date: now",
    "performance: now",
    "time: time time_ns monotonic localtime gmtime strftime",
    "datetime: now today utcnow",
    "date: today",
    "Object: prototype",
    "Array: prototype",
    "Function: prototype",
  ].map((line) => {
    const [owner = "", names = ""] = line.split(": ");
    return [owner, names.split(" ")];
  }),
);

const words: ReadonlySet<string> = new Set(
  "_exit captureStackTrace prepareStackTrace _getframe __proto__ globalThis builtins eval atexit".split(" "),
);

/** In a shell, a plain word is a command. */
const shellWords: ReadonlySet<string> = new Set(
  "exit trap kill exec caller date ps FUNCNAME BASH_SOURCE BASH_LINENO BASH_COMMAND RANDOM PPID EPOCHSECONDS SECONDS".split(
    " ",
  ),
);

/** Perl's blocks that run before or after everything else. */
const perlBlocks = /^(?:INIT|CHECK|UNITCHECK|END)$/;

/** Returns the words of this kind that begin at a token. */
export function looksAt(tokens: readonly Token[], index: number, path: string): string[] {
  const token = tokens[index];
  const isShell = isShellFile(path);
  if (isShell && token?.type === "string")
    return [...token.text.matchAll(/\$(?:\(\s?|\{[#!]?)(\w{1,20})/g)].flatMap(([, command = ""]) =>
      shellWords.has(command) ? [command] : [],
    );
  if (token?.type !== "word") return [];
  const { text } = token;
  const isPerl = isPerlFile(path) && (text === "caller" || (perlBlocks.test(text) && tokens[index + 1]?.text === "{"));
  const isOwn = words.has(text) || (isShell && shellWords.has(text)) || isPerl;
  const member = memberAt(tokens, index);
  const ofPhp = isPhpFile(path) ? phpLookAt(tokens, index) : null;
  return [
    ...(member === null ? [] : [member]),
    ...(isClock(tokens, index) ? ["new Date"] : []),
    ...(isOwn ? [text] : []),
    ...(ofPhp === null ? [] : [ofPhp]),
  ];
}

/** True for `new Date` without arguments, which is now. */
function isClock(tokens: readonly Token[], index: number): boolean {
  if (tokens[index]?.text !== "Date" || tokens[index - 1]?.text !== "new") return false;
  return tokens[index + 1]?.text !== "(" || tokens[index + 2]?.text === ")";
}

/** Returns "process.exit" for `process . exit` and `process?.exit`. */
function memberAt(tokens: readonly Token[], index: number): string | null {
  const [owner, ...signs] = [tokens[index - 3], tokens[index - 2], tokens[index - 1]];
  const dot = signs.at(-1)?.text;
  if (dot !== ".") return null;
  const before = signs[0]?.text === "?" ? owner : signs[0];
  const name = tokens[index]?.text ?? "";
  if (before?.type !== "word" || !Object.hasOwn(members, before.text)) return null;
  return members[before.text]?.includes(name) === true ? `${before.text}.${name}` : null;
}
