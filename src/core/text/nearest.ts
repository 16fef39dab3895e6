/** The word that was probably meant, of those that are at most so many letters away; null: none is near. */
export function nearest<Name extends string>(word: string, known: readonly Name[], most: number): Name | null {
  // Of long words only the beginning is compared: names are short.
  const typed = word.slice(0, 60);
  const near = known.map((each) => ({ each, steps: stepsBetween(typed, each) })).sort((a, b) => a.steps - b.steps)[0];
  return near !== undefined && near.steps <= most ? near.each : null;
}

/** The one that is a letter away, or else two; null: none is, or several are. Names of less than four letters: one at most. */
export function onlyNear<Name extends string>(typed: string, known: readonly Name[]): Name | null {
  const letters = typed.toLowerCase();
  for (const most of letters.length < 4 ? [0, 1] : [0, 1, 2]) {
    const near = known.filter((each) => nearest(letters, [each.toLowerCase()], most) !== null);
    if (near.length > 0) return near.length === 1 ? (near[0] ?? null) : null;
  }
  return null;
}

/** "; did you mean shop?", for the end of a sentence that says that nothing is called as was typed; empty where no name is near. */
export function meantWords(typed: string, known: readonly string[]): string {
  const meant = onlyNear(typed, known);
  return meant === null ? "" : `; did you mean ${meant}?`;
}

/** How many letters have to be added, left out or changed (Levenshtein). */
function stepsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
