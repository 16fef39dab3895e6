import { closingAt } from "./brackets.ts";
import type { Token } from "./tokens.ts";

/** A Go test: its tokens, and the literals (`usable`) that can be changed. */
interface GoTest {
  readonly tokens: readonly Token[];
  readonly usable: readonly Token[];
  readonly lines: readonly string[];
  /** Lines of the tests that matter most. */
  readonly wanted: ReadonlySet<number>;
}

/**
 * Literals of a Go test that can be changed. A compared value has no assertion word next to it: it stands after `!=` in a condition, or in
 * a table. Values that are only printed are left out (`t.Errorf("got %d")`). Values of the wanted tests come first, and within them those
 * on comparing lines.
 */
export function goValues({ tokens, usable, lines, wanted }: GoTest): Token[] {
  const imported = importsIn(tokens);
  const values = usable.filter(
    ({ line, text, start }) => !isSaid(lines[line] ?? "") && !imported.has(start) && !text.startsWith("'"),
  );
  const rank = ({ line }: Token): number => (wanted.has(line) ? 0 : 2) + (isCompared(lines[line] ?? "") ? 0 : 1);
  return values.toSorted((one, other) => rank(one) - rank(other));
}

/**
 * True when the program still compiles with another operator or value there. False for the sign of a pointer or a channel, and for a
 * letter.
 */
export function staysGo(tokens: readonly Token[], index: number): boolean {
  const { type, text } = tokens[index] ?? { type: "sign", text: "" };
  if (type !== "operator") return !text.startsWith("'");
  return /^(?:[=!<>]=|&&|\|\|)$/.test(text) || (/^[<>]$/.test(text) && tokens[index + 1]?.text !== "-");
}

function isSaid(line: string): boolean {
  return /\b[tbf]\.(?:Run|Log|Error|Fatal|Skip|Setenv)/.test(line.slice(0, 400));
}

function isCompared(line: string): boolean {
  return /[!=]=|\b(?:assert|require)\./.test(line.slice(0, 400));
}

/** Start offsets of the tokens of `import ( … )`, whose strings are package names. */
function importsIn(tokens: readonly Token[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [index, { text }] of tokens.entries()) {
    if (text !== "import" || tokens[index + 1]?.text !== "(") continue;
    for (const { start } of tokens.slice(index, closingAt(tokens, index + 1))) found.add(start);
  }
  return found;
}
