import { RE2JS } from "re2js";

/** Classes of characters in globs: `[a-c]`, `[!a]`. */

/** What a piece of a glob is as RE2 reads it. */
export interface Piece {
  readonly source: string;
  /** Behind it. */
  readonly end: number;
}

/** The class that begins at `at`, or the bracket itself. */
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

/** The bracket that closes a class: the first one that is not its first character. Null when none does. */
export function classEnd(glob: string, at: number): number | null {
  const start = at + (glob[at + 1] === "!" || glob[at + 1] === "^" ? 2 : 1);
  for (let end = start; end < glob.length; end += glob[end] === "\\" ? 2 : 1) {
    if (glob[end] === "]" && end > start) return end;
  }
  return null;
}
