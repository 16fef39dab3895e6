/** A text within an agent's request. */
export interface RequestText {
  /** The innermost key, in lower case. */
  readonly key: string;
  /** The keys that lead to the text. */
  readonly path: readonly string[];
  /** Like `path`, with the index of each array element on the way. */
  readonly at: readonly (string | number)[];
  readonly text: string;
}

/** The texts, values and keys found in a request. */
interface Looked {
  readonly strings: RequestText[];
  /** Numbers, booleans, and empty lists and objects, as JSON. */
  readonly values: RequestText[];
  readonly keys: Set<string>;
  /** True when all texts and keys were found. */
  isWhole: boolean;
  /** True when all values were found. Values name no places. */
  hasAllValues: boolean;
}

/** Maximum number of texts and keys that are looked through, and maximum number of values. */
export const mostLooked = 500;
/** Maximum depth that is looked through. */
const deepest = 12;

/** Finds every text, value and key within a value of any shape, up to the limits above. */
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
