import { commentsOf, type Token, tokensOf } from "./tokens.ts";

/** Imports and comments of test files. */

/** Lines that are only a comment. A line of a string that looks like one, such as a heading, does not count. */
export function commentLines(path: string, lines: readonly string[]): ReadonlySet<string> {
  const whole = lines.join("\n");
  const said = commentsOf(whole, path).map((each) => whole.slice(each.start, each.end).trim());
  const inTexts = tokensOf(whole, path).flatMap(({ type, text }) => (type === "string" ? text.split("\n") : []));
  const texts = new Set(inTexts.map((line) => line.trimEnd()));
  return new Set(lines.filter((line) => said.includes(line.trim()) && !texts.has(line)));
}

/** True when an import is the same but for names that are gone. Both lines must import from the same module and agree in having braces. */
export function isImportWithout(
  path: string,
  [line, other]: readonly [string, string],
  gone: ReadonlySet<string>,
): boolean {
  const [was, is] = [line, other].map((each) =>
    tokensOf(each, path).flatMap(({ text }) => (/^[,;(){}]$/.test(text) || gone.has(text) ? [] : [text])),
  );
  const isBraced = (each: string): boolean => each.includes("{");
  return was?.join(" ") === is?.join(" ") && isBraced(line) === isBraced(other);
}

/** The beginning of an import. */
export const importing =
  /^\s{0,20}(?:import|from|use|using|require|#include|(?:const|let|var)\s[^=]{1,300}=\s{0,3}(?:[a-z]{5} )?(?:require|import))\b/;
/** True when all brackets and templates that a line opens are closed in it. */
export function isClosed(line: string): boolean {
  const count = (sign: string): number => line.split(sign).length;
  return count("(") === count(")") && count("{") === count("}") && count("[") === count("]") && count("`") % 2 === 1;
}

/** The imports of a file, each joined to one line. */
export function importsIn(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line, at) => {
    if (!importing.test(line)) return [];
    let whole = line;
    for (let next = at + 1; !isClosed(whole) && next < lines.length && next - at < 100; next += 1)
      whole += lines[next] ?? "";
    return [whole];
  });
}

/** The lines without those that begin an import. */
export function withoutImports(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => !importing.test(line));
}

/** True for the path of a module that is loaded where its value is used: `require("../src/price")(1)`. */
export function isLoaded(tokens: readonly Token[], at: number): boolean {
  const loading = /^(?:require|import|requireActual|importActual)$/;
  return (
    tokens[at - 1]?.text === "(" &&
    loading.test(tokens[at - 2]?.text ?? "") &&
    /^.\.{1,2}\//.test(tokens[at]?.text ?? "")
  );
}
