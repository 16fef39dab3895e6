/** A text that a request of an agent holds. */
export interface Found {
  /** The innermost key, lower case. */
  readonly key: string;
  readonly path: readonly string[];
  readonly text: string;
}

/** What a request holds: its texts, and the keys under which they stand. */
interface Looked {
  readonly strings: Found[];
  /** Numbers, and yes or no, as they would be written. */
  readonly values: Found[];
  readonly keys: Set<string>;
  /** Whether there is no more than that. */
  isWhole: boolean;
}

/** More texts and keys than this are not looked through. */
export const mostLooked = 500;
/** Nor is what lies deeper than this. */
const deepest = 12;

/** Every text and every key in a value, whatever its shape, as far as it is looked through. */
export function lookThrough(
  value: unknown,
  path: readonly string[] = [],
  into: Looked = { strings: [], values: [], keys: new Set(), isWhole: true },
  depth = 0,
): Looked {
  const found = (text: string): Found => ({ key: (path.at(-1) ?? "").toLowerCase(), path, text });
  const looked = into.strings.length + into.values.length + into.keys.size;
  if (looked >= mostLooked || depth > deepest) into.isWhole = false;
  else if (typeof value === "string") into.strings.push(found(value));
  else if (typeof value === "number" || typeof value === "boolean") into.values.push(found(String(value)));
  else if (Array.isArray(value)) for (const each of value) lookThrough(each, path, into, depth + 1);
  else if (typeof value === "object" && value !== null)
    for (const [key, each] of Object.entries(value)) {
      into.keys.add(key);
      lookThrough(each, [...path, key], into, depth + 1);
    }
  return into;
}
