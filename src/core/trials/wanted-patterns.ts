import { opening } from "./brackets.ts";
import type { NearMissPlace } from "./missed.ts";
import type { NonToken, Token } from "./tokens.ts";

/** Assertions that a string matches a pattern; `doesNotMatch` and `not.toMatch` assert the opposite. */
const asking = /^(?:match|matches|toMatch|like|throws|throwsAsync|rejects|toThrow|toThrowError|throw)$/;

/** Maximum number of tokens between a pattern and the call that receives it. */
const longestCall = 200;

/**
 * Patterns that a test wants something to match, each made one that nothing matches: `assert.throws(run, /missing/)`,
 * `{ message: /missing/ }`. They are values that are compared, as texts are.
 */
export function wantedPatterns(tokens: readonly Token[], patterns: readonly NonToken[]): NearMissPlace[] {
  const found: NearMissPlace[] = [];
  let next = 0;
  for (const { start, end, line, text } of patterns) {
    while ((tokens[next]?.start ?? Infinity) < end) next += 1;
    // Its flags are a word of their own.
    const behind = tokens[next]?.start === end && tokens[next]?.type === "word" ? next + 1 : next;
    if (isWanted(tokens, behind)) found.push({ start, end, line, text, to: "/(?!)/", of: null });
  }
  return found;
}

/** From what stands behind the pattern back to the call whose argument it is, alone or in a list of fields. */
function isWanted(tokens: readonly Token[], next: number): boolean {
  if (!/^[,)}]$/.test(tokens[next]?.text ?? "")) return false;
  const after = Math.max(0, next - longestCall);
  for (let at = opening(tokens, next, after); at !== -1; at = opening(tokens, at, after)) {
    const text = tokens[at]?.text;
    if (text === "{" && /^[(,]$/.test(tokens[at - 1]?.text ?? "")) continue;
    if (text !== "(") return false;
    const chain = tokens.slice(Math.max(0, at - 4), at - 1).map((each) => each.text);
    return asking.test(tokens[at - 1]?.text ?? "") && !chain.includes("not");
  }
  return false;
}
