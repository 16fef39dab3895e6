/*
 * Joins the texts of several statements into one. Building that text anew, and finding it among the prepared ones, costs as much as
 * sending several statements. So the same texts in the same order return the identical string.
 */

/** A cache of joined texts. */
export interface Joins {
  readonly first: Joined;
  kept: number;
}

/** The joined text of a list of texts, and of the lists that have one more text. */
interface Joined {
  text: string | null;
  readonly with: Map<string, Joined>;
}

/** Maximum number of cached texts. Lists of values produce new texts: at this limit nothing more is cached. */
export const mostKnown = 1_000;

/** An empty cache. */
export function newJoins(): Joins {
  return { first: { text: null, with: new Map() }, kept: 0 };
}

/** Returns what `join` builds for these texts, and calls it once for each list of texts. */
export function joinedOnce(joins: Joins, texts: readonly string[], join: () => string): string {
  let at = joins.first;
  for (const text of texts) {
    const next = at.with.get(text);
    if (next === undefined && joins.kept >= mostKnown) return join();
    if (next === undefined) joins.kept += 1;
    const there = next ?? { text: null, with: new Map() };
    at.with.set(text, there);
    at = there;
  }
  at.text ??= join();
  return at.text;
}

/** The text with its placeholders renumbered: `before` is the number of values before it. */
export function countedFrom(text: string, before: number): string {
  return before === 0 ? text : text.replaceAll(/\$(\d+)/g, (_, number: string) => `$${Number(number) + before}`);
}
