/** Text as data: cleaned before it is stored, shortened before it is shown. */

/** Stands around a moment of ours in a sentence (`cards/times-in.ts`), and is seen by nobody: no text of others holds it. */
export const momentMark = "\u2063";

/**
 * Text that any store and any platform can take: line ends unified, NUL and control characters except newline and tab
 * replaced by U+FFFD, lone surrogates repaired, our own mark and a byte order mark at its beginning taken away. Direction marks stay;
 * platforms isolate them when they draw.
 */
export function cleanText(text: string): string {
  const unified = text.replaceAll("\r\n", "\n").replaceAll("\r", "\n").replaceAll(momentMark, "").toWellFormed();
  return unified
    .replace(/^\uFEFF+/, "")
    .replace(/\p{Cc}/gu, (character) => (character === "\n" || character === "\t" ? character : "\uFFFD"));
}

/** A file's name as it stands in a sentence: what would begin a line of its own, or is seen by nobody, becomes U+FFFD. */
export function shownPath(path: string): string {
  return path.replace(/[\p{Cc}\u2028\u2029]/gu, "\uFFFD");
}

/** Whether nobody would see anything of a text: white space, control characters, and those that Unicode lets nobody draw. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u.test(text);
}

/** What every store takes, and nothing else changed: NUL and halves of characters become U+FFFD. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll("\u0000", "\uFFFD");
}

/** At most `length` UTF-16 units, never half a character, ending in an ellipsis when something was left out. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, wholeCharacters(text, Math.max(0, length - 1)))}…`;
}

/** Where a text is cut that may have `most` UTF-16 units: there, or before the character that would be halved. */
export function wholeCharacters(text: string, most: number): number {
  const last = most < text.length ? text.charCodeAt(most - 1) : 0;
  return last >= 0xd800 && last <= 0xdbff ? most - 1 : most;
}

/** At most `length` UTF-16 units, never half a character: the beginning and the end, an ellipsis where something was left out between them. */
export function shortenInside(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = Math.floor(length / 3);
  return `${shorten(text, length - end)}${text.slice(text.length - end).replace(/^[\uDC00-\uDFFF]/, "")}`;
}

/** The first line that says something, for headings and lists. */
export function firstLine(text: string, length = 120): string {
  const line = text.split("\n").find((each) => each.trim() !== "") ?? "";
  return shorten(line.trim(), length);
}

/** Words as they begin a sentence. */
export function capitalised(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** "1 goal", "2 goals"; "2 branches" with its own plural. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** "3 min", "2 h 5 min", "4 s": durations for people. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `${Math.floor(hours / 24)} days`;
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}
