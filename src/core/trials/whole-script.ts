import { closingAt } from "./brackets.ts";
import type { Edit } from "./near-miss.ts";
import { tokensOf } from "./tokens.ts";

/** By the end of a file's name, a program that does nothing but fail. */
const failing: readonly (readonly [RegExp, string])[] = [
  [/\.(?:sh|bash|ksh|zsh|bats)$/i, "exit 97"],
  [/\.[cm]?[jt]sx?$/i, 'throw new Error("AssertionError: a trial");'],
  [/\.py$/i, 'raise AssertionError("a trial")'],
  [/\.rb$/i, 'raise "a trial"'],
  [/\.(?:p[lm]|t)$/i, 'die "a trial";'],
  [/\.lua$/i, 'error("a trial")'],
  [/\.php$/i, "<?php exit(97);"],
];

/** The same script with an empty body, or, in a compiled language, with a `main` that returns at once: nothing is left that fails. */
export function onlyPassing(path: string, text: string): Edit | null {
  const what = `${path} did nothing`;
  if (failing.some(([ending]) => ending.test(path))) return { path, text: `${firstLine(text)}\n`, what };
  return begunWith(path, text, ({ passes }) => passes, what);
}

/**
 * A test script that does nothing but fail, where it is built from the first that it does, in words that who only reads it has nothing against: a command that fails with it
 * runs it. Null where it is not known how to write one.
 */
export function onlyFailing(path: string, text: string): Edit | null {
  const what = `${path} did nothing but fail`;
  const body = failing.find(([ending]) => ending.test(path))?.[1];
  if (body !== undefined) return { path, text: `${firstLine(text)}${body}\n`, what };
  return begunWith(path, text, ({ fails }) => fails, what);
}

function begunWith(path: string, text: string, doing: (of: MainOf) => string, what: string): Edit | null {
  const beginning = beginnings.find(({ ending }) => ending.test(path));
  const at = beginning === undefined ? null : mainAt(path, text, beginning);
  return beginning === undefined || at === null
    ? null
    : { path, text: `${text.slice(0, at)} ${doing(beginning)}${text.slice(at)}`, what };
}

/**
 * A program of the source that fails when it has done all else: what it gives others is still there, so that who only reads or builds it has
 * nothing against it. Null where it is not known how to write one, and of declarations, which nobody runs.
 */
export function failingAtEnd(path: string, text: string): Edit | null {
  const body = failing.find(([ending]) => ending.test(path))?.[1];
  if (body === undefined || isDeclaration(path) || !/\.(?:[cm]?[jt]sx?|py|rb)$/i.test(path))
    return isDeclaration(path) ? null : onlyFailing(path, text);
  return { path, text: `${text}\n${body}\n`, what: `${path} failed at its end` };
}

/** True for a TypeScript declaration file, which is no program. */
export function isDeclaration(path: string): boolean {
  return /\.d\.[cm]?ts$/i.test(path);
}

/** In a language that is built, where others may use what else a program has. */
interface MainOf {
  readonly ending: RegExp;
  /** What stands before the name of `main`. */
  readonly word: RegExp;
  /** What it does first, and then nothing else. */
  readonly fails: string;
  readonly passes: string;
}

const beginnings: readonly MainOf[] = [
  { ending: /\.(?:c|cc|cpp|cxx|c\+\+|m|mm)$/i, word: /^int$/, fails: "return 97;", passes: "return 0;" },
  {
    ending: /\.java$/i,
    word: /^void$/,
    fails: 'if (true) throw new AssertionError("a trial");',
    passes: "if (true) return;",
  },
  { ending: /\.go$/i, word: /^func$/, fails: 'panic("a trial");', passes: "if true { return };" },
  { ending: /\.rs$/i, word: /^fn$/, fails: 'if true { panic!("a trial"); }', passes: "if true { return; }" },
];

/** The offset after the brace that opens `main`; null when there is none. */
function mainAt(path: string, text: string, { word }: MainOf): number | null {
  const tokens = tokensOf(text, path);
  const at = tokens.findIndex(
    (token, index) =>
      token.text === "main" && tokens[index + 1]?.text === "(" && word.test(tokens[index - 1]?.text ?? ""),
  );
  if (at === -1) return null;
  const end = closingAt(tokens, at + 1);
  const brace = end === -1 ? -1 : tokens.slice(end, end + longestType).findIndex((token) => token.text === "{");
  return brace === -1 ? null : (tokens[end + brace]?.end ?? null);
}

/** Maximum number of tokens between the arguments of `main` and its body. */
const longestType = 12;

/** What says which program runs a script. */
function firstLine(text: string): string {
  const [first = ""] = text.split("\n", 1);
  return first.startsWith("#!") ? `${first}\n` : "";
}
