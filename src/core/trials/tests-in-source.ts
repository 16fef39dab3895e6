import { isPythonFile } from "./languages.ts";
import { namesOf, type TestReport } from "./report.ts";

/**
 * Tests that lie in the source that they are about (Rust, examples in Python's documentation): no file of theirs can be laid over
 * the work as it was, so what became of them is compared (F-201).
 */

/** What begins a part that only tests have: `#[cfg(test)]`, `#[test]`, `#[tokio::test]`. */
const beginning = /^#\[(?:cfg\((?:all\()?test\b|(?:\w{1,40}::)?(?:test|rstest)\b)/;

/** What is another one in tests than in use. */
const otherwise =
  /\bcfg!\s{0,5}\([^)]{0,200}\btest\b\)?|\bcfg(?:_attr)?\s{0,5}\([^)]{0,200}\bnot\s{0,5}\(\s{0,5}test\b\)?/g;

/**
 * Lines of the base's tests that the work's file has no more, and what makes it another one in tests that it did not have
 * before. Empty for other languages, and for a new file's tests.
 */
export function testsOtherNow(path: string, text: string, before: string | null): string[] {
  if (isPythonFile(path)) return linesGone(examplesIn(before ?? ""), examplesIn(text));
  if (!/\.rs$/i.test(path)) return [];
  const gone = linesGone(testLines(before ?? ""), testLines(text));
  const known = counted((before ?? "").match(otherwise) ?? []);
  const fresh = (text.match(otherwise) ?? []).filter((each) => !taken(known, each));
  return [...gone, ...fresh];
}

/**
 * Whether a proof runs the tests that lie in a source. Rust's always; Python's examples are run where somebody asks for it: a test
 * that ran has the name of the source's module, or the command names the runner of examples.
 */
export function runsTestsIn(path: string, command: string, reports: readonly (TestReport | null)[]): boolean {
  if (!isPythonFile(path) || /\bdoctest\b/.test(command)) return true;
  const parts = path.replace(/\.pyi?$/i, "").split("/");
  const own = parts.at(-1) === "__init__" ? parts.slice(0, -1) : parts;
  const modules = own.map((_, at) => own.slice(at).join("."));
  const ran = reports.flatMap((report) => [...namesOf(report, "passed"), ...namesOf(report, "failed")]);
  return ran.some((name) => modules.some((each) => name === each || name.startsWith(`${each}.`)));
}

/** Examples in Python, each with what it is to print: ">>> price(1) 42". */
function examplesIn(text: string): string[] {
  const found: string[][] = [];
  let isOpen = false;
  for (const whole of text.split("\n")) {
    const line = whole.trim();
    if (line.startsWith(">>>")) found.push([]);
    isOpen = line.startsWith(">>>") || (isOpen && line !== "" && !/^(?:"""|''')/.test(line));
    if (isOpen) found.at(-1)?.push(line);
  }
  return found.map((lines) => lines.join(" "));
}

function linesGone(before: readonly string[], now: readonly string[]): string[] {
  const kept = counted(now);
  return before.filter((line) => !taken(kept, line));
}

function counted(lines: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const line of lines) times.set(line, (times.get(line) ?? 0) + 1);
  return times;
}

function taken(times: Map<string, number>, line: string): boolean {
  const left = times.get(line) ?? 0;
  times.set(line, left - 1);
  return left > 0;
}

/** The lines of tests, and of examples in documentation, which are run as tests; without what surrounds them, comments and braces alone. */
function testLines(text: string): string[] {
  const found: string[] = [];
  let depth: number | null = null;
  let isExample = false;
  for (const whole of text.split("\n")) {
    const line = whole.trim();
    const [, said = null] = /^\/\/[/!]\s?(.*)$/.exec(line) ?? [];
    if (said?.trimStart().startsWith("```") === true) isExample = !isExample;
    else if (said !== null && isExample) found.push(said.trim());
    if (said === null) isExample = false;
    if (depth === null && beginning.test(line)) depth = 0;
    if (depth === null || said !== null) continue;
    const code = codeOf(line);
    if (/\w/.test(code)) found.push(line);
    const opened = depth + times(code, "{") - times(code, "}");
    const isOver = opened <= 0 && (code.includes("}") || code.endsWith(";"));
    depth = isOver ? null : opened;
  }
  return found;
}

/** A line without its comment, and with empty texts: braces in them open nothing. */
function codeOf(line: string): string {
  const code = line.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)'/g, '""');
  const at = code.indexOf("//");
  return at < 0 ? code : code.slice(0, at);
}

function times(text: string, sign: string): number {
  return text.split(sign).length - 1;
}
