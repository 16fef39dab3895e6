import { isPythonFile, isRubyFile, isShellFile } from "./languages.ts";
import { Caught } from "./caught.ts";
import { inBraces } from "./swallowed-braces.ts";
import { swallowedInMakefile, swallowedInPackage, swallowedInShell } from "./swallowed-shell.ts";
import { inElixir, inPython, inRuby } from "./swallowed-blocks.ts";
import { tokensOf } from "./tokens.ts";

/**
 * Asserting lines of a test whose failure is caught and dropped: `with suppress(AssertionError)`, `try { … } catch {}`, `rescue
 * Exception`; checks of scripts whose failure decides nothing (`|| true`). Such a comparison cannot fail (F-201).
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
  if (isShellFile(path) || path.endsWith(".bats")) return swallowedInShell(lines);
  if (/(?:^|\/)package\.json$/.test(path)) return swallowedInPackage(text);
  if (/(?:^|\/)(?:gnu)?makefile$|\.mk$/i.test(path)) return swallowedInMakefile(lines);
  const caught = new Caught(lines);
  if (isPythonFile(path)) inPython(caught);
  else if (isRubyFile(path)) inRuby(caught);
  else if (/\.exs?$/i.test(path)) inElixir(caught);
  else inBraces(tokensOf(text, path), path, caught);
  return caught.found();
}
