/** Text as data: cleaned before it is stored, shortened before it is shown. */

/** An invisible mark around a moment that we wrote into a sentence (`cards/times-in.ts`). It is removed from all other texts. */
export const momentMark = "\u2063";

/**
 * Returns text that every store and platform accepts. Unifies line ends, replaces NUL and control characters except newline and tab
 * by U+FFFD, repairs lone surrogates, and removes our own mark and a leading byte order mark. Direction marks stay;
 * platforms isolate them when they draw.
 */
export function cleanText(text: string): string {
  const unified = text.replaceAll("\r\n", "\n").replaceAll("\r", "\n").replaceAll(momentMark, "").toWellFormed();
  return unified
    .replace(/^\uFEFF+/, "")
    .replace(/\p{Cc}/gu, (character) => (character === "\n" || character === "\t" ? character : "\uFFFD"));
}

/** Returns a file name for use in a sentence: characters that break the line or are invisible become U+FFFD. */
export function shownPath(path: string): string {
  return path.replace(/[\p{Cc}\u2028\u2029]/gu, "\uFFFD");
}

/** True when a text has no visible character: only white space, control characters and default-ignorable code points. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u.test(text);
}

/** Returns text that every store accepts, otherwise unchanged: NUL and lone surrogates become U+FFFD. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll("\u0000", "\uFFFD");
}

/** Returns at most `length` UTF-16 units, never half a character. Ends in an ellipsis when something was cut. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, wholeCharacters(text, Math.max(0, length - 1)))}…`;
}

/** Returns where to cut a text of at most `most` UTF-16 units: there, or before a character that would be split. */
export function wholeCharacters(text: string, most: number): number {
  const last = most < text.length ? text.charCodeAt(most - 1) : 0;
  return last >= 0xd800 && last <= 0xdbff ? most - 1 : most;
}

/** Returns at most `length` UTF-16 units, never half a character: the beginning and the end, with an ellipsis for the cut part. */
export function shortenInside(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = Math.floor(length / 3);
  return `${shorten(text, length - end)}${text.slice(text.length - end).replace(/^[\uDC00-\uDFFF]/, "")}`;
}

/** Returns the first line that is not blank, for headings and lists. */
export function firstLine(text: string, length = 120): string {
  const line = text.split("\n").find((each) => each.trim() !== "") ?? "";
  return shorten(line.trim(), length);
}

/** Returns words with a capital first letter. */
export function capitalised(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** Returns "1 goal", "2 goals"; "2 branches" with its own plural. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** Returns a duration for people: "3 min", "2 h 5 min", "4 s". */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `${Math.floor(hours / 24)} days`;
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}
