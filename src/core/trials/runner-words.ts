import { isScriptFile, isShellFile } from "./languages.ts";
import { isComputed } from "./loading.ts";
import { nameIn, type Token } from "./tokens.ts";

/**
 * Runners of JavaScript whose names are words of every day, alone or with another one: a coffee, a tea, a colour (`"mocha"`,
 * `"catppuccin-mocha"`). What a runner sets or is loaded by has other signs (`JEST_WORKER_ID`, `@jest/globals`, `mocha/lib`).
 */
const everyDay = /^(?:[a-z]{1,20}[- ]){0,2}(?:mocha|chai|jest|jasmine)(?:[- ][a-z]{1,20}){0,2}$/i;

/** By these a file learns who runs it, loads by a name, or starts what has one. */
const asking =
  /^(?:argv0?|execArgv|args|environ|env|getenv|stack|captureStackTrace|prepareStackTrace|mainModule|moduleLoadList|modules|createRequire|getBuiltinModule|__import__|importlib|import_module|find_spec|spawn\w{0,10}|exec\w{0,10}|fork\w{0,10}|system|popen|subprocess|command|processbuilder|npx|resolve|glob)$/i;
const wholes = /^(?:require|process|globalThis|global|window|self|this|sys|os)$/;

/** Whether a file says anything by which such a word could tell it that it is tested, or could load what is called so. */
export function asksWhoRuns(tokens: readonly Token[]): boolean {
  return tokens.some((token, index) => {
    const name = nameIn(token) ?? "";
    if (asking.test(name) || isComputed(tokens, index)) return true;
    if (token.type !== "word" || !wholes.test(name)) return false;
    const [next, behind, end] = [tokens[index + 1]?.text, tokens[index + 2], tokens[index + 3]?.text];
    // A member of it is told by its own name, a module that is loaded by the text.
    const isPlain = next === "." || (name === "require" && next === "(" && behind?.type === "string" && end === ")");
    return !isPlain && tokens[index - 1]?.text !== "." && tokens[index - 1]?.text !== "import";
  });
}

/**
 * Whether the word there is none of a runner in a file that asks nobody who runs it: an element of a list, a value, a key, a type,
 * what another text is compared with; and not what is given to a call or loaded (`import "chai"`).
 */
export function isEverydayWord(tokens: readonly Token[], index: number, path: string): boolean {
  const [before, token, next] = [tokens[index - 1]?.text ?? "", tokens[index], tokens[index + 1]?.text ?? ""];
  if (token === undefined || isShellFile(path) || !everyDay.test(nameIn(token) ?? "")) return false;
  if (token.type === "word") return !isScriptFile(path) || (next === ":" && /^[{,]$/.test(before));
  return !/^(?:from|import|\(|in)$/.test(before) && next !== "in";
}
