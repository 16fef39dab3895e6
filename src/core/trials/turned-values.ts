import { chainEnd, close, closingAt, mayCompare } from "./brackets.ts";
import type { Token } from "./tokens.ts";

/** A part of a text, and what stands there instead. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly to: string;
}

/**
 * An assertion that compares with no value: that something throws, or that a predicate says yes. A value that is a little other
 * says nothing about it (`price(-2)` throws as `price(-1)` does).
 *
 * `crossed` is what it is given on the other side: `price(1)`; `plain` is what seldom throws: `parse("1")`. `turned` is that it throws no more, or does: what is tested still
 * runs, and the assertion's name stays, so that one that was changed to pass is asked itself, and code that ends the process
 * still ends it. A turned assertion that fails shows that it is alive, and not that the source does what is wanted.
 *
 * Only where nothing in the file compares: a value that is equal to everything passes where a wanted value was changed.
 */
export interface TurnedAssertion {
  /** From 0. */
  readonly line: number;
  readonly crossed: readonly Replacement[];
  readonly plain: readonly Replacement[];
  /** Null of a predicate: a source that always says yes would be seen. */
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
  /** The first token behind the assertion. */
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

/** Every literal from `from` to `end` by another one. */
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
  return opposite[text] ?? null;
}

const opposite: Readonly<Record<string, string>> = { true: "false", false: "true", True: "False", False: "True" };

/** Behind a value a minus takes away. */
function isValueAt(tokens: readonly Token[], at: number): boolean {
  const { type, text } = tokens[at] ?? { type: "sign", text: "" };
  return type === "number" || type === "string" || type === "word" || (text !== "" && close.includes(text));
}

/**
 * One call, with literals alone, of what the file imports: `isFree(3)`, `not shop.is_free("a", 3)`. What was computed before, and
 * a call around another one, may compare.
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

/** Whether something from one token up to another may compare values. */
export function hasComparison({ tokens }: TestFile, from: number, end: number): boolean {
  for (let at = from; at < end; at += 1) if (mayCompare(tokens, at)) return true;
  return false;
}
