import { isScriptFile, isShellFile } from "./languages.ts";
import { isComputed } from "./loading.ts";
import { nameIn, type Token } from "./tokens.ts";

/**
 * Names of JavaScript runners that are also everyday words, alone or with another word: a coffee, a tea, a colour (`"mocha"`,
 * `"catppuccin-mocha"`). What a runner sets, or is loaded by, looks different (`JEST_WORKER_ID`, `@jest/globals`, `mocha/lib`).
 */
const everyDay = /^(?:[a-z]{1,20}[- ]){0,2}(?:mocha|chai|jest|jasmine)(?:[- ][a-z]{1,20}){0,2}$/i;

/** Names by which a file learns who runs it, loads a module by name, or starts a program. */
const asking =
  /^(?:argv0?|execArgv|args|environ|env|getenv|stack|captureStackTrace|prepareStackTrace|mainModule|moduleLoadList|modules|createRequire|getBuiltinModule|__import__|importlib|import_module|find_spec|spawn\w{0,10}|exec\w{0,10}|fork\w{0,10}|system|popen|subprocess|command|processbuilder|npx|resolve|glob)$/i;
const wholes = /^(?:require|process|globalThis|global|window|self|this|sys|os)$/;

/** True when a file contains anything that could compare such a word with who runs it, or load a module of that name. */
export function asksWhoRuns(tokens: readonly Token[]): boolean {
  return tokens.some((token, index) => {
    const name = nameIn(token) ?? "";
    if (asking.test(name) || isComputed(tokens, index)) return true;
    if (token.type !== "word" || !wholes.test(name)) return false;
    const [next, behind, end] = [tokens[index + 1]?.text, tokens[index + 2], tokens[index + 3]?.text];
    // A member is judged by its own name, a loaded module by its string.
    const isPlain = next === "." || (name === "require" && next === "(" && behind?.type === "string" && end === ")");
    return !isPlain && tokens[index - 1]?.text !== "." && tokens[index - 1]?.text !== "import";
  });
}

/**
 * True when the word there does not mean a runner, in a file that does not check who runs it: a list element, a value, a key, a type, or a
 * compared string. False for an argument of a call and for a loaded module (`import "chai"`).
 */
export function isEverydayWord(tokens: readonly Token[], index: number, path: string): boolean {
  const [before, token, next] = [tokens[index - 1]?.text ?? "", tokens[index], tokens[index + 1]?.text ?? ""];
  if (token === undefined || isShellFile(path) || !everyDay.test(nameIn(token) ?? "")) return false;
  if (token.type === "word") return !isScriptFile(path) || (next === ":" && /^[{,]$/.test(before));
  return !/^(?:from|import|\(|in)$/.test(before) && next !== "in";
}
