import { isPythonFile, isRubyFile, isShellFile } from "./languages.ts";
import { Caught } from "./caught.ts";
import { inBraces } from "./swallowed-braces.ts";
import { inElixir, inPython, inRuby } from "./swallowed-blocks.ts";
import { tokensOf } from "./tokens.ts";

/**
 * Asserting lines of a test whose failure is caught and dropped: `with suppress(AssertionError)`, `try { … } catch {}`, `rescue
 * Exception`. Such a comparison cannot fail (F-201).
 */

/** Lines (from 1) that were not swallowed in the base's file. `before`: the base's file; null when the file is new. Linear in the texts. */
export function newlySwallowed(path: string, text: string, before: string | null): number[] {
  const old = (before ?? "").split("\n");
  const known = new Set(before === null ? [] : swallowedIn(path, before).map((line) => old[line]?.trim() ?? ""));
  const lines = text.split("\n");
  return swallowedIn(path, text).flatMap((line) => (known.has(lines[line]?.trim() ?? "") ? [] : [line + 1]));
}

/** Lines from 0. */
function swallowedIn(path: string, text: string): number[] {
  const lines = text.split("\n");
  if (isShellFile(path) || path.endsWith(".bats")) return inShell(lines);
  const caught = new Caught(lines);
  if (isPythonFile(path)) inPython(caught);
  else if (isRubyFile(path)) inRuby(caught);
  else if (/\.exs?$/i.test(path)) inElixir(caught);
  else inBraces(tokensOf(text, path), path, caught);
  return caught.found();
}

const unheardInShell =
  /^\s{0,60}(?:test\s|\[\[?\s|assert\w{0,40}\s)[^|&;]{1,300}\|\|\s{0,3}(?:true|:|(?:echo|printf)\s(?!\s{0,5}["']?not ok\b)(?:[^|&;>]|>&\d){0,300})\s{0,3}(?:#.{0,200})?$/;
/** Only of a comparison: `[ -x "$tool" ] || exit 0` leaves out a test whose tool is missing. */
const leftInShell =
  /^\s{0,60}(?:test|\[\[?)\s[^|&;]{0,300}\s(?:=|==|!=|=~|-eq|-ne|-lt|-le|-gt|-ge)\s[^|&;]{1,300}\|\|\s{0,3}(?:exit|return) 0\s{0,3}(?:#.{0,200})?$/;

/**
 * Finds `[ "$price" = 42 ] || true` and `… || echo wrong`, alone on their line: the check has no other purpose, and nothing notices that it
 * failed. A line that prints "not ok" is heard: such output is a report.
 */
function inShell(lines: readonly string[]): number[] {
  return lines.flatMap((each, at) => {
    const line = each.slice(0, 800);
    return unheardInShell.test(line) || leftInShell.test(line) ? [at] : [];
  });
}
