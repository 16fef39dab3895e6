/** Finds the criteria that a name means, by their places from 0; several only where their words are the same. */
export type CriterionNames = (name: string) => readonly number[];

/**
 * Which of a task's criteria a check means by a name: its words, its number from 1, the id that it begins with, or its number
 * before its words as its list has them. None where it is none of them or could be more than one. The criteria are read once: a
 * check may name thousands.
 */
export function criterionNames(criteria: readonly string[]): CriterionNames {
  const exact = placesBy(criteria, plain);
  const byWords = placesBy(criteria, bare);
  const byId = placesBy(criteria, (each) => idOf(bare(each)));
  const haveIds = areIds([...byId.keys()], criteria.length);
  return (name) => {
    const exactly = exact.get(plain(name));
    if (exactly !== undefined) return exactly;
    const bared = bare(name);
    const words = byWords.get(bared);
    if (words !== undefined) return onlyOne(words);
    const id = idOf(bared);
    const ofId = id === null ? undefined : byId.get(id);
    if (ofId !== undefined) return onlyOne(ofId);
    // Where criteria have ids of their own, one that none of them has is none of their numbers.
    if (id !== null && haveIds) return [];
    return byNumber(bared, byWords, criteria.length);
  };
}

/** Whether criteria have ids of their own: "AC-1", or each one of the same letters. One that begins with "UTF-8" alone has none. */
function areIds(ids: readonly string[], criteria: number): boolean {
  const letters = new Set(ids.map((id) => id.slice(0, id.lastIndexOf("-") + 1)));
  return letters.has("ac-") || (letters.size === 1 && ids.length === criteria);
}

/** "1", "1.", "criterion 1", "AC-1: its words", "2) its words": what stands behind the number has to be the criterion's. */
function byNumber(bared: string, byWords: ReadonlyMap<string, readonly number[]>, count: number): readonly number[] {
  const [, digits = "", marked, dashed] =
    /^(?:(?:acceptance )?criterion[ -]|ac[ -]?|#)?(\d{1,3})(?:$|[.:)]{1,2} ?(.*)| [-–—] (.*))/.exec(bared) ?? [];
  const rest = marked ?? dashed ?? "";
  if (digits === "") return [];
  if (rest !== "") return onlyOne(byWords.get(rest) ?? []);
  const place = Number(digits) - 1;
  return place >= 0 && place < count ? [place] : [];
}

function placesBy(
  criteria: readonly string[],
  keyOf: (criterion: string) => string | null,
): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [place, criterion] of criteria.entries()) {
    const key = keyOf(criterion);
    if (key === null) continue;
    const known = places.get(key);
    if (known === undefined) places.set(key, [place]);
    else known.push(place);
  }
  return places;
}

function onlyOne(places: readonly number[]): readonly number[] {
  return places.length === 1 ? places : [];
}

function plain(words: string): string {
  return words.toLowerCase().replace(/\s+/g, " ").trim();
}

/** Without marks that change nothing of what is said: quotes, backticks, stars, and what ends a sentence. */
function bare(words: string): string {
  const kept = plain(words.replace(/[`*"“”]/g, ""));
  let end = kept.length;
  while (end > 0 && ".:;, ".includes(kept[end - 1] ?? "")) end -= 1;
  return kept.slice(0, end);
}

/** "ac-1" of "AC-1 holds: …" and of "AC 1", "check-2" of "CHECK-2". */
function idOf(bared: string): string | null {
  const short = /^ac ?(\d{1,4})(?=$|[ .:)(])/.exec(bared)?.[1];
  if (short !== undefined) return `ac-${short}`;
  return /^[a-z][a-z0-9]{0,30}-\d{1,4}(?=$|[ .:)(])/.exec(bared)?.[0] ?? null;
}
