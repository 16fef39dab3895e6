/** A text that a request of an agent holds. */
export interface RequestText {
  /** The innermost key, lower case. */
  readonly key: string;
  /** The keys that lead to it. */
  readonly path: readonly string[];
  /** The same, with the number of each element of a list on the way. */
  readonly at: readonly (string | number)[];
  readonly text: string;
}

/** What a request holds: its texts, and the keys under which they stand. */
interface Looked {
  readonly strings: RequestText[];
  /** Numbers, yes or no, and lists and objects that hold nothing, as they would be written. */
  readonly values: RequestText[];
  readonly keys: Set<string>;
  /** Whether there are no more texts and keys than that. */
  isWhole: boolean;
  /** Whether there are no more values than that. They name no places. */
  hasAllValues: boolean;
}

/** More texts and keys than this are not looked through, nor more values. */
export const mostLooked = 500;
/** Nor is what lies deeper than this. */
const deepest = 12;

/** Every text and every key in a value, whatever its shape, as far as it is looked through. */
export function lookThrough(
  value: unknown,
  at: readonly (string | number)[] = [],
  into: Looked = { strings: [], values: [], keys: new Set(), isWhole: true, hasAllValues: true },
  depth = 0,
): Looked {
  const written = valueOf(value);
  if (written !== null) {
    if (into.values.length >= mostLooked || depth > deepest) into.hasAllValues = false;
    else if (at.length > 0) into.values.push(foundAt(at, written));
  } else if (into.strings.length + into.keys.size >= mostLooked || depth > deepest) into.isWhole = false;
  else if (typeof value === "string") into.strings.push(foundAt(at, value));
  else if (Array.isArray(value))
    for (const [index, each] of value.entries()) lookThrough(each, [...at, index], into, depth + 1);
  else if (typeof value === "object" && value !== null)
    for (const [key, each] of Object.entries(value)) {
      into.keys.add(key);
      lookThrough(each, [...at, key], into, depth + 1);
    }
  return into;
}

function foundAt(at: readonly (string | number)[], text: string): RequestText {
  const path = at.filter((each) => typeof each === "string");
  return { key: (path.at(-1) ?? "").toLowerCase(), path, at, text };
}

function valueOf(value: unknown): string | null {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "object" || value === null || Object.keys(value).length > 0) return null;
  return Array.isArray(value) ? "[]" : "{}";
}
