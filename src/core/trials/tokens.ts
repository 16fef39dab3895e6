/** The pieces of source text that a near miss is made of: read without a grammar, for many languages, linear in the text. */
export interface Token {
  readonly type: "string" | "number" | "word" | "operator" | "sign";
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** From 0. */
  readonly line: number;
}

/** A part of a text that is no token, such as a comment. */
export type NonToken = Omit<Token, "type">;

/** A name, whether it is written as one or as a text; null of what is neither. */
export function nameIn(token: Pick<Token, "type" | "text"> | undefined): string | null {
  if (token?.type === "string") return token.text.slice(1, -1);
  return token?.type === "word" ? token.text : null;
}

/** Maximum number of characters that are read. */
const longestText = 500_000;

const operators = [
  "===",
  "!==",
  "==",
  "!=",
  "<=",
  ">=",
  "&&",
  "||",
  "=>",
  "->",
  "++",
  "--",
  "+=",
  "-=",
  "**",
  "<<",
  ">>",
];
const plainOperators: ReadonlySet<string> = new Set([
  "===",
  "!==",
  "==",
  "!=",
  "<=",
  ">=",
  "&&",
  "||",
  "<",
  ">",
  "+",
  "-",
  "*",
  "%",
]);

/** The tokens of a text; comments and regular expressions are none. */
export function tokensOf(text: string, path: string): readonly Token[] {
  return piecesOf(text, path).tokens;
}

/** Its comments, as they are written. */
export function commentsOf(text: string, path: string): readonly NonToken[] {
  return piecesOf(text, path).comments;
}

/** Its tokens, its comments and its regular expressions as they are written. */
export function piecesOf(
  text: string,
  path: string,
): {
  readonly tokens: readonly Token[];
  readonly patterns: readonly NonToken[];
  readonly comments: readonly NonToken[];
} {
  const patterns: NonToken[] = [];
  const comments: NonToken[] = [];
  const style = commentStyles.find(([paths]) => paths.test(path))?.[1] ?? "slashes";
  const tokens: Token[] = [];
  let line = 0;
  let at = 0;
  const end = Math.min(text.length, longestText);
  while (at < end) {
    const from = at;
    const type = kindAt(text, at, style, tokens.at(-1));
    at = endOf(text, at, type);
    const piece = { text: text.slice(from, at), start: from, end: at, line };
    if (type === "pattern") patterns.push(piece);
    else if (type === "comment") comments.push(piece);
    else if (type !== "blank") tokens.push({ type, ...piece });
    for (let index = from; index < at; index += 1) if (text[index] === "\n") line += 1;
  }
  return { tokens, patterns, comments };
}

/** How a language marks comments. */
type CommentStyle = "slashes" | "hash" | "hash-at-word" | "hash-or-index" | "slashes-or-hash";

const commentStyles: readonly (readonly [RegExp, CommentStyle])[] = [
  [/\.(?:py|rb|toml|r|ex|exs)$/i, "hash"],
  [/\.(?:sh|bash|zsh|ksh|bats|ya?ml)$/i, "hash-at-word"],
  [/\.(?:p[lm]|psgi|t)$/i, "hash-or-index"],
  [/\.(?:php|phtml)$/i, "slashes-or-hash"],
];

/**
 * True when a comment begins at `at`. A shell and YAML know `#` only where a word could begin: `$#`, `${#x}` and `a#b` are none. `$#list`
 * is an index in Perl, and `#[` an attribute in PHP.
 */
function beginsComment(text: string, at: number, style: CommentStyle): boolean {
  const isSlashed = text.startsWith("//", at) || text.startsWith("/*", at);
  const isHash = text[at] === "#";
  switch (style) {
    case "slashes":
      return isSlashed;
    case "hash":
      return isHash;
    case "hash-at-word":
      return isHash && (at === 0 || /[\s;|&()]/.test(text[at - 1] ?? ""));
    case "hash-or-index":
      return isHash && text[at - 1] !== "$";
    case "slashes-or-hash":
      return isSlashed || (isHash && text[at + 1] !== "[");
  }
}

type Kind = Token["type"] | "blank" | "comment" | "pattern";

function kindAt(text: string, at: number, style: CommentStyle, before: Token | undefined): Kind {
  const character = text[at] ?? "";
  if (/\s/.test(character)) return "blank";
  if (beginsComment(text, at, style)) return "comment";
  if (`"'\``.includes(character)) return "string";
  if (/\d/.test(character)) return "number";
  if (/[\w$]/.test(character) || wordEnd(text, at) > at) return "word";
  if (character === "/" && mayBePattern(before)) return "pattern";
  return plainOperators.has(text.slice(at, at + operatorLength(text, at))) ? "operator" : "sign";
}

/** True unless a value precedes: after a value, a slash divides. */
function mayBePattern(before: Token | undefined): boolean {
  if (before === undefined) return true;
  if (before.type === "word") return /^(?:return|typeof|case|in|of)$/.test(before.text);
  return (before.type === "sign" || before.type === "operator") && !/[)\]}]/.test(before.text);
}

function operatorLength(text: string, at: number): number {
  return operators.find((each) => text.startsWith(each, at))?.length ?? 1;
}

function endOf(text: string, at: number, type: Kind): number {
  switch (type) {
    case "blank":
      return at + 1;
    case "comment":
      return text.startsWith("/*", at) ? behind(text, "*/", at + 2) : lineEnd(text, at);
    case "string":
      return stringEnd(text, at);
    case "pattern":
      return patternEnd(text, at);
    case "number": {
      let end = at + 1;
      while (end < text.length && /[\w.]/.test(text[end] ?? "")) end += 1;
      return end;
    }
    case "word":
      return wordEnd(text, at);
    case "operator":
    case "sign":
      return at + operatorLength(text, at);
  }
}

/** Letters of any alphabet, and letters that are written by their number. */
const letters = /(?:[\p{ID_Continue}$]|\\u(?:[\da-fA-F]{4}|\{[\da-fA-F]{1,8}\}))+/uy;

/** Behind the word that begins there; the same place where none does. */
function wordEnd(text: string, at: number): number {
  letters.lastIndex = at;
  return at + (letters.exec(text)?.[0].length ?? 0);
}

function stringEnd(text: string, at: number): number {
  const quote = text[at] ?? "";
  const three = quote.repeat(3);
  if (quote !== "`" && text.startsWith(three, at)) return behind(text, three, at + 3);
  for (let end = at + 1; end < text.length; end += 1) {
    if (text[end] === "\\") end += 1;
    else if (text[end] === quote) return end + 1;
    // Only a template spans lines: an unclosed quote is an apostrophe.
    else if (text[end] === "\n" && quote !== "`") return at + 1;
  }
  return quote === "`" ? text.length : at + 1;
}

function patternEnd(text: string, at: number): number {
  let isClass = false;
  for (let end = at + 1; end < text.length; end += 1) {
    const character = text[end];
    if (character === "\n") return at + 1;
    if (character === "\\") end += 1;
    else if (character === "[") isClass = true;
    else if (character === "]") isClass = false;
    else if (character === "/" && !isClass) return end + 1;
  }
  return at + 1;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

function behind(text: string, mark: string, at: number): number {
  const found = text.indexOf(mark, at);
  return found === -1 ? text.length : found + mark.length;
}
