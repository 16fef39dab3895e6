import { lastPart } from "./path.ts";

/** The languages of programs without an ending, by what their first line starts. */
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

/** Whether only the text of a file says which language it is in: `bin/slug`. */
export function isWithoutEnding(path: string): boolean {
  return !lastPart(path).includes(".");
}

/** A program's path with the ending of its language, by its first line (`#!/usr/bin/env python3`); null where that names none, or the path has an ending. */
export function programAs(path: string, text: string): string | null {
  if (!isWithoutEnding(path)) return null;
  const program = firstLine.exec(text.slice(0, 1000))?.[1]?.toLowerCase() ?? "";
  const ending = Object.hasOwn(endings, program) ? endings[program] : undefined;
  return ending === undefined ? null : `${path}${ending}`;
}
