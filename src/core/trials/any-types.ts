import { isPythonFile } from "./languages.ts";
import { type NonToken, type Token, tokensOf } from "./tokens.ts";
import { isTypeAt } from "./type-places.ts";

/** A place where source says to a type checker that it may be anything, and what a checker hears instead. */
export interface AnyType extends NonToken {
  readonly to: string;
}

const isTypeScript = /\.[cm]?tsx?$/i;

/**
 * Where source gives up on types: `as any`, `price: any`, `as unknown as Price`, Python's `Any`. Each becomes what says nothing of itself
 * either, and lets nothing be done with it (`unknown`, `object`): it runs as it did.
 */
export function anyTypesIn(text: string, path: string): readonly AnyType[] {
  const isPython = isPythonFile(path);
  if (!isPython && !isTypeScript.test(path)) return [];
  const tokens = tokensOf(text, path);
  const imports = isPython ? importLines(text) : new Set<number>();
  return tokens.flatMap((token, index) => {
    if (token.type !== "word") return [];
    if (isPython) return isAnyOfPython(tokens, index) && !imports.has(token.line) ? [said(token, "object")] : [];
    if (token.text === "any") return isAny(tokens, index) ? [said(token, "unknown", tokens[index - 1])] : [];
    const next = tokens[index + 1];
    // `as unknown as Price`: the second one alone holds what it is given against what it makes of it.
    if (token.text !== "unknown" || next?.text !== "as" || tokens[index - 1]?.text !== "as") return [];
    const { start, line } = token;
    return [{ text: "as unknown as", start, end: next.end, line, to: " ".repeat(next.end - start) }];
  });
}

function isAny(tokens: readonly Token[], index: number): boolean {
  const next = tokens[index + 1]?.text ?? "";
  return !/^[.(:]$/.test(next) && isTypeAt(tokens, index);
}

function isAnyOfPython(tokens: readonly Token[], index: number): boolean {
  const [before, next] = [tokens[index - 1]?.text ?? "", tokens[index + 1]?.text ?? ""];
  if (tokens[index]?.text !== "Any" || before === "." || /^[.(]$/.test(next)) return false;
  return next !== "=" || before === ":";
}

function said({ text, start, end, line }: Token, to: string, before?: Token): AnyType {
  return { text: before?.text === "as" ? `as ${text}` : text, start, end, line, to };
}

/** Lines that begin what is imported, and, where brackets hold it, those up to their end. */
function importLines(text: string): ReadonlySet<number> {
  const found = new Set<number>();
  let isOpen = false;
  for (const [line, words] of text.split("\n").entries()) {
    const begins = /^\s{0,40}(?:from|import)\s/.test(words);
    if (!begins && !isOpen) continue;
    found.add(line);
    isOpen = (isOpen || words.includes("(")) && !words.includes(")");
  }
  return found;
}
