import { comparedMiss, type Edit, testMisses } from "./near-miss.ts";

/**
 * Near misses of a script that reports no tests, the most telling first: what the lines that a work added compare, at once. Where they are not
 * known to compare anything, what the script compares, then all that it compares with, and then, for two may be changed so that they are
 * equal once more, one after the other. `added`: lines from 0.
 */
export function scriptMisses(path: string, text: string, added: ReadonlySet<number>): readonly Edit[] {
  const compared = added.size === 0 ? null : comparedMiss(path, text, (line) => added.has(line));
  if (compared !== null) return [compared];
  const edits = testMisses(path, text, []);
  const others = [...edits.slice(-1), ...edits.slice(0, -1)];
  const every = comparedMiss(path, text, () => true);
  return every === null ? others : [every, ...others.filter((each) => each.text !== every.text)];
}
