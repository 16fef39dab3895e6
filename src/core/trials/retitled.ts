import { type Token, tokensOf } from "./tokens.ts";

/** What a test was called, and what it is called. */
export type TitlePair = readonly [before: string, now: string];

/** The titles of a test, or of what holds tests, that stand at the same place of two texts; null: there stands something else. */
export function titlePair(before: readonly Token[], now: readonly Token[], index: number): TitlePair | null {
  const [one, other] = [titleAt(before, index), titleAt(now, index)];
  return one === null || other === null ? null : [one, other];
}

/** `test("the price", …)`, `describe("shop", …)`. */
function titleAt(tokens: readonly Token[], index: number): string | null {
  const token = tokens[index];
  if (token?.type !== "string" || token.text.includes("${") || tokens[index - 1]?.text !== "(") return null;
  const isTest = /^(?:test|it|describe|suite|context|specify)$/.test(tokens[index - 2]?.text ?? "");
  return isTest && tokens[index - 3]?.text !== "." && tokens[index + 1]?.text === "," ? token.text.slice(1, -1) : null;
}

/** `def test_price(…)` of Python. */
function functionPair(before: readonly Token[], now: readonly Token[], index: number): TitlePair | null {
  const [one, other] = [before[index], now[index]];
  const isFunction = [before, now].every((tokens) => tokens[index - 1]?.text === "def");
  if (one === undefined || other === undefined || !isFunction) return null;
  return [one, other].every(({ text }) => /^test/i.test(text)) ? [one.text, other.text] : null;
}

/** Tests that are what they were under other titles, of the old ones the new ones. Empty where anything else of their file is other. */
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

/** The name of a test in a report, as it may be called now: of each file that calls a part of it otherwise, one. */
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
