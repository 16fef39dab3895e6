import { isPythonFile } from "./languages.ts";
import { moreOf } from "./more-of.ts";
import { rustTestsOtherNow } from "./rust-tests.ts";
import { namesOf, type TestReport } from "./report.ts";

/**
 * Tests that lie in the source that they are about (Rust, examples in Python's documentation): no file of theirs can be laid over
 * the work as it was, so what became of them is compared (F-201).
 */

/**
 * Lines of the base's tests that the work's file has no more, and what makes it another one in tests that it did not have
 * before. Empty for other languages, and for a new file's tests.
 */
export function testsOtherNow(path: string, text: string, before: string | null): string[] {
  if (isPythonFile(path)) return examplesOtherNow(examplesIn(text), examplesIn(before ?? ""));
  return /\.rs$/i.test(path) ? rustTestsOtherNow(text, before ?? "") : [];
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

/** Examples that are gone, and those that came and give another meaning to a name in one that was there and does not do so itself. */
function examplesOtherNow(now: readonly string[], before: readonly string[]): string[] {
  const [gone, fresh] = [moreOf(before, now), moreOf(now, before)];
  const kept = moreOf(before, gone);
  const own = new Set(kept.flatMap(boundIn));
  const used = new Set(
    kept.flatMap((each) => each.match(/[A-Za-z_]\w{0,100}/g) ?? []).filter((each) => !own.has(each)),
  );
  return [...gone, ...fresh.filter((each) => boundIn(each).some((name) => used.has(name)))];
}

/** Names that an example gives a meaning: `>>> price = …`, `>>> def price(…`, `>>> from shop import cost as price`. */
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
