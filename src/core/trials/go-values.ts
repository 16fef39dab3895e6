import { closingAt } from "./brackets.ts";
import type { Token } from "./tokens.ts";

/** The literals of a Go test that can be changed, and where they stand. */
interface GoTest {
  readonly tokens: readonly Token[];
  readonly usable: readonly Token[];
  readonly lines: readonly string[];
  /** Lines of tests that matter most. */
  readonly wanted: ReadonlySet<number>;
}

/**
 * What a Go test compares has no word of an assertion beside it: it stands behind `!=` in a condition, or in a table. All values but those
 * that are only said (`t.Errorf("got %d")`), first of the wanted tests, there what is compared.
 */
export function goValues({ tokens, usable, lines, wanted }: GoTest): Token[] {
  const imported = importsIn(tokens);
  const values = usable.filter(
    ({ line, text, start }) => !isSaid(lines[line] ?? "") && !imported.has(start) && !text.startsWith("'"),
  );
  const rank = ({ line }: Token): number => (wanted.has(line) ? 0 : 2) + (isCompared(lines[line] ?? "") ? 0 : 1);
  return values.toSorted((one, other) => rank(one) - rank(other));
}

/** Whether a program can still be built where another operator or value stands there: not of a pointer, a channel or a letter. */
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

/** Where texts begin that are names of packages: `import ( … )`. */
function importsIn(tokens: readonly Token[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [index, { text }] of tokens.entries()) {
    if (text !== "import" || tokens[index + 1]?.text !== "(") continue;
    for (const { start } of tokens.slice(index, closingAt(tokens, index + 1))) found.add(start);
  }
  return found;
}
