import { RE2JS } from "re2js";
import { classEnd, type Piece, readClass } from "./glob-class.ts";
import { outsideProblem } from "./glob-places.ts";

/**
 * Globs over paths, matched in linear time: what a person or a repository writes as a glob, and paths that agents make.
 *
 * | written | matches |
 * |---|---|
 * | `*`, `?` | any characters of one name, one of them; dots too |
 * | `**` as a whole name | any number of folders, also none; `a/**` is also `a` |
 * | `a/` | the same as `a/**`: a folder with everything in it |
 * | `[a-c]`, `[!a]` | one character; a path that holds the brackets themselves matches too (`app/[id]/page.tsx`) |
 * | `{a,b}`, `{1..3}`, `(a\|b)`, `@( )`, `?( )`, `*( )`, `+( )` | one of them, as often as it says; `(a)` is also itself (`app/(shop)/page.tsx`) |
 * | `\*` | the character itself |
 *
 * Not understood, because no linear matcher can: `!(…)` and a leading `!`.
 */

export type Glob =
  | { readonly type: "ok"; readonly source: string }
  | { readonly type: "wrong"; readonly problem: string };

const most = { length: 500, depth: 10, range: 100, size: 2_000, globs: 500 } as const;

/**
 * Returns a function that tests whether a path matches one of the globs, with or without regard to letter case. A glob that cannot be
 * parsed matches only itself; see `globsProblem`.
 */
export function globMatcher(
  globs: readonly string[],
  letters: "exact" | "any-case" = "exact",
): (path: string) => boolean {
  const literal = new Set(globs);
  let matcher: RE2JS | "nothing" | null = null;
  return (path) => {
    // Compiled at the first use: most programs use few of the matchers that they load.
    matcher ??= compileAll(globs, letters);
    return literal.has(path) || (matcher !== "nothing" && matcher.testExact(path));
  };
}

function compileAll(globs: readonly string[], letters: "exact" | "any-case"): RE2JS | "nothing" {
  const sources = globs.flatMap((glob) => {
    const read = readGlob(glob);
    return read.type === "ok" ? [read.source] : [];
  });
  return sources.length === 0
    ? "nothing"
    : RE2JS.compile(`(?${letters === "exact" ? "s" : "is"})(?:${sources.join("|")})`);
}

/** Returns the problem with the first unusable glob, or that there are too many. Null when there is none. */
export function globsProblem(globs: readonly string[]): string | null {
  if (globs.length > most.globs) return `${globs.length} globs, at most ${most.globs} are taken`;
  for (const glob of globs) {
    const read = readGlob(glob);
    const problem = read.type === "wrong" ? read.problem : outsideProblem(glob);
    if (problem !== null) return `the glob "${glob.slice(0, 60)}" ${problem}`;
  }
  return null;
}

