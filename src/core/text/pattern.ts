import { RE2JS } from "re2js";

/**
 * Patterns that people write (`output matches /…/`), matched in linear time by RE2, with their JavaScript meaning. Parts that
 * RE2 cannot express are refused at parsing: backreferences, lookahead and lookbehind.
 */

/** Maximum length of a pattern, and maximum size of its program: matching costs that much for each character of the output. */
const most = { length: 1_000, size: 500 } as const;

/** Maximum length of the searched output, in characters: half from the beginning, half from the end. */
export const longestMatched = 200_000;

/** Replaces the omitted part. Not a marker of ours, which a pattern could match. */
const gap = "\n…\n";

/** Returns the problem with a pattern and what to write instead. Null when it is usable. `flags`: `i`, `m`, `s`, `u`. */
export function patternProblem(pattern: string, flags: string): string | null {
  const compiled = compile(pattern, flags);
  return typeof compiled === "string" ? compiled : null;
}

/**
 * Searches a text for a pattern. `isCut` is true when the text was too long to search completely; then a pattern that was
 * not found may be in the omitted part. Throws for a pattern that `patternProblem` refuses.
 */
export function findPattern(
  pattern: string,
  flags: string,
  text: string,
): { readonly isFound: boolean; readonly isCut: boolean } {
  const compiled = compile(pattern, flags);
  if (typeof compiled === "string") throw new Error(compiled);
  const half = longestMatched / 2;
  const isCut = text.length > longestMatched;
  const looked = isCut ? `${text.slice(0, half).toWellFormed()}${gap}${text.slice(-half).toWellFormed()}` : text;
  return { isFound: compiled.test(looked), isCut };
}

function compile(pattern: string, flags: string): RE2JS | string {
  if (pattern.length > most.length)
    return `the pattern has ${pattern.length} characters, at most ${most.length} are taken`;
  const repeated = flags.split("").find((flag, index) => !"imsu".includes(flag) || flags.indexOf(flag) !== index);
  if (repeated !== undefined) return `the flag ${repeated} is not understood: i, m, s and u are, each once`;
  try {
    void new RegExp(pattern, flags);
  } catch (error) {
    return error instanceof Error ? error.message : "not a regular expression";
  }
  const read = translated(pattern);
  if (read.type === "wrong") return `/${pattern}/ ${read.problem}`;
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(read.source), flagsOf(flags));
    if (compiled.programSize() <= most.size) return compiled;
    return `/${pattern}/ unfolds to ${compiled.programSize()} steps, at most ${most.size} are taken: repeat less`;
  } catch (error) {
    const why = error instanceof Error ? error.message.replace("error parsing regexp: ", "") : "";
    if (why.startsWith("invalid repeat count")) return `/${pattern}/ repeats a part more than 1000 times: repeat less`;
    return `/${pattern}/ is not understood (${why}): patterns are those of RE2`;
  }
}

function flagsOf(flags: string): number {
  const known = { i: RE2JS.CASE_INSENSITIVE, m: RE2JS.MULTILINE, s: RE2JS.DOTALL };
  return Object.entries(known).reduce((sum, [flag, value]) => (flags.includes(flag) ? sum | value : sum), 0);
}

type Translated =
  | { readonly type: "read"; readonly source: string }
  | { readonly type: "wrong"; readonly problem: string };

/** White space as JavaScript defines it; RE2 knows only ASCII white space. */
const blanks = String.raw`\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;

/** Letters after a backslash that RE2 and JavaScript read alike. Any other letter stands for itself. */
const known = "dDwWbBnrtfvxucpPk";

function translated(pattern: string): Translated {
  let source = "";
  let isInClass = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? "";
    if (character === "\\") {
      const next = pattern[at + 1] ?? "";
      at += 1;
      const isReference = !isInClass && (/[1-9]/.test(next) || (next === "k" && pattern[at + 1] === "<"));
      if (isReference)
        return wrong(`refers back to a group (\\${next}): write the text out, or check for equality in the command`);
      source += escapeOf(next, isInClass);
    } else if (!isInClass && /^\(\?<?[=!]/.test(pattern.slice(at, at + 4))) {
      return wrong(
        'looks ahead or behind (?=…), (?!…): say each thing in a condition of its own, such as output contains "…" and output matches /…/, or filter in the command (grep -v)',
      );
    } else {
      if (character === "[" && !isInClass) isInClass = true;
      else if (character === "]") isInClass = false;
      source += character;
    }
  }
  return { type: "read", source };
}

function escapeOf(next: string, isInClass: boolean): string {
  if (next === "s") return isInClass ? blanks : `[${blanks}]`;
  if (next === "S" && !isInClass) return `[^${blanks}]`;
  if (next === "b" && isInClass) return "\\x08";
  if (next === "0") return "\\x00";
  const isOwn = /[^ -~]/.test(next) || (/[A-Za-z]/.test(next) && !known.includes(next) && next !== "S");
  if (isOwn) return next;
  return `\\${next}`;
}

function wrong(problem: string): Translated {
  return { type: "wrong", problem };
}
