import { closingAt } from "./brackets.ts";
import { isPythonFile } from "./languages.ts";
import type { NearMissPlace } from "./missed.ts";
import type { Token } from "./tokens.ts";

/**
 * Inverts conditions of source: removes a `!` or `not`, or adds one where a condition has no operator (`if (isOpen)`). A comparison with
 * an operator is left to another near miss.
 */
export function conditionsIn(tokens: readonly Token[], path: string): NearMissPlace[] {
  const find = isPythonFile(path) ? inPython : inScript;
  return tokens.flatMap((_token, at) => find(tokens, at) ?? []);
}

function inScript(tokens: readonly Token[], at: number): NearMissPlace | null {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (token === undefined || next === undefined) return null;
  if (token.text === "!") return isNegation(tokens, at) ? replaced(token, token, "") : null;
  if (!/^(?:if|while)$/.test(token.text) || token.type !== "word" || next.text !== "(") return null;
  const end = closingAt(tokens, at + 1);
  return end > at + 2 && !tokens.slice(at + 2, end).some(isDecided) ? replaced(token, next, `${token.text} (!`) : null;
}

/** True when `!` stands before a value. After a value it means something else (`found!.name`), and in `!!found` the first one decides. */
function isNegation(tokens: readonly Token[], at: number): boolean {
  const [before, token, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (next === undefined || !(next.type === "word" || /^[([!]$/.test(next.text))) return false;
  if (before === undefined || before.line !== token?.line) return true;
  if (before.type === "word")
    return /^(?:return|if|elif|while|until|and|or|not|in|case|[a]wait|yield)$/.test(before.text);
  return before.type === "operator" || /^(?:[({[,;:?=]|=>)$/.test(before.text);
}

function isDecided({ type, text }: Token): boolean {
  return type === "operator" || /^(?:[!?;,=]|\+=|-=|in|of|instanceof|let|const|auto)$/.test(text);
}

function inPython(tokens: readonly Token[], at: number): NearMissPlace | null {
  const [before, token, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (token?.type !== "word" || next === undefined) return null;
  if (token.text === "not") {
    const isPart = before?.text === "is" || next.text === "in";
    return isPart ? null : replaced(token, token, "");
  }
  if (!/^(?:if|elif|while)$/.test(token.text) || next.text === "not") return null;
  let end = at + 1;
  while (end < tokens.length && tokens[end]?.text !== ":" && tokens[end]?.line === token.line) end += 1;
  const condition = tokens.slice(at + 1, end);
  return condition.some(({ type }) => type === "operator") ? null : replaced(token, token, `${token.text} not`);
}

function replaced(first: Token, last: Token, to: string): NearMissPlace {
  const text = first === last ? first.text : `${first.text} ${last.text}`;
  return { start: first.start, end: last.end, line: first.line, text, to, of: null };
}
