import { shorten } from "../text.ts";

/**
 * Text by others (criteria, plans, task lists, reports, replies) is read within bounds and in linear time.
 * This room holds the parsers; each reports a fault with its line.
 */

/** A fault in a text. */
export interface Fault {
  /** From 1. */
  readonly line: number;
  readonly problem: string;
}

/** Limits for a text, in UTF-16 units. */
export interface Bounds {
  readonly characters: number;
  /** For one line. */
  readonly line: number;
}

/** Returns why a text is too large to be read. Null when it is not. */
export function faultIn(text: string, bounds: Bounds): Fault | null {
  const { characters, line: longest } = bounds;
  if (text.length > characters)
    return { line: 1, problem: `the text has ${text.length} characters, at most ${characters} are read` };
  let line = 1;
  for (let start = 0; start <= text.length; line += 1) {
    const next = text.indexOf("\n", start);
    const end = next === -1 ? text.length : next;
    if (end - start > longest)
      return { line, problem: `the line has ${end - start} characters, at most ${longest} are read` };
    start = end + 1;
  }
  return null;
}

/** Returns a function that finds the line number of an index in the text. */
export function lineCounter(text: string): (at: number) => number {
  const starts = [0];
  for (let next = text.indexOf("\n"); next !== -1; next = text.indexOf("\n", next + 1)) starts.push(next + 1);
  return (at) => {
    let [least, most] = [0, starts.length - 1];
    while (least < most) {
      const middle = Math.ceil((least + most) / 2);
      if ((starts[middle] ?? 0) <= at) least = middle;
      else most = middle - 1;
    }
    return least + 1;
  };
}

/** Returns at most `most` problems, and then a line with the number of the others. */
export function fewest(problems: readonly string[], most = 50): string[] {
  const more = problems.length - most;
  return more > 0 ? [...problems.slice(0, most), `and ${more} more problems`] : [...problems];
}

/** Returns a text in one line: line ends with the white space around them become `between`. */
export function inOneLine(text: string, between = " "): string {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(between);
}

/** Returns the beginning and the end of a text for a search, about `most` characters in total. */
export function ends(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  return `${shorten(text, half)}\n${text.slice(-half).toWellFormed()}`;
}

/** Returns the words of a text that consist of letters, digits, `_` and `-`, such as ids of criteria. */
export function idsIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/[\w-]+/g) ?? []);
}
