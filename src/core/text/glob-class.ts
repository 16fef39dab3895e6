import { RE2JS } from "re2js";

/** Character classes in globs: `[a-c]`, `[!a]`. */

/** A part of a glob, as RE2 source. */
export interface Piece {
  readonly source: string;
  /** The index after it. */
  readonly end: number;
}

/** Returns the class that begins at `at`, or the bracket as a character when it is not closed. */
export function readClass(glob: string, at: number): Piece {
  const end = classEnd(glob, at);
  if (end === null) return { source: "\\[", end: at + 1 };
  const isNegated = glob[at + 1] === "!" || glob[at + 1] === "^";
  const inside = glob
    .slice(at + (isNegated ? 2 : 1), end)
    .replace(/\\(.)|[[\]^&~\\]/gs, (all, escaped: string | undefined) => `\\${escaped ?? all}`);
  if (isNegated) return { source: `[^/${inside}]`, end: end + 1 };
  return { source: `(?:[${inside}]|${RE2JS.quote(glob.slice(at, end + 1))})`, end: end + 1 };
}

/** Returns the index of the bracket that closes a class: the first one after the class's first character. Null when there is none. */
export function classEnd(glob: string, at: number): number | null {
  const start = at + (glob[at + 1] === "!" || glob[at + 1] === "^" ? 2 : 1);
  for (let end = start; end < glob.length; end += glob[end] === "\\" ? 2 : 1) {
    if (glob[end] === "]" && end > start) return end;
  }
  return null;
}
