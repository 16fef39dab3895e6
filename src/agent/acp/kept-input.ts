import { lookThrough } from "./look-through.ts";
import { isWords } from "./places-named.ts";

/**
 * Limits of what is kept, in characters: for one text, for one key, for all input of one tool call. `mostElements` is the limit for one
 * array or object.
 */
const longestText = 20_000;
const longestKey = 200;
const longestInput = 500_000;
const mostElements = 200;
const deepest = 12;

/** Stands for everything that is not kept. It is a path outside the worktree, so that the rest is never taken for the whole (F-303). */
const leftOut = { "left out": "/" };

/** True when nothing was left out or shortened. */
export function isAllKept(kept: object): boolean {
  return !("left out" in kept) && lookThrough(kept).strings.every(({ text }) => text.length < longestText);
}

/**
 * Returns a bounded copy of a tool's input, so that little memory is held however much an agent sends. Long words for people are
 * shortened, and so is the content of files. Where anything else is missing, the key `left out` is added. Never throws.
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
    // A path may lead elsewhere after its first part, and two paths may begin alike.
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

  const input = kept(given, "", 0) as Record<string, unknown>; // An object with string keys stays one.
  return isCut ? { ...input, ...leftOut } : input;
}
