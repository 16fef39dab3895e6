import { opening } from "./brackets.ts";
import { type NearMissPlace, missedInTest } from "./missed.ts";
import type { Token } from "./tokens.ts";

/**
 * Values on the side that an assertion rejects, for assertions in which a slightly changed value would still lie on the accepted side:
 * negations (`not.toContain("a")`) and bounds (`toBeGreaterThan(0)`). The assertion itself stays, so code that lies only when it is asked
 * is not detected.
 */

/** Negations in the code of a line, by words of assertions and not by names of what is tested (`renderNotFound`). */
const denying = new RegExp(
  [
    /\.not\b|\bnot[.(]|\b(?:assert not|not in)\b|\b(?:not_to|to_not)\b|\brefute|\b(?:doesNot|does_not)/,
    /\b(?:XCT)?[aA]ssert\w{0,30}Not[A-Z]|\b(?:to|is|should)Not[A-Z]|\b(?:assert_(?:\w{1,30}_)?|should_)not_|\bis_not\(/,
    /\b(?:assert|t|test)\.not[A-Z]|\b(?:assert|ok|assert\.ok|assertTrue|assert!)\s?\(\s?!/,
    /\b(?:assertFalse|isFalse|notOk|falsy|toBeFalsy)\b/,
  ]
    .map(({ source }) => source)
    .join("|"),
);
/** Assertions that two values are not the same: the value that would be the same is not known. */
const denyingSame =
  /\.not\.(?:\w{1,20}\.){0,3}(?:toBe|toBeCloseTo|toEqual|toStrictEqual|equals?|eql?|be|a|toHaveBeen\w{0,30}|toHaveProperty|toHaveLength|property|lengthOf)\s?\(|[nN]ot(?:Deep|Strict|DeepStrict)?(?:Equals?|Same)\w{0,30}\s?\(|\bt\.(?:not|isNot)\(|\bassert_not_(?:equal|same|nil)\b|_ne!|!=|\bassertIsNot\(/;

const above =
  /^(?:toBeGreaterThan(?:OrEqual)?|assertGreater(?:Equal|Than|ThanOrEqual)?|isAbove|isAtLeast|above|least|greaterThan\w*|gte?)$/;
const below =
  /^(?:toBeLessThan(?:OrEqual)?|assertLess(?:Equal|Than|ThanOrEqual)?|isBelow|isAtMost|below|most|lessThan\w*|lte?)$/;
/** Languages in which a minus may stand before a number, and single quotes enclose a string. */
const scripts = /\.(?:py|rb|php|[cm]?[jt]sx?)$/i;
/** Options of how a test is run, which assert nothing. */
const options = /^(?:numRuns|max_examples|maxExamples|timeout|timeoutMs|interval|retries|retry|seed)$/;

/** A token of a test file, by its index. */
interface Place {
  readonly path: string;
  readonly tokens: readonly Token[];
  readonly at: number;
  readonly line: string;
}

/** Changes a value of an assertion. Outside negations and bounds it becomes just another value. */
export function missedInAssertion(token: Token, place: Place): NearMissPlace {
  const missed = missedInTest(token, place.path);
  if (
    token.type === "string" &&
    denying.test(codeOf(place.line)) &&
    (scripts.test(place.path) || token.text.startsWith('"'))
  ) {
    const quote = token.text.slice(0, 1);
    // An empty string is a part of every other string.
    return token.text.length === 2 ? missed : { ...missed, to: quote + quote };
  }
  const bound = token.type === "number" ? boundOf(place) : null;
  const to = bound === null ? null : beyond(token.text, bound, scripts.test(place.path));
  return to === null ? missed : { ...missed, to };
}

/** True when the assertion in a line only says which value something is not: it passes with nearly every other value. */
export function deniesSame({ type }: Token, line: string): boolean {
  const code = codeOf(line);
  const isOne = (code.match(/\b(?:expect|assert\w*)\b/g) ?? []).length < 2 && !/(?<![!=])={2,3}/.test(code);
  return (type === "string" || type === "number") && isOne && denyingSame.test(code);
}

/** A line without the content of its strings and without its comment. */
function codeOf(line: string): string {
  return line
    .slice(0, 400)
    .replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g, '""')
    .replace(/(?:^|\s)(?:\/\/|#).*$/, "");
}

/** `{ numRuns: 500 }`, `max_examples=500`. */
export function isOption(tokens: readonly Token[], at: number): boolean {
  return /^[:=]$/.test(tokens[at - 1]?.text ?? "") && options.test(tokens[at - 2]?.text ?? "");
}

type Bound = "above" | "below";

/** On which side of a number the compared value must lie: `length > 8`, `8 < length`, `toBeGreaterThan(8)`, `assertGreater(length, 8)`. */
function boundOf({ tokens, at }: Place): Bound | null {
  const behind = tokens[at + 1]?.text ?? "";
  const sign = tokens[at - 1]?.text ?? "";
  const around = opening(tokens, at, Math.max(0, at - longestCall));
  const wanted = (isAbove: boolean): Bound => (isAbove === isDenied(tokens, around) ? "below" : "above");
  if (/^[<>]=?$/.test(behind)) return wanted(behind.startsWith("<"));
  if (/^[<>]=?$/.test(sign)) return wanted(sign.startsWith(">"));
  if (!/^[),]$/.test(behind) || !/^[(,]$/.test(sign) || tokens[around]?.text !== "(") return null;
  const name = tokens[around - 1]?.text ?? "";
  if (above.test(name)) return wanted(true);
  return below.test(name) ? wanted(false) : null;
}

/** Maximum number of tokens that are read back to an opening bracket. */
const longestCall = 60;

/** True when the content of a bracket is negated: `not.toBeGreaterThan(8)`, `!list.some(…)`, `not any(…)`, `assertFalse(…)`. */
function isDenied(tokens: readonly Token[], around: number): boolean {
  let at = around - 1;
  if (/^(?:assertFalse|isFalse|notOk)$/.test(tokens[at]?.text ?? "")) return true;
  // In Rust, `assert!(…)` is a macro.
  if (tokens[at]?.text === "!") return tokens[at - 1]?.type !== "word";
  while (tokens[at]?.type === "word" && tokens[at]?.text !== "not" && tokens[at - 1]?.text === ".") {
    at -= 2;
    if (tokens[at]?.text === ")") at = opening(tokens, at, Math.max(0, at - longestCall)) - 1;
  }
  if (tokens[at]?.type === "word" && tokens[at]?.text !== "not") at -= 1;
  return /^(?:not|!)$/.test(tokens[at]?.text ?? "");
}

function beyond(text: string, bound: Bound, mayBeNegative: boolean): string | null {
  if (!/^\d{1,12}(?:\.\d{1,12})?$/.test(text)) return null;
  const isWhole = !text.includes(".");
  const behind = isWhole ? "" : ".0";
  if (bound === "below") return mayBeNegative ? `(-999999999${behind})` : `0${behind}`;
  return Number(text) < 99_999_999 ? `999999999${behind}` : `${text.split(".")[0]}000${behind}`;
}
