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

interface Token extends Line {
  readonly line: Line;
  readonly isText: boolean;
}

/**
 * The pairs in lines of JSON, wherever they are broken and however their letters are written. Lines that do not follow one another
 * are read by themselves. Each is told with the line of its value, without one with that of its key. Linear in the lines.
 */
export function pairsIn(lines: readonly Line[], asked: (key: string) => boolean = () => false): Pair[] {
  const pairs: Pair[] = [];
  let before: readonly Token[] = [];
  // Of each brace that is open, whether it is below such a key.
  let open: boolean[] = [];
  for (const [index, line] of lines.entries()) {
    const last = lines[index - 1];
    if (last === undefined || last.path !== line.path || last.number + 1 !== line.number) [before, open] = [[], []];
    for (const token of tokensIn(line)) {
      const [key, colon] = before.slice(-2);
      const isValue = key?.isText === true && colon?.text === ":" && !colon.isText;
      const isBelow = open.at(-1) ?? false;
      if (isValue) {
        const value = token.isText ? token.text : null;
        pairs.push({ line: token.line, key: key.text, value, keyLine: key.line, isBelow });
      } else if (token.isText && before.length === 0) {
        pairs.push({ line, key: "", value: token.text, keyLine: line, isBelow });
      }
      if (opens(token)) open.push(isBelow || (isValue && asked(key.text)));
      else if (closes(token)) open.pop();
      before = isValue ? [token] : [...before.slice(-1), token];
    }
    // The value stands elsewhere: in a line that was not changed, or in the next.
    const [key, colon] = before.slice(-2);
    if (key?.isText === true && colon?.text === ":")
      pairs.push({
        line: key.line,
        key: key.text,
        value: null,
        keyLine: key.line,
        isBelow: open.at(-1) ?? false,
      });
  }
  return pairs;
}

function opens({ isText, text }: Token): boolean {
  return !isText && (text === "{" || text === "[");
}

function closes({ isText, text }: Token): boolean {
  return !isText && (text === "}" || text === "]");
}

/** What stands outside of texts. */
const plainWord = /[:{}[\],]|[^\s":{}[\],]+/g;

/** The same, and texts; one that is not closed goes to the end of its line, so that each letter is read once. */
const word = /"(?:[^"\\]|\\[^])*("|\\?$)|[:{}[\],]|[^\s":{}[\],]+/g;

/** Texts and what stands between them; what follows a quote that is not closed stands between them, too. */
function tokensIn(line: Line): Token[] {
  const plain = (text: string): Token => ({ ...line, line, isText: false, text });
  return [...line.text.matchAll(word)].flatMap(([found, end]) => {
    if (end === '"') return [{ ...line, line, isText: true, text: decoded(found) }];
    return end === undefined ? [plain(found)] : (found.match(plainWord) ?? []).map(plain);
  });
}

function decoded(literal: string): string {
  const read = readJson(literal);
  return read.type !== "wrong" && typeof read.value === "string" ? read.value : literal.slice(1, -1);
}
