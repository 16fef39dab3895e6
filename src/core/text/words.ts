/** Splits a line typed in a chat or in the console into words. A shell splits the terminal's words. */

/** One word of a line. */
export interface Word {
  readonly text: string;
  /** The white space before it, as typed. It is kept when words are joined to a text. */
  readonly before: string;
  /** The word with its opening and closing quotes, for use inside a sentence. */
  readonly typed: string;
  /** True when it began with a quote: then it is data and never an option. */
  readonly isQuoted: boolean;
  /** The quote in the word. Null when there is none. */
  readonly quote: Quote | null;
  /** True for a word of a typed line, whose quotes are known. A shell has removed the quotes of its words. */
  readonly isTyped: boolean;
}

interface Quote {
  /** The character, from 1, at which it begins. */
  readonly at: number;
  /** True for ' or ‘, which may also be apostrophes. */
  readonly isApostrophe: boolean;
  /** True for quotes that a keyboard replaced (“ ”): quotes inside are then replaced too. */
  readonly isTypographic: boolean;
  /** The text directly after the closing quote. */
  readonly behind: string;
}

export type ReadLine =
  | { readonly type: "read"; readonly words: readonly Word[] }
  /** `problem` says what is wrong and at which character, from 1. */
  | { readonly type: "wrong"; readonly problem: string };

/** Maximum length of a line, in UTF-16 units: as long as the longest chat message. */
export const longestLine = 40_000;

/**
 * Splits a line at white space. A quote counts only at the beginning of a word, or after the `=` of an option
 * (`--run="npm test"`). Elsewhere it is an ordinary character, so `Don't` is unchanged. Inside quotes an apostrophe
 * between two letters is ordinary too; `\"` is a quote, and in double quotes `\\` is a backslash. A quote that is not
 * closed, or that begins inside another, is refused instead of guessed. Linear in the line.
 */
export function readWords(line: string): ReadLine {
  if (line.length > longestLine)
    return { type: "wrong", problem: `the line has ${line.length} characters, at most ${longestLine} are read` };
  const words: Word[] = [];
  let at = 0;
  while (at < line.length) {
    const start = skip(line, at, isSpace);
    if (start === line.length) break;
    const read = readWord(line, start);
    if (typeof read === "string") return { type: "wrong", problem: read };
    words.push({ ...read.word, before: line.slice(at, start), isTyped: true });
    at = read.end;
  }
  return { type: "read", words };
}

/** Returns words that did not come from a line, such as those of a pressed button. */
export function wordsAsGiven(texts: readonly string[]): Word[] {
  return texts.map((text) => ({ ...plainWord(text), before: " ", isTyped: false }));
}

/** True for a lone `--`: everything after it is text. */
export function endsOptions(word: Word): boolean {
  return word.text === "--" && !word.isQuoted;
}

/** Replaces typographic quotes and dashes with those of a shell: “ ” with ", ‘ ’ with ', and — before a word with --. */
export function straightened(text: string): string {
  return text
    .replace(/[“”„‟]/g, '"')
    .replace(/[‘’‚‛]/g, "'")
    .replace(/(^|\s)[—–](?=[A-Za-z])/g, "$1--");
}

const optionStart = /(?:--|-?[—–‒―−][-—–‒―−]{0,3})[A-Za-z][\w-]{0,60}=/y;
const doubles = '"“”„‟';
const singles = "'‘’‚‛";

interface Read {
  readonly word: Omit<Word, "before" | "isTyped">;
  /** The index after the word. */
  readonly end: number;
}

function readWord(line: string, start: number): Read | string {
  optionStart.lastIndex = start;
  const option = optionStart.exec(line)?.[0] ?? "";
  const at = start + option.length;
  const quote = line[at] ?? "";
  // A single ’ at the beginning of a word is an apostrophe: ’tis.
  const opens = doubles.includes(quote) || (singles.includes(quote) && (quote !== "’" || option !== ""));
  if (quote === "" || !opens) return readPlain(line, start);
  const inside = readQuoted(line, at);
  if (typeof inside === "string") return inside;
  const rest = readPlain(line, inside.end);
  const more = line.slice(inside.end, rest.end);
  if (more.split("").some(isQuote))
    return `behind the quote that ends at character ${inside.end} comes another one: put a space between them`;
  const text = `${option}${inside.text}${more}`;
  const closing = line[inside.end - 1] ?? "";
  const word = {
    text,
    typed: `${option}${quote}${inside.text}${closing}${more}`,
    isQuoted: option === "",
    quote: { at: at + 1, isApostrophe: singles.includes(quote), isTypographic: !`"'`.includes(quote), behind: more },
  };
  return { word, end: rest.end };
}

function plainWord(text: string): Read["word"] {
  return { text, typed: text, isQuoted: false, quote: null };
}

/** Reads up to the next white space. A backslash makes a following quote an ordinary character, also at the beginning. */
function readPlain(line: string, start: number): Read {
  const end = skip(line, start, (character) => !isSpace(character));
  const text = line.slice(start, end).replace(/\\(["'“”„‟‘’‚‛])/g, "$1");
  return { word: plainWord(text), end };
}

function readQuoted(line: string, start: number): { readonly text: string; readonly end: number } | string {
  const quote = line[start] ?? "";
  const isDouble = doubles.includes(quote);
  const isTypographic = quote !== '"' && quote !== "'";
  const plain = isDouble ? '"' : "'";
  const closes = (character: string): boolean =>
    isTypographic ? (isDouble ? doubles : singles).includes(character) : character === quote;
  let text = "";
  let from = start + 1;
  for (let at = from; at < line.length; at += 1) {
    const character = line[at] ?? "";
    const next = line[at + 1] ?? "";
    if (character === "\\" && next !== "" && (closes(next) || (isDouble && next === "\\"))) {
      text += line.slice(from, at) + (next === "\\" ? "\\" : plain);
      at += 1;
      from = at + 1;
    } else if (closes(character)) {
      if (!isLetterAt(line, at + 1)) return { text: text + line.slice(from, at), end: at + 1 };
      if (!isLetterBefore(line, at))
        return `inside the quote that begins at character ${start + 1} another one begins at character ${at + 1}: write \\${plain} for a quote that is a character`;
    }
  }
  const shown = line.slice(start, start + 24);
  return `the quote that begins at character ${start + 1} (${shown}${start + 24 < line.length ? "…" : ""}) is never closed: close it, or write \\${plain} for a quote that is a character`;
}

function skip(line: string, from: number, while_: (character: string) => boolean): number {
  let at = from;
  while (at < line.length && while_(line[at] ?? "")) at += 1;
  return at;
}

const spaces = /[\s\u180e\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069]/;

/** True for white space and for zero-width characters between words: pasted text could hide an option behind one. */
function isSpace(character: string): boolean {
  return character === "" || spaces.test(character);
}

function isQuote(character: string): boolean {
  return doubles.includes(character) || singles.includes(character);
}

function isLetterAt(line: string, at: number): boolean {
  return /^[\p{L}\p{N}_]/u.test(line.slice(at, at + 2));
}

function isLetterBefore(line: string, at: number): boolean {
  return /[\p{L}\p{N}_]$/u.test(line.slice(Math.max(0, at - 2), at));
}
