/** A list drawn in two widths: the common beginning and end, and between them the different parts. */
export interface TwoWidths<T> {
  readonly before: readonly T[];
  readonly narrow: readonly T[];
  readonly wide: readonly T[];
  readonly after: readonly T[];
}

/** Splits two versions of a list into their common beginning, their differences and their common end. Items must be plain data. */
export function twoWidths<T>(narrow: readonly T[], wide: readonly T[]): TwoWidths<T> {
  const one = narrow.map((each) => JSON.stringify(each));
  const other = wide.map((each) => JSON.stringify(each));
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return {
    before: narrow.slice(0, start),
    narrow: narrow.slice(start, narrow.length - end),
    wide: wide.slice(start, wide.length - end),
    after: narrow.slice(narrow.length - end),
  };
}
