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

/** The same script without anything in it: nothing is left that fails. */
export function onlyPassing(path: string, text: string): Edit | null {
  if (!failing.some(([ending]) => ending.test(path))) return null;
  return { path, text: `${firstLine(text)}\n`, what: `${path} did nothing` };
}

/**
 * A test script that does nothing but fail, where it is built from the first that it does, in words that who only reads it has nothing against: a command that fails with it
 * runs it. Null where it is not known how to write one.
 */
export function onlyFailing(path: string, text: string): Edit | null {
  const what = `${path} did nothing but fail`;
  const body = failing.find(([ending]) => ending.test(path))?.[1];
  if (body !== undefined) return { path, text: `${firstLine(text)}${body}\n`, what };
  const beginning = beginnings.find(([ending]) => ending.test(path));
  const at = beginning === undefined ? null : mainAt(path, text);
  return at === null ? null : { path, text: `${text.slice(0, at)} ${beginning?.[2] ?? ""}${text.slice(at)}`, what };
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

/** Types of TypeScript that are declared and no program. */
export function isDeclaration(path: string): boolean {
  return /\.d\.[cm]?ts$/i.test(path);
}

/** In languages that are built, where others may use what else a program has: how it begins, and what it then does at once. */
const beginnings: readonly (readonly [RegExp, RegExp, string])[] = [
  [/\.(?:c|cc|cpp|cxx|c\+\+|m|mm)$/i, /^int$/, "return 97;"],
  [/\.java$/i, /^void$/, 'if (true) throw new AssertionError("a trial");'],
  [/\.go$/i, /^func$/, 'panic("a trial");'],
  [/\.rs$/i, /^fn$/, 'if true { panic!("a trial"); }'],
];

/** Behind the brace that opens `main`; null: it has none. */
function mainAt(path: string, text: string): number | null {
  const word = beginnings.find(([ending]) => ending.test(path))?.[1];
  const tokens = tokensOf(text, path);
  const at = tokens.findIndex(
    (token, index) =>
      token.text === "main" && tokens[index + 1]?.text === "(" && word?.test(tokens[index - 1]?.text ?? "") === true,
  );
  if (at === -1) return null;
  const end = closingAt(tokens, at + 1);
  const brace = end === -1 ? -1 : tokens.slice(end, end + longestType).findIndex((token) => token.text === "{");
  return brace === -1 ? null : (tokens[end + brace]?.end ?? null);
}

/** So many tokens may stand between the arguments of `main` and its body. */
const longestType = 12;

/** What says which program runs a script. */
function firstLine(text: string): string {
  const [first = ""] = text.split("\n", 1);
  return first.startsWith("#!") ? `${first}\n` : "";
}
