import { lookThrough } from "./look-through.ts";
import { isWords } from "./places-named.ts";

/** So much is kept of one text, of one key, and of everything that one tool was given, in characters; the same of an array in elements. */
const longestText = 20_000;
const longestKey = 200;
const longestInput = 500_000;
const mostElements = 200;
const deepest = 12;

/** What stands for anything that is not kept: a place outside, so that nobody takes the rest for the whole (F-303). */
const leftOut = { "left out": "/" };

/** Whether nothing was left out of what is kept, nor shortened. */
export function isAllKept(kept: object): boolean {
  return !("left out" in kept) && lookThrough(kept).strings.every(({ text }) => text.length < longestText);
}

/**
 * What a tool was given, as far as anybody here reads it: however much an agent sends, little is held. Long words for people, and
 * what files hold, are shortened; where anything else is missing, `left out` says so. Never throws.
 */
export function keptInput(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  let left = longestInput;
  let isCut = false;

  function kept(value: unknown, key: string, depth: number): unknown {
    left -= 10;
    if (typeof value === "string") {
      const text = value.slice(0, Math.max(0, Math.min(longestText, left)));
      left -= text.length;
      isCut ||= text.length < value.length && !isWords(key);
      return text;
    }
    if (typeof value !== "object" || value === null) return value;
    if (depth >= deepest || left <= 0) {
      isCut = true;
      return null;
    }
    const isArray = Array.isArray(value);
    const parts: readonly (readonly [string, unknown])[] = isArray
      ? value.slice(0, mostElements).map((each: unknown) => [key, each])
      : Object.entries(value)
          .slice(0, mostElements)
          .map(([name, each]) => [name.slice(0, longestKey), each]);
    // A path may lead elsewhere behind its beginning, and two of them may begin alike.
    isCut ||=
      !isArray &&
      Object.keys(value)
        .slice(0, mostElements)
        .some((name) => name.length > longestKey);
    isCut ||= (isArray ? value.length : Object.keys(value).length) > parts.length;
    return isArray
      ? parts.map(([, each]) => kept(each, key, depth + 1))
      : Object.fromEntries(parts.map(([name, each]) => [name, kept(each, name.toLowerCase(), depth + 1)]));
  }

  const input = kept(given, "", 0) as Record<string, unknown>; // An object of strings' keys stays one.
  return isCut ? { ...input, ...leftOut } : input;
}
