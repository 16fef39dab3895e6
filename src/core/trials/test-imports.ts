import { commentsOf, tokensOf } from "./tokens.ts";

/** What test files import, and what they say beside code. */

/** Lines that are nothing but a comment; what looks like one in a text, such as a heading, is none. */
export function commentLines(path: string, lines: readonly string[]): ReadonlySet<string> {
  const whole = lines.join("\n");
  const said = commentsOf(whole, path).map((each) => whole.slice(each.start, each.end).trim());
  const inTexts = tokensOf(whole, path).flatMap(({ type, text }) => (type === "string" ? text.split("\n") : []));
  const texts = new Set(inTexts.map((line) => line.trimEnd()));
  return new Set(lines.filter((line) => said.includes(line.trim()) && !texts.has(line)));
}

/** Whether an import is the same but for names that are gone: what it is from has no other sign either. */
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

/** How what imports begins. */
export const importing =
  /^\s{0,20}(?:import|from|use|using|require|#include|(?:const|let|var)\s[^=]{1,300}=\s{0,3}(?:[a-z]{5} )?(?:require|import))\b/;
/** Whether what it opens ends in it. */
export function isClosed(line: string): boolean {
  const count = (sign: string): number => line.split(sign).length;
  return count("(") === count(")") && count("{") === count("}") && count("[") === count("]") && count("`") % 2 === 1;
}

/** What a file imports, each in a line. */
export function importsIn(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line, at) => {
    if (!importing.test(line)) return [];
    let whole = line;
    for (let next = at + 1; !isClosed(whole) && next < lines.length && next - at < 100; next += 1)
      whole += lines[next] ?? "";
    return [whole];
  });
}

/** The lines without those that begin to import. */
export function withoutImports(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => !importing.test(line));
}
