import { type Token, tokensOf } from "./tokens.ts";

/** The old and the new title of a test. */
export type TitlePair = readonly [before: string, now: string];

/** The titles of a test, or of a group of tests, at the same token of two texts; null when another token stands there. */
export function titlePair(before: readonly Token[], now: readonly Token[], index: number): TitlePair | null {
  const [one, other] = [titleAt(before, index), titleAt(now, index)];
  return one === null || other === null ? null : [one, other];
}

/** The title in `test("the price", …)` or `describe("shop", …)`; null at any other token. */
function titleAt(tokens: readonly Token[], index: number): string | null {
  const token = tokens[index];
  if (token?.type !== "string" || token.text.includes("${") || tokens[index - 1]?.text !== "(") return null;
  const isTest = /^(?:test|it|describe|suite|context|specify)$/.test(tokens[index - 2]?.text ?? "");
  return isTest && tokens[index - 3]?.text !== "." && tokens[index + 1]?.text === "," ? token.text.slice(1, -1) : null;
}

/** The two names of a Python test, `def test_price(…)`; null at any other token. */
function functionPair(before: readonly Token[], now: readonly Token[], index: number): TitlePair | null {
  const [one, other] = [before[index], now[index]];
  const isFunction = [before, now].every((tokens) => tokens[index - 1]?.text === "def");
  if (one === undefined || other === undefined || !isFunction) return null;
  return [one, other].every(({ text }) => /^test/i.test(text)) ? [one.text, other.text] : null;
}

/** Tests that are unchanged but for their titles: the new titles by the old ones. Empty when anything else in the file differs. */
export function retitledIn(path: string, before: string, now: string): ReadonlyMap<string, string> {
  const [old, fresh] = [tokensOf(before, path), tokensOf(now, path)];
  const pairs = new Map<string, string>();
  if (old.length !== fresh.length) return pairs;
  for (const [index, token] of old.entries()) {
    if (token.text === fresh[index]?.text) continue;
    const pair = titlePair(old, fresh, index) ?? functionPair(old, fresh, index);
    if (pair === null) return new Map();
    pairs.set(...pair);
  }
  return pairs;
}

/** The possible new names of a test in a report: one for each file in which a part of the name was renamed. */
export function namesNow(name: string, retitled: readonly ReadonlyMap<string, string>[]): string[] {
  const parts = name.split(" > ").map((part) => {
    const bracket = part.indexOf("[");
    const at = bracket > 2 ? bracket : part.length;
    return { title: part.slice(0, at), rest: part.slice(at) };
  });
  return retitled.flatMap((titles) => {
    if (!parts.some(({ title }) => titles.has(title))) return [];
    return [parts.map(({ title, rest }) => `${titles.get(title) ?? title}${rest}`).join(" > ")];
  });
}
