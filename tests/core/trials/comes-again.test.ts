import { describe, expect, it } from "vitest";
import { endsAlike, failedTitles, failsAlike, testsBeside } from "../../../src/core/trials/comes-again.ts";
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

describe("the base elsewhere", () => {
  it.each<[string, TestReport | null, TestReport | null, boolean]>([
    ["fails in the same tests", named("the price"), named("the price"), true],
    ["fails in fewer", named("the price", "the unit"), named("the price"), true],
    ["fails in others, too", named("the price"), named("the price", "the folder"), false],
    ["fails in as many, by number", counted(["the price"]), counted(["the price"]), true],
    ["fails in others, by number", counted(["the price"]), counted(["the folder"]), false],
    ["says nothing of its tests", null, null, false],
  ])("%s", (_what, here, there, isAlike) => {
    expect(endsAlike({ result: "fail", report: here }, { result: "fail", report: there })).toBe(isAlike);
  });

  it("passes in both, or says nothing", () => {
    const passed = { result: "pass", report: null } as const;

    expect(endsAlike(passed, passed)).toBe(true);
    expect(endsAlike(passed, { result: "fail", report: named("the folder") })).toBe(false);
    expect(endsAlike(passed, { result: "none", report: null })).toBe(false);
  });
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
