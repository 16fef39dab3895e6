import type { Token } from "./tokens.ts";

/** Brackets, chains, imports and comparisons in the tokens of a text: what `turnsOf` reads of a test file. */

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

/** The token that opens the bracket around `at`, looked for behind the token `after` only; -1 when none does. */
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

/** The first argument of the call whose bracket is at `at`: the token behind its last; null when it has none. */
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

/** A bracket, or what is never one. */
function signAt(tokens: readonly Token[], at: number): string {
  const token = tokens[at];
  return token?.type === "sign" && token.text.length === 1 ? token.text : " ";
}

/** From a word, or the bracket that closes a call, over `.name.name` to what stands behind; null: it is no chain. */
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

/** A word of assertions, or an operator that compares. */
export function mayCompare(tokens: readonly Token[], at: number): boolean {
  const { type, text } = tokens[at] ?? { type: "sign", text: "" };
  if (type === "operator") return /^(?:[=!]==?|[<>]=?)$/.test(text);
  if (type !== "word") return false;
  if (/assert|expect|should|equal|compar|raises|throws/i.test(text)) return true;
  return isMember(tokens, at) && /^(?:to|is|not|ok|same|match|deep|include|contain)(?:$|[A-Z_])/.test(text);
}

/** `t.is(…)`, `expect(…).toBe(…)`; or Python's `is`. */
function isMember(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.text === "is" || tokens[at - 1]?.text === ".";
}

/** What is imported, and where each import ends: by the token that it begins with. */
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

/** Behind the import that begins here: `import …`, `from … import …`, `const a = require("…")`; null: none does. */
function importEnd(tokens: readonly Token[], at: number): number | null {
  const first = tokens[at];
  if (first?.type !== "word" || tokens[at - 1]?.line === first.line) return null;
  if (!/^(?:import|from|const|let|var)$/.test(first.text)) return null;
  let end = at;
  for (let line = first.line; end < tokens.length && (tokens[end]?.line ?? 0) <= line && end - at < longestImport; ) {
    const last = open.includes(signAt(tokens, end)) ? closingAt(tokens, end) : end;
    if (last === -1) return null;
    // Brackets may go over lines.
    line = Math.max(line, tokens[last]?.line ?? 0);
    end = last + 1;
  }
  if (/^(?:import|from)$/.test(first.text)) return end;
  const required = tokens.slice(at, end).findIndex(({ text }) => text === "require");
  return required !== -1 && tokens[at + required - 1]?.text === "=" ? end : null;
}
