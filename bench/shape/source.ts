import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Program, parseSync } from "oxc-parser";

/** One file of the product, read and parsed. */
export interface Source {
  /** From the project on: `src/turns/answer.ts`. */
  readonly file: string;
  /** The folder that it lies in; a file directly in `src` is a room by itself. */
  readonly room: string;
  readonly text: string;
  readonly program: Program;
  /** Files of the product that it names, whether for values or for types, each once. */
  readonly imports: readonly string[];
  /** Where lines begin, as offsets into the text. */
  readonly lineStarts: readonly number[];
}

export const projectDir = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** Every TypeScript file of `src` and `jobs`, in the order of their names. Throws when one cannot be parsed. */
export function readSources(project = projectDir): readonly Source[] {
  return ["src", "jobs"]
    .flatMap((folder) =>
      readdirSync(join(project, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
    )
    .filter((file) => file.endsWith(".ts"))
    .sort()
    .map((file) => parseSource(file, readFileSync(join(project, file), "utf8")));
}

/** One file as the others are read; for what a test writes by hand too. */
export function parseSource(file: string, text: string): Source {
  const { program, module, errors } = parseSync(file, text);
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`);
  const specifiers = [
    ...module.staticImports.map((each) => each.moduleRequest.value),
    ...module.staticExports.flatMap((each) => each.entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  ];
  const own = specifiers
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => relative(".", resolve(dirname(file), specifier)));
  return { file, room: roomOf(file), text, program, imports: [...new Set(own)], lineStarts: lineStartsOf(text) };
}

function roomOf(file: string): string {
  const folder = dirname(file);
  return folder === "src" ? file.replace(/\.ts$/, "") : folder;
}

function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** The line of an offset; the first one is 1. */
export function lineOf({ lineStarts }: Source, offset: number): number {
  let from = 0;
  let to = lineStarts.length;
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if ((lineStarts[middle] ?? 0) <= offset) from = middle;
    else to = middle;
  }
  return from + 1;
}