/** Returns a glob that matches this path and no other. */
export function globOfPath(path: string): string {
  return path.replace(/[*?{[(\\]|^!/g, "\\$&");
}

/** Parses a glob into RE2 source that matches a whole path. */
export function readGlob(written: string): Glob {
  // Consecutive `**` folders mean the same as one.
  const below = (written.startsWith("./") ? written.slice(2) : written).replace(/(?<=[^/\\])\/$/, "/**");
  const glob = below.replace(/(?:\/\*\*){2,}(?=\/|$)/g, "/**");
  if (glob === "") return wrong("is empty");
  if (glob.length > most.length) return wrong(`has ${glob.length} characters, at most ${most.length} are taken`);
  if (glob.startsWith("!") && glob[1] !== "(") return wrong('begins with "!": say what may match instead');
  const groups = groupsIn(glob);
  if (groups === null) return wrong(`is nested more than ${most.depth} levels deep`);
  const read = readSequence({ glob, at: 0, groups }, glob.length);
  if (typeof read === "string") return wrong(read);
  const { source } = read;
  const problem = isSurelyRight(glob, source) ? null : problemOf(source);
  return problem === null ? { type: "ok", source } : wrong(problem);
}

/** Only a class can be invalid, and each source character yields at most two instructions. So most globs need no trial compilation. */
function isSurelyRight(glob: string, source: string): boolean {
  return !glob.includes("[") && 2 * source.length + 2 <= most.size;
}

function problemOf(source: string): string | null {
  try {
    return RE2JS.compile(source).programSize() > most.size ? "says too much at once: give several" : null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function wrong(problem: string): Glob {
  return { type: "wrong", problem };
}

/** A pair of braces or parentheses: its end, and its own separators (`,` in braces, `|` in parentheses). */
interface Group {
  readonly end: number;
  readonly separators: readonly number[];
}

/** Returns all closed groups by start index. Null when they are nested too deeply. */
function groupsIn(glob: string): ReadonlyMap<number, Group> | null {
  const groups = new Map<number, Group>();
  const open: { readonly at: number; readonly close: string; readonly separators: number[] }[] = [];
  for (let at = 0; at < glob.length; at += 1) {
    const character = glob[at] ?? "";
    if (character === "\\") at += 1;
    else if (character === "[") at = classEnd(glob, at) ?? at;
    else if (character === "{") open.push({ at, close: "}", separators: [] });
    else if (character === "(") open.push({ at, close: ")", separators: [] });
    else if (character === "," || character === "|") {
      const innermost = open.at(-1);
      if (innermost?.close === (character === "," ? "}" : ")")) innermost.separators.push(at);
    } else if (character === "}" || character === ")") {
      const found = open.findLastIndex((each) => each.close === character);
      const [closed] = found === -1 ? [] : open.splice(found);
      if (closed !== undefined) groups.set(closed.at, { end: at, separators: closed.separators });
    }
    if (open.length > most.depth) return null;
  }
  return groups;
}

/** A position in a glob that is being parsed. */
interface Place {
  readonly glob: string;
  readonly at: number;
  readonly groups: ReadonlyMap<number, Group>;
}

/** Parses up to `end`. Returns a text when a part is not supported. */
function readSequence({ glob, at: start, groups }: Place, end: number): Piece | string {
  let source = "";
  let at = start;
  while (at < end) {
    const piece = readPiece({ glob, at, groups }, end, source);
    if (typeof piece === "string") return piece;
    source += piece.source;
    at = piece.end;
  }
  return { source, end };
}

function readPiece(place: Place, end: number, before: string): Piece | string {
  const { glob, at, groups } = place;
  const character = glob[at] ?? "";
  const next = glob[at + 1] ?? "";
  if (character === "\\" && next !== "") return { source: quoted(next), end: at + 2 };
  if (next === "(" && "!@?*+".includes(character) && groups.has(at + 1)) {
    if (character === "!") return "holds !(…), which is not understood: say what may match instead";
    return readGroup({ ...place, at: at + 1 }, character === "@" ? "" : character);
  }
  switch (character) {
    case "/":
      return readSlash(place, end, before);
    case "*":
      return readStars(place, end);
    case "?":
      return { source: "[^/]", end: at + 1 };
    case "[":
      return readClass(glob, at);
    case "{":
      return readBraces(place);
    case "(":
      return readGroup(place, "");
    default:
      return { source: quoted(character), end: at + 1 };
  }
}

/** `/**` at the end also matches the folder itself, unless a star precedes it. In the middle it matches any number of folders. */
function readSlash({ glob, at }: Place, end: number, before: string): Piece {
  if (glob.startsWith("/**/", at)) return { source: "/(?:.*/)?", end: at + 4 };
  if (!glob.startsWith("/**", at) || at + 3 !== end) return { source: "/", end: at + 1 };
  return { source: before.endsWith("*") || before === "" ? "/.*" : "(?:/.*)?", end };
}

function readStars({ glob, at }: Place, last: number): Piece {
  let end = at;
  while (glob[end] === "*") end += 1;
  const isWhole = end - at === 2 && (at === 0 || "/{,(|".includes(glob[at - 1] ?? ""));
  if (isWhole && glob[end] === "/") return { source: "(?:.*/)?", end: end + 1 };
  if (isWhole && (end === last || glob[end] === ".")) return { source: ".*", end };
  return { source: "[^/]*", end };
}

function readBraces(place: Place): Piece | string {
  const { glob, at, groups } = place;
  const range = /^\{(?:(\d{1,6})\.\.(\d{1,6})|([a-z])\.\.([a-z])|([A-Z])\.\.([A-Z]))\}/.exec(glob.slice(at, at + 20));
  if (range !== null) return readRange(range, at);
  // Braces without a comma or an end are ordinary characters.
  if ((groups.get(at)?.separators.length ?? 0) === 0) return { source: "\\{", end: at + 1 };
  return readGroup(place, "");
}

function readRange([whole, from, to, ...letters]: readonly string[], at: number): Piece | string {
  const end = at + (whole?.length ?? 0);
  const [first, last] = letters.filter((each) => each !== undefined);
  if (first !== undefined && last !== undefined)
    return { source: first <= last ? `[${first}-${last}]` : `[${last}-${first}]`, end };
  const [least, greatest] = [Math.min(Number(from), Number(to)), Math.max(Number(from), Number(to))];
  if (greatest - least >= most.range) return `has more than ${most.range} numbers in ${whole ?? ""}`;
  const numbers = Array.from({ length: greatest - least + 1 }, (_, index) => String(least + index));
  return { source: `(?:${numbers.join("|")})`, end };
}

/** Parses the group that begins here, with the quantifier `times`. Without a group it is an ordinary character. */
function readGroup({ glob, at, groups }: Place, times: string): Piece | string {
  const group = groups.get(at);
  if (group === undefined) return { source: quoted(glob[at] ?? ""), end: at + 1 };
  const sources: string[] = [];
  let start = at + 1;
  for (const end of [...group.separators, group.end]) {
    const read = readSequence({ glob, at: start, groups }, end);
    if (typeof read === "string") return read;
    sources.push(read.source);
    start = end + 1;
  }
  const one = sources.join("|");
  // A single alternative: the parentheses may be part of a folder's name.
  const isName = glob[at] === "(" && times === "" && glob[at - 1] !== "@" && sources.length === 1;
  return { source: isName ? `\\(?(?:${one})\\)?` : `(?:${one})${times}`, end: group.end + 1 };
}

function quoted(text: string): string {
  return RE2JS.quote(text);
}
