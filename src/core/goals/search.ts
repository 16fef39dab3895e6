/** Search texts that people type to find goals. */

const mostWords = 8;
const longestWord = 60;

/** Returns at most eight search words in lower case. They hold only letters, marks and digits, so none can act as an operator. */
export function searchWords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return words.slice(0, mostWords).map((word) => word.slice(0, longestWord));
}

/** Returns the text when it may be a goal id, else an empty string. */
export function searchedId(text: string): string {
  return /^[\w-]{1,60}$/.exec(text.trim())?.[0] ?? "";
}
