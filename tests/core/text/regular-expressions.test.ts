import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import jsTokens from "js-tokens";
import { analyse } from "scslre";
import { describe, expect, it } from "vitest";
import { delegates, says } from "../../../src/core/replies/clarified.ts";
import { asItIs, merging } from "../../../src/core/replies/elsewhere.ts";
import { back, shapes } from "../../../src/core/replies/not-work.ts";
import { becomes, whatIs } from "../../../src/core/replies/what-is.ts";
import { seen } from "../../../src/core/replies/seen.ts";
import { settingShapes } from "../../../src/core/secrets/setting-shapes.ts";

const project = resolve(import.meta.dirname, "../../..");

const files = ["src", "jobs"]
  .flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  )
  .filter((name) => name.endsWith(".ts"));

/** Where patterns are put together: from words of ours, from names that are checked, or for RE2 to look at. */
const mayBuild = [
  "src/core/acceptance/telling-lines.ts",
  "src/core/recovery/agent-words.ts",
  "src/core/recovery/other-words.ts",
  "src/core/recovery/reset-time.ts",
  "src/core/replies/asks-state.ts",
  "src/core/replies/clarified.ts",
  "src/core/replies/elsewhere.ts",
  "src/core/replies/further.ts",
  "src/core/replies/grammar.ts",
  "src/core/replies/instruction.ts",
  "src/core/replies/not-work.ts",
  "src/core/replies/seen.ts",
  "src/core/replies/what-is.ts",
  "src/core/secrets/setting-shapes.ts",
  "src/core/text/pattern.ts",
  "src/core/trials/other-side.ts",
];

interface Literal {
  readonly at: string;
  readonly source: string;
}

function literalsIn(file: string): Literal[] {
  const found: Literal[] = [];
  let line = 1;
  for (const token of jsTokens(readFileSync(join(project, file), "utf8"))) {
    if (token.type === "RegularExpressionLiteral") found.push({ at: `${file}:${line}`, source: token.value });
    line += token.value.split("\n").length - 1;
  }
  return found;
}

function isSuperLinear(source: string): boolean {
  const end = source.lastIndexOf("/");
  const pattern = new RegExp(source.slice(1, end), source.slice(end + 1));
  return analyse(pattern, { reportTypes: { Move: true, Self: true, Trade: true } }).reports.length > 0;
}

describe("the regular expressions of the product", () => {
  const literals = files.flatMap(literalsIn);

  it("are all found", () => {
    expect(literals.length).toBeGreaterThan(200);
    expect(isSuperLinear("/\\s+$/")).toBe(true);
  });

  it("hold none that takes more than linear time [F-107, F-109]", () => {
    const found = literals.filter(({ source }) => isSuperLinear(source));

    expect(found.map(({ at, source }) => `${at}: ${source}`)).toEqual([]);
  });

  it("hold none either where shapes of secrets are put together [F-107]", () => {
    const found = settingShapes.map(String).filter(isSuperLinear);

    expect(settingShapes.length).toBeGreaterThan(0);
    expect(found).toEqual([]);
  });

  it("hold none either where replies are read by words that are put together [F-107]", () => {
    expect(
      [merging, asItIs, back, ...shapes, whatIs, becomes, seen, delegates, ...says].map(String).filter(isSuperLinear),
    ).toEqual([]);
  });

  it("are written out, but for a few that are put together from words of ours", () => {
    const building = files.filter((file) => /\bnew RegExp\(/.test(readFileSync(join(project, file), "utf8")));

    expect(building.filter((file) => !mayBuild.includes(file))).toEqual([]);
  });
});
