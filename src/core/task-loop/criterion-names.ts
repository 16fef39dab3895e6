/**
 * Which of a task's criteria a check means by a name: its words, its number from 1, the id that it begins with, or its number
 * before its words as its list has them. Places from 0; several only where their words are the same, none where it is none of
 * them or could be more than one.
 */
export function criterionNamed(name: string, criteria: readonly string[]): readonly number[] {
  const exactly = placesOf(criteria, (each) => plain(each) === plain(name));
  if (exactly.length > 0) return exactly;
  const bared = bare(name);
  const byWords = placesOf(criteria, (each) => bare(each) === bared);
  if (byWords.length > 0) return onlyOne(byWords);
  const id = idOf(bared);
  const byId = id === null ? [] : placesOf(criteria, (each) => idOf(bare(each)) === id);
  if (byId.length > 0) return onlyOne(byId);
  // Where criteria have ids of their own, one that none of them has is none of their numbers.
  if (id !== null && criteria.some((each) => idOf(bare(each)) !== null)) return [];
  return byNumber(bared, criteria);
}

/** "1", "1.", "criterion 1", "AC-1: its words", "2) its words": what stands behind the number has to be the criterion's. */
function byNumber(bared: string, criteria: readonly string[]): readonly number[] {
  const [, digits = "", rest = ""] =
    /^(?:(?:acceptance )?criterion |ac[ -]?|#)?(\d{1,3})(?:$|[.:)]{1,2} ?(.*))/.exec(bared) ?? [];
  if (digits === "") return [];
  if (rest !== "") return onlyOne(placesOf(criteria, (each) => bare(each) === rest));
  const place = Number(digits) - 1;
  return place >= 0 && place < criteria.length ? [place] : [];
}

function placesOf(criteria: readonly string[], holds: (criterion: string) => boolean): number[] {
  return criteria.flatMap((each, place) => (holds(each) ? [place] : []));
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
