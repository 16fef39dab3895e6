import type { Edit } from "./near-miss.ts";

/** By the end of a file's name, a program that does nothing but fail. */
const failing: readonly (readonly [RegExp, string])[] = [
  [/\.(?:sh|bash|ksh|zsh|bats)$/i, "exit 97"],
  [/\.[cm]?[jt]sx?$/i, 'throw new Error("AssertionError: a trial");'],
  [/\.py$/i, 'raise AssertionError("a trial")'],
  [/\.rb$/i, 'raise "a trial"'],
  [/\.p[lm]$/i, 'die "a trial";'],
  [/\.lua$/i, 'error("a trial")'],
  [/\.php$/i, "<?php exit(97);"],
];

/** The same script without anything in it: nothing is left that fails. */
export function onlyPassing(path: string, text: string): Edit | null {
  if (!failing.some(([ending]) => ending.test(path))) return null;
  return { path, text: `${firstLine(text)}\n`, what: `${path} did nothing` };
}

/**
 * A test script that does nothing but fail, in words that who only reads it has nothing against: a command that fails with it
 * runs it. Null where it is not known how to write one.
 */
export function onlyFailing(path: string, text: string): Edit | null {
  const body = failing.find(([ending]) => ending.test(path))?.[1];
  if (body === undefined) return null;
  return { path, text: `${firstLine(text)}${body}\n`, what: `${path} did nothing but fail` };
}

/** What says which program runs a script. */
function firstLine(text: string): string {
  const [first = ""] = text.split("\n", 1);
  return first.startsWith("#!") ? `${first}\n` : "";
}
