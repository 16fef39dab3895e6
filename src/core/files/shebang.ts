import { lastPart } from "./path.ts";

/** Extensions for programs without one, by the interpreter in the first line. */
const endings: Readonly<Record<string, string>> = {
  sh: ".sh",
  ash: ".sh",
  bash: ".sh",
  dash: ".sh",
  ksh: ".sh",
  zsh: ".sh",
  node: ".js",
  nodejs: ".js",
  bun: ".ts",
  deno: ".ts",
  tsx: ".ts",
  python: ".py",
  pypy: ".py",
  ruby: ".rb",
  perl: ".pl",
  php: ".php",
  lua: ".lua",
  rscript: ".R",
};

const firstLine =
  /^#!\s{0,5}\S{0,200}?\/(?:env\s{1,5}(?:-\S{1,20}\s{1,5}|\w{1,60}=\S{0,200}\s{1,5}){0,5})?([a-z]{2,10})[\d.]{0,6}(?:\s|$)/i;

/** True for a file without an extension, such as `bin/slug`. Only its text says which language it is in. */
export function isWithoutEnding(path: string): boolean {
  return !lastPart(path).includes(".");
}

/**
 * A program's path with the extension of the language in its first line (`#!/usr/bin/env python3`). Null when the line names none, or the
 * path has an extension.
 */
export function programAs(path: string, text: string): string | null {
  if (!isWithoutEnding(path)) return null;
  const program = firstLine.exec(text.slice(0, 1000))?.[1]?.toLowerCase() ?? "";
  const ending = Object.hasOwn(endings, program) ? endings[program] : undefined;
  return ending === undefined ? null : `${path}${ending}`;
}
