import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectDir } from "./fakes/bot.ts";

/** A rule that only its own test calls decides nothing (F-212). */

/** What runs: the product, what it is started with, and what people run beside it. */
const programs = ["src", "jobs", "bin", "bench", "docs"];

function filesOf(folder: string): string[] {
  return readdirSync(join(projectDir, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:ts|mts|mjs)$/.test(name))
    .map((name) => join(folder, name));
}

/** The code of a file, without what is only said about it. */
const codeOf = (file: string): string =>
  readFileSync(join(projectDir, file), "utf8")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, "");

/** Names that are exported, and used by nothing but tests: neither elsewhere nor in their own file. */
function onlyTested(codes: ReadonlyMap<string, string>): string[] {
  const uses = new Map<string, number>();
  for (const code of codes.values())
    for (const [name] of code.matchAll(/[A-Za-z_$][\w$]*/g)) uses.set(name, (uses.get(name) ?? 0) + 1);
  return [...codes]
    .filter(([file]) => file.startsWith("src/core/"))
    .flatMap(([file, code]) =>
      [...code.matchAll(/^export (?:async )?(?:function\*?|const|let|class) ([\w$]+)/gm)]
        .map((match) => match[1] ?? "")
        .filter((name) => (uses.get(name) ?? 0) < 2)
        .map((name) => `${file}: ${name}`),
    );
}

it("every rule that src/core exports is called by what runs [F-212]", () => {
  const codes = new Map(programs.flatMap(filesOf).map((file) => [file, codeOf(file)]));

  expect(onlyTested(codes)).toEqual([]);
});

/** Exported functions of which nothing is said. */
const unsaid = (file: string, text: string): string[] =>
  text.split("\n").flatMap((line, index, lines) => {
    const found =
      /^export (?:async )?function\*? ([\w$]+)|^export const ([\w$]+)[^=]*= (?:async )?(?:\(|[a-z]\w* =>)/.exec(line);
    const name = found?.[1] ?? found?.[2];
    return name === undefined || lines[index - 1]?.trimEnd().endsWith("*/") === true ? [] : [`${file}: ${name}`];
  });

it("every function that src and jobs export says what it is for", () => {
  const files = ["src", "jobs"].flatMap(filesOf);

  expect(files.flatMap((file) => unsaid(file, readFileSync(join(projectDir, file), "utf8")))).toEqual([]);
  expect(unsaid("a.ts", "/** Says. */\nexport function a() {}\nexport async function b() {}")).toEqual(["a.ts: b"]);
  expect(unsaid("a.ts", "export const c = (one: string): string => one;\nexport const d = 1;")).toEqual(["a.ts: c"]);
});

it("a rule that is only declared, and one that is only spoken of, are found", () => {
  const codes = new Map([
    [
      "src/core/a.ts",
      "export function decide(): void {}\nexport const used = 1;\nexport function inner(): number { return used; }",
    ],
    ["src/b.ts", "import { inner } from './core/a.ts';\ninner();"],
  ]);

  expect(onlyTested(codes)).toEqual(["src/core/a.ts: decide"]);
});
