import { shorten } from "../text.ts";

/**
 * Text that others wrote (criteria, plans, task lists, reports, replies) is read within bounds and in time that grows
 * as the text does. This room holds the readers; each says what is wrong with the line where it is.
 */

/** Something wrong with a text. */
export interface Fault {
  /** From 1. */
  readonly line: number;
  readonly problem: string;
}

/** The most that is read of a text, in UTF-16 units. */
export interface Bounds {
  readonly characters: number;
  /** Of one line. */
  readonly line: number;
}

/** What makes a text too large to be read; null when nothing does. */
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

/** The line in which a place of a text lies, asked for one place after the other. */
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

/** At most `most` problems, the last line saying how many more there are. */
export function fewest(problems: readonly string[], most = 50): string[] {
  const more = problems.length - most;
  return more > 0 ? [...problems.slice(0, most), `and ${more} more problems`] : [...problems];
}

/** A text in one line: white space around line ends becomes `between`. */
export function inOneLine(text: string, between = " "): string {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(between);
}

/** The beginning and the end of a text that is looked through for words, at most about `most` characters of it. */
export function ends(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  return `${shorten(text, half)}\n${text.slice(-half).toWellFormed()}`;
}

/** The words of a text that are made of letters, digits, `_` and `-`, such as the ids of criteria. */
export function idsIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/[\w-]+/g) ?? []);
}
