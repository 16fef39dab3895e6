import { readJson } from "../text/json.ts";
import type { Line } from "./lines.ts";

/** `"key": "value"` of JSON text; a value that is no text is null, and a value whose key was there before has an empty key. */
export interface Pair {
  readonly line: Line;
  readonly key: string;
  readonly value: string | null;
  /** Where its key stands. */
  readonly keyLine: Line;
  /** Whether it stands below a key of those that were asked for, as far as the lines show it. */
  readonly isBelow: boolean;
}

interface Token {
  readonly line: Line;
  readonly isText: boolean;
  /** As it is written: a text with its quotes. */
  readonly written: string;
}

/**
 * The pairs in lines of JSON, wherever they are broken and however their letters are written. Lines that do not follow one another
 * are read by themselves. Each is told with the line of its value, without one with that of its key. Linear in the lines.
 */
export function pairsIn(lines: readonly Line[], asked: (key: string) => boolean = () => false): Pair[] {
  const pairs: Pair[] = [];
  // The last two tokens.
  let [before, latest]: [Token | null, Token | null] = [null, null];
  // Of each brace that is open, whether it is below such a key.
  let open: boolean[] = [];
  for (const [index, line] of lines.entries()) {
    const last = lines[index - 1];
    if (last === undefined || last.path !== line.path || last.number + 1 !== line.number)
      [before, latest, open] = [null, null, []];
    for (const token of tokensIn(line)) {
      const isBelow = open.at(-1) ?? false;
      const named = keyOf(before, latest);
      if (named !== null) {
        const value = token.isText ? decoded(token) : null;
        pairs.push({ line, key: decoded(named), value, keyLine: named.line, isBelow });
      } else if (token.isText && latest === null) {
        pairs.push({ line, key: "", value: decoded(token), keyLine: line, isBelow });
      }
      if (opens(token)) open.push(isBelow || (named !== null && asked(decoded(named))));
      else if (closes(token)) open.pop();
      [before, latest] = [named === null ? latest : null, token];
    }
    // The value stands elsewhere: in a line that was not changed, or in the next.
    const named = keyOf(before, latest);
    if (named !== null) {
      const isBelow = open.at(-1) ?? false;
      pairs.push({ line: named.line, key: decoded(named), value: null, keyLine: named.line, isBelow });
    }
  }
  return pairs;
}

/** A text that a colon follows: what comes then is its value. */
function keyOf(key: Token | null, colon: Token | null): Token | null {
  return key?.isText === true && colon?.isText === false && colon.written === ":" ? key : null;
}

function opens({ isText, written }: Token): boolean {
  return !isText && (written === "{" || written === "[");
}

function closes({ isText, written }: Token): boolean {
  return !isText && (written === "}" || written === "]");
}

/** What stands outside of texts. */
const plainWord = /[:{}[\],]|[^\s":{}[\],]+/g;

/** The same, and texts; one that is not closed goes to the end of its line, so that each letter is read once. */
const word = /"(?:[^"\\]|\\[^])*("|\\?$)|[:{}[\],]|[^\s":{}[\],]+/g;

/** Texts and what stands between them, one after the other; what follows a quote that is not closed stands between them, too. */
function* tokensIn(line: Line): Generator<Token> {
  for (const [found, end] of line.text.matchAll(word)) {
    if (end === '"' || end === undefined) yield { line, isText: end === '"', written: found };
    else for (const [written] of found.matchAll(plainWord)) yield { line, isText: false, written };
  }
}

function decoded({ written }: Token): string {
  const read = readJson(written);
  return read.type !== "wrong" && typeof read.value === "string" ? read.value : written.slice(1, -1);
}
