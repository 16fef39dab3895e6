import { comparedMiss, type Edit, testMisses } from "./near-miss.ts";

/**
 * Near misses of a script that reports no tests, the most telling first. If the lines that the work added (`added`, from 0) compare something,
 * the only miss changes all of that at once. Otherwise: first one miss for all that the script compares, then all expected values at once,
 * and then one after the other, since two that are changed together may be equal again.
 */
export function scriptMisses(path: string, text: string, added: ReadonlySet<number>): readonly Edit[] {
  const compared = added.size === 0 ? null : comparedMiss(path, text, (line) => added.has(line));
  if (compared !== null) return [compared];
  const edits = testMisses(path, text, []);
  const others = [...edits.slice(-1), ...edits.slice(0, -1)];
  const every = comparedMiss(path, text, () => true);
  return every === null ? others : [every, ...others.filter((each) => each.text !== every.text)];
}
