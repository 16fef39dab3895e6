/** What people look for among goals. */

const mostWords = 8;
const longestWord = 60;

/** The words of what somebody looks for, at most eight, in lower case: letters and digits only, so that nothing in them is an operator. */
export function searchWords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return words.slice(0, mostWords).map((word) => word.slice(0, longestWord));
}

/** The id that somebody may look for; empty where it can be none. */
export function searchedId(text: string): string {
  return /^[\w-]{1,60}$/.exec(text.trim())?.[0] ?? "";
}
