/** Returns the most similar word that differs by at most `most` letters. Null when there is none. */
export function nearest<Name extends string>(word: string, known: readonly Name[], most: number): Name | null {
  // Only the beginning of a long word is compared: names are short.
  const typed = word.slice(0, 60);
  const near = known.map((each) => ({ each, steps: stepsBetween(typed, each) })).sort((a, b) => a.steps - b.steps)[0];
  return near !== undefined && near.steps <= most ? near.each : null;
}

/** Returns the only name that differs by one letter, else by two; below four letters, by one. Null when there is none or several. */
export function onlyNear<Name extends string>(typed: string, known: readonly Name[]): Name | null {
  const letters = typed.toLowerCase();
  for (const most of letters.length < 4 ? [0, 1] : [0, 1, 2]) {
    const near = known.filter((each) => nearest(letters, [each.toLowerCase()], most) !== null);
    if (near.length > 0) return near.length === 1 ? (near[0] ?? null) : null;
  }
  return null;
}

/** Returns "; did you mean shop?", for the end of an error about an unknown name. Empty when no name is near. */
export function meantWords(typed: string, known: readonly string[]): string {
  const meant = onlyNear(typed, known);
  return meant === null ? "" : `; did you mean ${meant}?`;
}

/** Returns the number of letters to add, remove or change (Levenshtein distance). */
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
