import type { Token } from "./tokens.ts";

/** Brackets, chains, imports and comparisons in tokens: helpers of `turnsOf`, which reads test files. */

const open = "([{";
export const close = ")]}";

/** The token that closes the bracket at `at`; -1 when none does. */
export function closingAt(tokens: readonly Token[], at: number): number {
  let depth = 0;
  for (let index = at; index < tokens.length; index += 1) {
    const { type, text } = tokens[index] ?? { type: "sign", text: "" };
    if (type !== "sign") continue;
    if (open.includes(text)) depth += 1;
    if (close.includes(text)) depth -= 1;
    if (depth === 0) return index;
  }
  return -1;
}

/** The token that opens the bracket around `at`, searched back to the token `after` only; -1 when none does. */
export function opening(tokens: readonly Token[], at: number, after: number): number {
  let depth = 0;
  for (let index = at - 1; index > after; index -= 1) {
    const sign = signAt(tokens, index);
    if (close.includes(sign)) depth += 1;
    if (open.includes(sign)) depth -= 1;
    if (depth < 0) return index;
  }
  return -1;
}

/**
 * The first argument of the call whose bracket is at `at`. `end` is the token after the argument, `next` the token after the call. Null
 * when the call has no argument.
 */
export function firstArgument(
  tokens: readonly Token[],
  at: number,
): { readonly end: number; readonly next: number } | null {
  const last = closingAt(tokens, at);
  if (last <= at + 1) return null;
  let end = at + 1;
  while (end < last && tokens[end]?.text !== ",")
    end = open.includes(signAt(tokens, end)) ? closingAt(tokens, end) + 1 : end + 1;
  return { end, next: last + 1 };
}

/** The text of a sign of one character; a space for every other token. */
function signAt(tokens: readonly Token[], at: number): string {
  const token = tokens[at];
  return token?.type === "sign" && token.text.length === 1 ? token.text : " ";
}

/** From a word, or from the bracket that closes a call, the token after a chain `.name.name`. Null when a dot is not followed by a word. */
export function chainEnd(tokens: readonly Token[], at: number): number | null {
  let end = at + 1;
  while (tokens[end]?.text === ".") {
    if (tokens[end + 1]?.type !== "word") return null;
    end += 2;
  }
  return end;
}

/** The words from one token up to another, joined by dots: `a.b`. */
export function dottedWords(tokens: readonly Token[], from: number, end: number): string {
  const words: string[] = [];
  for (let at = from; at < end; at += 1) if (tokens[at]?.type === "word") words.push(tokens[at]?.text ?? "");
  return words.join(".");
}

/** True for a word of an assertion, or a comparison operator. */
export function mayCompare(tokens: readonly Token[], at: number): boolean {
  const { type, text } = tokens[at] ?? { type: "sign", text: "" };
  if (type === "operator") return /^(?:[=!]==?|[<>]=?)$/.test(text);
  if (type !== "word") return false;
  if (/assert|expect|should|equal|compar|raises|throws/i.test(text)) return true;
  return isMember(tokens, at) && /^(?:to|is|not|ok|same|match|deep|include|contain)(?:$|[A-Z_])/.test(text);
}

/** True for a member, as in `t.is(…)` and `expect(…).toBe(…)`, and for Python's `is`. */
function isMember(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.text === "is" || tokens[at - 1]?.text === ".";
}

/** The imported names, and for each import the token after its end by the token that it begins with. */
export function importsOf(tokens: readonly Token[]): {
  readonly names: ReadonlySet<string>;
  readonly ends: ReadonlyMap<number, number>;
} {
  const names = new Set<string>();
  const ends = new Map<number, number>();
  for (let at = 0; at < tokens.length; at += 1) {
    const end = importEnd(tokens, at);
    if (end === null) continue;
    for (const { type, text } of tokens.slice(at, end)) if (type === "word") names.add(text);
    ends.set(at, end);
    at = end - 1;
  }
  return { names, ends };
}

const longestImport = 200;

/** The token after the import that begins here: `import …`, `from … import …`, `const a = require("…")`; null when none begins here. */
function importEnd(tokens: readonly Token[], at: number): number | null {
  const first = tokens[at];
  if (first?.type !== "word" || tokens[at - 1]?.line === first.line) return null;
  if (!/^(?:import|from|const|let|var)$/.test(first.text)) return null;
  let end = at;
  for (let line = first.line; end < tokens.length && (tokens[end]?.line ?? 0) <= line && end - at < longestImport; ) {
    const last = open.includes(signAt(tokens, end)) ? closingAt(tokens, end) : end;
    if (last === -1) return null;
    // Brackets may span lines.
    line = Math.max(line, tokens[last]?.line ?? 0);
    end = last + 1;
  }
  if (/^(?:import|from)$/.test(first.text)) return end;
  const required = tokens.slice(at, end).findIndex(({ text }) => text === "require");
  return required !== -1 && tokens[at + required - 1]?.text === "=" ? end : null;
}
