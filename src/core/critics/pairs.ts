import { readJson } from "../text/json.ts";
import type { Line } from "./lines.ts";

/** `"key": "value"` in JSON text. The value is null when it is not a string. The key is empty when only the value is in the lines. */
export interface Pair {
  readonly line: Line;
  readonly key: string;
  readonly value: string | null;
  /** The line of the key. */
  readonly keyLine: Line;
  /** True when the pair is below one of the requested keys, as far as the lines show it. */
  readonly isBelow: boolean;
}

interface Token {
  readonly line: Line;
  readonly isText: boolean;
  /** As written: a string with its quotes. */
  readonly written: string;
}

/**
 * The pairs in lines of JSON, with any line breaks and any escapes. Lines that are not consecutive are parsed separately. Each pair has the
 * line of its value, or of its key when the value is missing. Linear in the lines.
 */
export function pairsIn(lines: readonly Line[], asked: (key: string) => boolean = () => false): Pair[] {
  const pairs: Pair[] = [];
  // The last two tokens.
  let [before, latest]: [Token | null, Token | null] = [null, null];
  // For each open bracket: whether it is below a requested key.
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
    // The value is elsewhere: in an unchanged line, or in the next one.
    const named = keyOf(before, latest);
    if (named !== null) {
      const isBelow = open.at(-1) ?? false;
      pairs.push({ line: named.line, key: decoded(named), value: null, keyLine: named.line, isBelow });
    }
  }
  return pairs;
}

/** The key, if a string and a colon come before the current token, which is then its value. */
function keyOf(key: Token | null, colon: Token | null): Token | null {
  return key?.isText === true && colon?.isText === false && colon.written === ":" ? key : null;
}

function opens({ isText, written }: Token): boolean {
  return !isText && (written === "{" || written === "[");
}

function closes({ isText, written }: Token): boolean {
  return !isText && (written === "}" || written === "]");
}

/** Tokens outside strings. */
const plainWord = /[:{}[\],]|[^\s":{}[\],]+/g;

/** The same tokens, and strings. An unclosed string extends to the end of its line, so each character is read once. */
const word = /"(?:[^"\\]|\\[^])*("|\\?$)|[:{}[\],]|[^\s":{}[\],]+/g;

/** Strings and the tokens between them, in order. Text after an unclosed quote is split into tokens too. */
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
