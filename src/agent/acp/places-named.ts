import { homedir } from "node:os";
import { isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";

/** Which texts of an agent's request name places. */

/** Under these stands for people why something is done. They tell no two requests apart, and beside a command they change nothing. */
export const whys: ReadonlySet<string> = new Set(["description", "explanation", "reason", "title", "justification"]);

/** What is written or looked for, and words for people: no place, whatever it looks like. */
const texts: ReadonlySet<string> = new Set(
  [
    "content contents text old_string new_string oldstring newstring old_str new_str oldtext newtext old_text new_text",
    "pattern query regex",
  ]
    .flatMap((line) => line.split(" "))
    .concat([...whys]),
);

/** Whether what stands under a key, in lower case, is words for people or what a file holds. */
export function isWords(key: string): boolean {
  return texts.has(key);
}

const longestPlace = 4_096;

/** Whether a text looks like a path, an address of a file, or what a shell puts a path for. */
export function isPlace(text: string): boolean {
  return text.length <= longestPlace && !text.includes("\n") && /^(?:[/~]|\.{1,2}(?:\/|$)|file:)|\/|^\$/i.test(text);
}

/** Whether a text is an address of anything but a file. */
export function isAddress(text: string): boolean {
  return /^(?!file:)[a-z][a-z\d+.-]{0,20}:\/\//i.test(text);
}

/** A place as the file system is asked for it. What a shell would put in its place is outside, whatever it is. */
export function namedPlace(text: string): string {
  if (/^file:/i.test(text)) {
    try {
      return fileURLToPath(text);
    } catch {
      return "/";
    }
  }
  if (text.includes("\0") || /^\$|^~[^/]/.test(text)) return "/";
  return text.startsWith("~") ? `${homedir()}${text.slice(1)}` : text;
}

/**
 * A place that is named where something runs. Its `..` stay, for what stands before them may be a link; what is none of plain names is
 * somewhere by itself.
 */
export function placeFrom(from: string, place: string): string {
  return isAbsolute(place) || /^[~$]|^file:/i.test(place) ? namedPlace(place) : `${from}/${place}`;
}
