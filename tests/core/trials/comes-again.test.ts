import { describe, expect, it } from "vitest";
import { failedTitles, failsAlike, testsBeside } from "../../../src/core/trials/comes-again.ts";
import type { TestReport } from "../../../src/core/trials/report.ts";

const named = (...failed: string[]): TestReport => ({
  type: "names",
  tests: [{ name: "a sum", outcome: "passed" }, ...failed.map((name) => ({ name, outcome: "failed" }) as const)],
});
const counted = (failing: string[], notOk: string[] = []): TestReport => ({
  type: "counts",
  passed: 1,
  failed: 1,
  skipped: 0,
  failing,
  notOk,
});

describe("a failure that comes again", () => {
  it.each<[string, TestReport | null, TestReport | null, boolean]>([
    ["the same test", named("the price"), named("the price", "the unit"), true],
    ["a file that cannot be loaded", named("test/unit.test.js"), named("test/unit.test.js"), true],
    ["another test", named("the price"), named("the unit"), false],
    ["one that passed the other time", named("a price"), named(), false],
    ["what a runner of numbers names", counted(["the price"]), counted(["the price"]), true],
    ["what TAP names", counted([], ["the price"]), counted([], ["the price"]), true],
    ["numbers alone", counted([]), counted([]), false],
    ["no tests", null, null, false],
  ])("is known by the names of tests: %s [F-205]", (_what, one, other, isAlike) => {
    expect(failsAlike(one, other)).toBe(isAlike);
  });

  it("is looked for by titles, and not where too many failed", () => {
    expect(failedTitles(named("shop > the price", "shop > the price [2]", "x"))).toEqual(["the price"]);
    expect(failedTitles(named(...Array.from({ length: 11 }, (_, index) => `test ${index}`)))).toEqual([]);
  });

  it.each<[string, string[], string[], string[]]>([
    [
      "the other files of tests",
      ["test/price.test.js"],
      ["npm test", "node --test test/*.test.js"],
      ["test/sum.test.js"],
    ],
    ["none where what failed is not found", [], ["npm test"], []],
    [
      "none where the command names one",
      ["test/price.test.js"],
      ["node --test test/price.test.js test/sum.test.js"],
      [],
    ],
  ])("leaves out %s", (_what, holding, commands, left) => {
    const unchanged = ["test/price.test.js", "test/sum.test.js"];

    expect(testsBeside({ unchanged, holding, commands })).toEqual(left);
  });
});
