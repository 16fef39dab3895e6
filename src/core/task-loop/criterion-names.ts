/** Returns the indexes, from 0, of the criteria that a name means. Several only when their words are the same. */
export type CriterionNames = (name: string) => readonly number[];

/**
 * Which of a task's criteria a check means by a name. A name may be the criterion's words, its number from 1, its leading id, or a number
 * before its words. The result is empty when nothing matches, or the name is ambiguous. The criteria are parsed once, because a check may
 * name thousands.
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
    // If criteria have ids of their own, an unknown id is not read as a number.
    if (id !== null && haveIds) return [];
    return byNumber(bared, byWords, criteria.length);
  };
}

/**
 * True when criteria have ids of their own: "AC-1", or an id with the same letters on each. A single criterion that begins with "UTF-8" has
 * none.
 */
function areIds(ids: readonly string[], criteria: number): boolean {
  const letters = new Set(ids.map((id) => id.slice(0, id.lastIndexOf("-") + 1)));
  return letters.has("ac-") || (letters.size === 1 && ids.length === criteria);
}

/** "1", "1.", "criterion 1", "AC-1: its words", "2) its words". Text after the number must be the words of a criterion. */
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

/** Without marks that do not change the meaning: quotes, backticks, asterisks, and punctuation at the end. */
function bare(words: string): string {
  const kept = plain(words.replace(/[`*"“”]/g, ""));
  let end = kept.length;
  while (end > 0 && ".:;, ".includes(kept[end - 1] ?? "")) end -= 1;
  return kept.slice(0, end);
}

/** "ac-1" for "AC-1 holds: …" and "AC 1", "check-2" for "CHECK-2". */
function idOf(bared: string): string | null {
  const short = /^ac ?(\d{1,4})(?=$|[ .:)(])/.exec(bared)?.[1];
  if (short !== undefined) return `ac-${short}`;
  return /^[a-z][a-z0-9]{0,30}-\d{1,4}(?=$|[ .:)(])/.exec(bared)?.[0] ?? null;
}
