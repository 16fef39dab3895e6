import { quotesLetters } from "./languages.ts";
import type { Token } from "./tokens.ts";
import type { Replacement } from "./turned-values.ts";

/** A place of a near miss: the text there, and its replacement. */
export interface NearMissPlace extends Replacement {
  readonly text: string;
  /** From 0. */
  readonly line: number;
  /** The value or operator that is changed; null where it is neither. */
  readonly of: Token | null;
}

/** Changes a literal or operator of a test. In a language whose single quotes enclose one letter, the letter becomes another letter. */
export function missedInTest(token: Token, path: string): NearMissPlace {
  const { type, text } = token;
  if (type === "string" && text.startsWith("'") && quotesLetters(path))
    return missed(token, text === "'a'" ? "'b'" : "'a'");
  return missed(token, type === "string" ? `${text.slice(0, -1)}-${text.slice(-1)}` : otherOf(token));
}

/** Changes a literal or operator of source. A string is replaced as a whole, because a test may check only a part of it. */
export function missedInSource(token: Token): NearMissPlace {
  return missed(token, token.type === "string" ? otherText(token.text) : otherOf(token));
}

function missed(of: Token, to: string): NearMissPlace {
  const { start, end, text, line } = of;
  return { start, end, text, line, to, of };
}

function otherOf({ type, text }: Token): string {
  if (type === "number") return /^\d+$/.test(text) && text.length < 15 ? String(Number(text) + 1) : `(${text}+1)`;
  return swapped[text] ?? text;
}

/** Format placeholders (`%s`) are kept: without them the program may not compile, or may fail for another reason. */
const inserted = /%[-+ #0]{0,4}\d{0,6}(?:\.\d{1,6})?[a-zA-Z]/g;

function otherText(text: string): string {
  const quote = /^(?:"""|''')/.exec(text)?.[0] ?? text.slice(0, 1);
  const inner = text.slice(quote.length, -quote.length);
  const other = ["", ...(inner.match(inserted) ?? []), ""].join("-").replace(/^--$/, "-");
  return `${quote}${other === inner ? `${other}-` : other}${quote}`;
}

const swapped: Readonly<Record<string, string>> = {
  true: "false",
  false: "true",
  True: "False",
  False: "True",
  "===": "!==",
  "!==": "===",
  "==": "!=",
  "!=": "==",
  "<": ">=",
  ">": "<=",
  "<=": ">",
  ">=": "<",
  "&&": "||",
  "||": "&&",
  "+": "-",
  "-": "+",
  "*": "+",
  "%": "*",
};
