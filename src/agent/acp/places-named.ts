import { homedir } from "node:os";
import { isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";

/** Decides which texts of an agent's request name places. */

/** Keys of a reason for people. Reasons do not distinguish requests, and beside a command they change nothing. */
export const whys: ReadonlySet<string> = new Set(["description", "explanation", "reason", "title", "justification"]);

/** Keys of file content, search text and words for people. Their values are never places, whatever they look like. */
const texts: ReadonlySet<string> = new Set(
  [
    "content contents text old_string new_string oldstring newstring old_str new_str oldtext newtext old_text new_text",
    "pattern query regex",
  ]
    .flatMap((line) => line.split(" "))
    .concat([...whys]),
);

/** True when the value of a key, in lower case, is words for people, file content or search text. */
export function isWords(key: string): boolean {
  return texts.has(key);
}

const longestPlace = 4_096;

/** True when a text looks like a path, a file URL, or something that a shell replaces by a path. */
export function isPlace(text: string): boolean {
  return text.length <= longestPlace && !text.includes("\n") && /^(?:[/~]|\.{1,2}(?:\/|$)|file:)|\/|^\$/i.test(text);
}

/** True for a URL other than `file:`. */
export function isAddress(text: string): boolean {
  return /^(?!file:)[a-z][a-z\d+.-]{0,20}:\/\//i.test(text);
}

/** Returns the path for the file system. What a shell would expand (`$…`, `~user`) becomes "/", which is outside. */
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
 * Returns a place relative to the folder in which something runs. Its `..` stay, because the part before them may be a link. Absolute
 * places, `~`, `$` and file URLs do not depend on the folder.
 */
export function placeFrom(from: string, place: string): string {
  return isAbsolute(place) || /^[~$]|^file:/i.test(place) ? namedPlace(place) : `${from}/${place}`;
}
