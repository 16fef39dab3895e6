import type { Token } from "./tokens.ts";

/** So many tokens before a name are read to see where it stands. */
const longest = 100;

/**
 * Whether a name stands where TypeScript reads a type: `at: Date`, `Date | null`, `as Date`, `Map<string, Date>`. What it cannot
 * tell is no type.
 */
export function isTypeAt(tokens: readonly Token[], index: number): boolean {
  const next = tokens[index + 1]?.text ?? "";
  if (/^(?:[|&]|>{1,2})$/.test(next)) return true;
  if (next === "[" && tokens[index + 2]?.text === "]") return true;
  return isTypeBehind(tokens, index);
}

/** By what stands before it, and before what holds it. */
function isTypeBehind(tokens: readonly Token[], index: number): boolean {
  let at = index;
  for (let depth = 0; depth < 8; depth += 1) {
    const before = tokens[at - 1]?.text ?? "";
    if (/^(?:[|&<]|as|satisfies|is|keyof|readonly)$/.test(before)) return true;
    if (before === ":") {
      const told = annotated(tokens, at - 1);
      if (typeof told === "boolean") return told;
      at = told;
    } else if (before === "=") return isOfType(tokens, at - 1);
    else if (before === "extends") return /^(?:interface|[<,])$/.test(tokens[at - 3]?.text ?? "");
    else if (before === "=>" && tokens[at - 2]?.text === ")") at = opening(tokens, at - 2);
    else if (/^[[(,]$/.test(before)) {
      const open = before === "," ? opening(tokens, at) : at - 1;
      const sign = tokens[open]?.text;
      if (sign === "<") return tokens[index + 1]?.text === ",";
      // The arguments of a call, and the places of an object, hold values.
      if (open < 0 || sign === "{" || (sign === "(" && isValueEnd(tokens[open - 1]))) return false;
      at = open;
    } else return false;
    if (at < 1) return false;
  }
  return false;
}

/** Behind a colon: a type, a value, or what the braces or brackets are in which it stands, by their place. */
function annotated(tokens: readonly Token[], colon: number): boolean | number {
  if (/^[?!]$/.test(tokens[colon - 1]?.text ?? "")) return true;
  const open = opening(tokens, colon);
  if (isChoice(tokens, colon, open)) return false;
  if (tokens[colon - 1]?.text === ")") return true;
  const sign = tokens[open]?.text;
  if (open < 0 || sign === "(" || /^(?:const|let|var)$/.test(tokens[colon - 2]?.text ?? "")) return true;
  if (sign === "[") return open;
  const before = tokens[open - 1]?.text ?? "";
  if (before === ":") return open;
  if (before === "=") return isOfType(tokens, open - 1);
  // An object is given, or returned; else these are the braces of a class, a type or a block.
  return !/^(?:[(,[?]|return|default|\|\||&&)$/.test(before);
}

/** `is ? one : Date`, and not `at?: Date` or `shop?.at`. */
function isChoice(tokens: readonly Token[], colon: number, open: number): boolean {
  for (let at = colon - 1; at > Math.max(open, colon - longest); at -= 1) {
    const { text } = tokens[at] ?? { text: "" };
    if (text === ";") return false;
    if (text === "?" && !/^[.:),?]$/.test(tokens[at + 1]?.text ?? "")) return true;
  }
  return false;
}

/** `type When = Date`, `<When = Date>`. */
function isOfType(tokens: readonly Token[], equals: number): boolean {
  if (tokens[equals - 2]?.text === "<") return true;
  for (let at = equals - 1; at >= Math.max(0, equals - longest); at -= 1) {
    const [word, name] = [tokens[at], tokens[at + 1]];
    if (/^[;{}=]$/.test(word?.text ?? "")) return false;
    if (word?.text === "type" && name?.type === "word" && name.line === word.line)
      return tokens[at - 1]?.text !== "." && at + 1 < equals;
  }
  return false;
}

/** The bracket in which a token stands; -1: in none. */
export function bracketAt(tokens: readonly Token[], index: number): number {
  return pairsOf(tokens).around[index] ?? -1;
}

/** The same; `<` where nothing but types lies between. */
function opening(tokens: readonly Token[], index: number): number {
  const open = bracketAt(tokens, index);
  for (let at = index - 1; at > Math.max(open, index - longest); at -= 1) {
    const { type, text } = tokens[at] ?? { type: "sign", text: "" };
    if (text === "<" && tokens[at - 1]?.type === "word") return at;
    if (type !== "word" && !/^[,.|&[\]>]$/.test(text)) return open;
  }
  return open;
}

/** The token that closes the bracket at `open`; -1 when there is none. */
export function closingOf(tokens: readonly Token[], open: number): number {
  return pairsOf(tokens).closers.get(open) ?? -1;
}

interface Pairs {
  /** For each token, the bracket around it; -1 when there is none. */
  readonly around: readonly number[];
  readonly closers: ReadonlyMap<number, number>;
}

/** Cache: brackets are paired once per text, so that reading all its names stays linear. */
const known = new WeakMap<readonly Token[], Pairs>();

function pairsOf(tokens: readonly Token[]): Pairs {
  const before = known.get(tokens);
  if (before !== undefined) return before;
  const around: number[] = [];
  const closers = new Map<number, number>();
  const open: number[] = [];
  for (const [index, { type, text }] of tokens.entries()) {
    const isSign = type === "sign" && text.length === 1;
    if (isSign && ")]}".includes(text)) {
      const last = open.pop();
      if (last !== undefined) closers.set(last, index);
      around.push(last ?? -1);
    } else around.push(open.at(-1) ?? -1);
    if (isSign && "([{".includes(text)) open.push(index);
  }
  const pairs = { around, closers };
  known.set(tokens, pairs);
  return pairs;
}

function isValueEnd(token: Token | undefined): boolean {
  if (token?.type === "word") return !/^(?:return|typeof|case|in|of|if|while|as|is)$/.test(token.text);
  return token?.type === "string" || /^[)\]]$/.test(token?.text ?? "");
}
