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
  /^\s{0,60}(?:test\s|\[\[?\s|assert\w{0,40}\s)[^|&;]{1,300}\|\|\s{0,3}(?:true|:)\s{0,3}(?:#.{0,200})?$/;

/** Finds `[ "$price" = 42 ] || true`: alone on its line, the check has no other purpose. */
function inShell(lines: readonly string[]): number[] {
  return lines.flatMap((line, at) => (unheardInShell.test(line.slice(0, 500)) ? [at] : []));
}
