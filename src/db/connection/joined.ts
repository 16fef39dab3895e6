/*
 * Texts of several statements become the text of one. Making it anew, and finding it among the prepared ones, costs as much as
 * sending several statements: so the same texts in the same order give the very same string.
 */

/** Texts that were joined before. */
export interface Joins {
  readonly first: Joined;
  kept: number;
}

/** The text for some texts in their order, and for those and one more. */
interface Joined {
  text: string | null;
  readonly with: Map<string, Joined>;
}

/** Lists of values make texts of their own; who knows so many learns no more. */
export const mostKnown = 1_000;

/** Nothing joined yet. */
export function newJoins(): Joins {
  return { first: { text: null, with: new Map() }, kept: 0 };
}

/** What `join` makes of these texts, made once. */
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

/** The text with the numbers of its places counted on from those before it. */
export function countedFrom(text: string, before: number): string {
  return before === 0 ? text : text.replaceAll(/\$(\d+)/g, (_, number: string) => `$${Number(number) + before}`);
}
