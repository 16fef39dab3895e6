import { storable } from "../text.ts";

/** Parses JSON by others. */

/** Deeper values are refused: code that walks a value recurses as deeply. */
const deepest = 100;

export type ReadJson =
  | { readonly type: "read"; readonly value: unknown }
  | { readonly type: "wrong"; readonly problem: string };

/**
 * Parses JSON of at most `longest` characters and 100 levels. In strings, NUL and lone surrogates (possible only as escapes, and
 * refused by the database) become U+FFFD, in keys too. A leading byte order mark is skipped. Never throws; linear in the text.
 */
export function readJson(written: string, longest = 1_000_000): ReadJson {
  const text = written.startsWith("\uFEFF") ? written.slice(1) : written;
  if (text.length > longest)
    return { type: "wrong", problem: `has ${text.length} characters, at most ${longest} are read` };
  if (isDeeper(text)) return { type: "wrong", problem: `is nested more than ${deepest} levels deep` };
  try {
    return { type: "read", value: oddEscape.test(text) ? JSON.parse(text, storableValue) : JSON.parse(text) };
  } catch (error) {
    return { type: "wrong", problem: `is no JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

const oddEscape = /\\u(?:0000|d[89a-f])/i;

function storableValue(_: string, value: unknown): unknown {
  if (typeof value === "string") return storable(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const isStorable = Object.keys(value).every((key) => storable(key) === key);
  return isStorable ? value : Object.fromEntries(Object.entries(value).map(([key, each]) => [storable(key), each]));
}

/** Returns the value, or null when the text is not valid. */
export function jsonOrNull(text: string, longest?: number): unknown {
  const read = readJson(text, longest);
  return read.type === "read" ? read.value : null;
}

/** Returns the index after the object or list that begins at `start`. Null when it does not end within `longest`. */
export function endOfJson(text: string, start: number, longest: number): number | null {
  let depth = 0;
  let isInText = false;
  const last = Math.min(text.length, start + longest);
  for (let at = start; at < last; at += 1) {
    const character = text[at];
    if (isInText) {
      if (character === "\\") at += 1;
      else if (character === '"') isInText = false;
    } else if (character === '"') isInText = true;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}

function isDeeper(text: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isInText) {
      if (character === "\\") at += 1;
      else if (character === '"') isInText = false;
    } else if (character === '"') isInText = true;
    else if (character === "{" || character === "[") {
      depth += 1;
      if (depth > deepest) return true;
    } else if (character === "}" || character === "]") depth -= 1;
  }
  return false;
}
