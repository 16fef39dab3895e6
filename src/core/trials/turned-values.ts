import { chainEnd, close, closingAt, mayCompare } from "./brackets.ts";
import type { Token } from "./tokens.ts";

/** A part of a text, and its replacement. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly to: string;
}

/**
 * An assertion that compares with no value: that something throws, or that a predicate is true. A slightly changed value says nothing
 * about it (`price(-2)` throws as `price(-1)` does).
 *
 * `crossed` replaces its arguments by values of the other side: `price(1)`. `plain` uses values that seldom throw: `parse("1")`. `turned`
 * inverts whether the call throws. The tested code still runs and the assertion keeps its name, so an assertion that was changed to always
 * pass is detected, and code that ends the process still ends it. A turned assertion that fails shows that it runs, not that the source
 * does what is wanted.
 *
 * Used only where nothing in the file compares: a value that equals everything passes where a wanted value was changed.
 */
export interface TurnedAssertion {
  /** From 0. */
  readonly line: number;
  readonly crossed: readonly Replacement[];
  readonly plain: readonly Replacement[];
  /** Null for a predicate: `crossed` already detects a source that always says yes. */
  readonly turned: Replacement | null;
}

export interface TestFile {
  readonly path: string;
  readonly text: string;
  readonly tokens: readonly Token[];
  /** What the file imports. */
  readonly names: ReadonlySet<string>;
}

export interface FoundTurn {
  readonly turn: TurnedAssertion;
  /** The first token after the assertion. */
  readonly next: number;
}

/** The characters from one token up to another. */
export function spanOf(
  { text, tokens }: TestFile,
  from: number,
  end: number,
): { start: number; end: number; text: string } {
  const start = tokens[from]?.start ?? 0;
  const last = tokens[end - 1]?.end ?? start;
  return { start, end: last, text: text.slice(start, last) };
}

/** Replaces every literal from `from` to `end`. */
export function otherValues(
  tokens: readonly Token[],
  from: number,
  end: number,
): Pick<TurnedAssertion, "crossed" | "plain"> {
  const crossed: Replacement[] = [];
  const plain: Replacement[] = [];
  for (let at = from; at < end; at += 1) {
    const { type, text, start: own, end: last } = tokens[at] ?? { type: "sign", text: "", start: 0, end: 0 };
    const sign = tokens[at - 1];
    const isNegative = type === "number" && sign?.text === "-" && !isValueAt(tokens, at - 2);
    const start = isNegative ? sign.start : own;
    const whole = isNegative ? `-${text}` : text;
    const other = otherValue(type, whole);
    if (other === null) continue;
    crossed.push({ start, end: last, to: other });
    plain.push({ start, end: last, to: plainValues[type] ?? other });
  }
  return { crossed, plain };
}

const plainValues: Readonly<Partial<Record<Token["type"], string>>> = { number: "1", string: '"1"' };

function otherValue(type: Token["type"], text: string): string | null {
  if (type === "string") return text.length === 1 ? null : text.length === 2 ? '"a trial"' : '""';
  if (type === "number") return text.startsWith("-") ? text.slice(1) : /^0+$/.test(text) ? "(-1)" : `(-${text})`;
  return opposite.get(text) ?? null;
}

const opposite: ReadonlyMap<string, string> = new Map(
  Object.entries({ true: "false", false: "true", True: "False", False: "True" }),
);

/** True at the end of a value: a minus after it subtracts. */
function isValueAt(tokens: readonly Token[], at: number): boolean {
  const { type, text } = tokens[at] ?? { type: "sign", text: "" };
  return type === "number" || type === "string" || type === "word" || (text !== "" && close.includes(text));
}

/**
 * True for one call of an imported function with only literals as arguments: `isFree(3)`, `not shop.is_free("a", 3)`. An earlier
 * computation, or a call around another one, may compare.
 */
export function isPredicate({ tokens, names }: TestFile, from: number, end: number): boolean {
  let at = from;
  // Core itself is read for that word.
  while (/^(?:!|not|[a]wait)$/.test(tokens[at]?.text ?? "")) at += 1;
  const root = tokens[at];
  if (root?.type !== "word" || !names.has(root.text)) return false;
  const bracket = chainEnd(tokens, at);
  if (bracket === null || tokens[bracket]?.text !== "(" || closingAt(tokens, bracket) !== end - 1) return false;
  const inside = tokens.slice(bracket + 1, end - 1);
  return inside.every((token, index) => isLiteral(token) || (token.type === "word" && inside[index + 1]?.text === ":"));
}

function isLiteral({ type, text }: Token): boolean {
  if (type === "number") return true;
  if (type === "string") return !text.startsWith("`") || !text.includes("${");
  if (type === "word") return /^(?:true|false|null|undefined|True|False|None)$/.test(text);
  return /^[-,[\]{}:]$/.test(text);
}

/** True when a token from `from` to `end` may compare values. */
export function hasComparison({ tokens }: TestFile, from: number, end: number): boolean {
  for (let at = from; at < end; at += 1) if (mayCompare(tokens, at)) return true;
  return false;
}
