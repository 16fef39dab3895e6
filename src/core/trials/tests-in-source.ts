import { isPythonFile } from "./languages.ts";
import { moreOf } from "./more-of.ts";
import { rustTestsOtherNow } from "./rust-tests.ts";
import { namesOf, type TestReport } from "./report.ts";

/**
 * Tests inside the source that they test (Rust, examples in Python's documentation). No separate test file can be restored over the work,
 * so the tests are compared instead (F-201).
 */

/**
 * Lines of the base's tests that the work's file no longer has, and new lines that make source differ between tests and use. Empty for
 * other languages, and for tests of a new file.
 */
export function testsOtherNow(path: string, text: string, before: string | null): string[] {
  if (isPythonFile(path)) return examplesOtherNow(examplesIn(text), examplesIn(before ?? ""));
  return /\.rs$/i.test(path) ? rustTestsOtherNow(text, before ?? "") : [];
}

/**
 * True when a proof runs the tests inside a source. Always for Rust. Python's examples run only on request: a test that ran has the name
 * of the source's module, or the command names `doctest`.
 */
export function runsTestsIn(path: string, command: string, reports: readonly (TestReport | null)[]): boolean {
  if (!isPythonFile(path) || /\bdoctest\b/.test(command)) return true;
  const parts = path.replace(/\.pyi?$/i, "").split("/");
  const own = parts.at(-1) === "__init__" ? parts.slice(0, -1) : parts;
  const modules = own.map((_, at) => own.slice(at).join("."));
  const ran = reports.flatMap((report) => [...namesOf(report, "passed"), ...namesOf(report, "failed")]);
  return ran.some((name) => modules.some((each) => name === each || name.startsWith(`${each}.`)));
}

/** Removed examples, and new examples that redefine a name which an unchanged example uses but does not define. */
function examplesOtherNow(now: readonly string[], before: readonly string[]): string[] {
  const [gone, fresh] = [moreOf(before, now), moreOf(now, before)];
  const kept = moreOf(before, gone);
  const own = new Set(kept.flatMap(boundIn));
  const used = new Set(
    kept.flatMap((each) => each.match(/[A-Za-z_]\w{0,100}/g) ?? []).filter((each) => !own.has(each)),
  );
  return [...gone, ...fresh.filter((each) => boundIn(each).some((name) => used.has(name)))];
}

/** Names that an example defines: `>>> price = …`, `>>> def price(…`, `>>> from shop import cost as price`. */
function boundIn(example: string): readonly string[] {
  const code = example.slice(3).trimStart();
  const [, defined] = /^(?:async )?(?:def|class) (\w{1,100})/.exec(code) ?? [];
  if (defined !== undefined) return [defined];
  const [, names = ""] =
    /^(?:from \S{1,200} )?import (.{1,400})/.exec(code) ??
    /^([\w, .*]{1,200}?)(?::[^=]{1,100})?=(?!=)/.exec(code) ??
    [];
  return names.split(" ").flatMap((each) => each.match(/\w{1,100}/g) ?? []);
}

/** Examples in Python, each with its expected output: ">>> price(1) 42". */
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
