import { describe, expect, it } from "vitest";
import { columnsOfGoal } from "../bench/shape/columns.ts";
import { holdsOf } from "../bench/shape/functions.ts";
import { cyclesOf, graphOfFiles, roomsOf } from "../bench/shape/imports.ts";
import { sharedNames, typesInIng } from "../bench/shape/names.ts";
import { sizesOf } from "../bench/shape/sizes.ts";
import { parseSource, readSources } from "../bench/shape/source.ts";

describe("the shape of the code", () => {
  it("is read function by function, with what has no type", () => {
    const source = parseSource(
      "src/a.ts",
      `export function outer(one: any, two: string, three = 3, { four }: object, ...five: string[]): void {
  const inner = (x: string | null) => {
    return x!.length;
  };
  inner(two);
}
const short = (x: number) => x;
`,
    );

    const { functions, anys, nonNulls } = holdsOf(source);

    expect(functions).toEqual([
      { at: "src/a.ts:1", name: "outer", lines: 6, parameters: 5 },
      { at: "src/a.ts:2", name: "", lines: 3, parameters: 1 },
    ]);
    expect([anys, nonNulls]).toEqual([["src/a.ts:1"], ["src/a.ts:3"]]);
  });

  it("is read as rooms above each other, and circles are found", () => {
    const sources = [
      parseSource("src/main.ts", `import { a } from "./upper/a.ts";`),
      parseSource("src/upper/a.ts", `import type { B } from "./b.ts"; import { c } from "../lower/c.ts";`),
      parseSource("src/upper/b.ts", `export { a } from "./a.ts"; void import("../lower/c.ts");`),
      parseSource("src/lower/c.ts", `import { readFileSync } from "node:fs";`),
    ];

    expect(cyclesOf(graphOfFiles(sources))).toEqual([["src/upper/a.ts", "src/upper/b.ts"]]);
    expect(roomsOf(sources)).toEqual({ rooms: 3, arrows: 2, floors: 3, circles: [] });
  });

  it("says in which files a goal's column is named, in code or in a statement", () => {
    const sources = [
      parseSource("src/a.ts", `export const at = (goal: { wakeAt: Date }) => goal.wakeAt;`),
      parseSource("src/b.ts", "export const due = sql`select 1 from cos.goals where wake_at <= now()`;"),
      parseSource("src/c.ts", `export const text = "wakeAt wake_at";`),
      parseSource("src/db/schema/goals.ts", `export const goals = { wakeAt: 1 };`),
    ];

    expect(columnsOfGoal(sources).find(({ name }) => name === "wakeAt")?.files).toEqual(["src/a.ts", "src/b.ts"]);
  });

  it("says which names are said of several things, and which types are called as what is done with them", () => {
    const sources = [
      parseSource(
        "src/a.ts",
        `interface Asking { readonly a: 1 } export type Setting = 1; export function look(): void {}`,
      ),
      parseSource("src/b/c.ts", `export interface Kept { readonly b: 1 } export const goals = 1;`),
      parseSource(
        "src/d/c.ts",
        `export type Kept = 1; export const goals = 2; export async function look(): Promise<void> {}`,
      ),
      parseSource("src/chat/slack/draw.ts", `export function draw(): void {}`),
      parseSource("src/chat/discord/draw.ts", `export function draw(): void {} function look(): void {} look();`),
    ];

    expect(typesInIng(sources)).toEqual(["src/a.ts Asking"]);
    expect(sharedNames(sources)).toEqual(["Kept: src/b/c.ts, src/d/c.ts", "look: src/a.ts, src/d/c.ts"]);
  });

  it("is within its bounds: lengths, parameters, types, circles, names", () => {
    const sources = readSources();
    const { functions, longFiles, anys, nonNulls } = sizesOf(sources);

    expect(functions.tooLong).toEqual([]);
    expect(functions.manyParameters).toEqual([]);
    expect(longFiles).toEqual([]);
    expect([anys, nonNulls, cyclesOf(graphOfFiles(sources))]).toEqual([[], [], []]);
    expect([typesInIng(sources), sharedNames(sources)]).toEqual([[], []]);
    expect(functions.median).toBeLessThanOrEqual(10);
    expect(functions.p90).toBeLessThanOrEqual(30);
  });
});
