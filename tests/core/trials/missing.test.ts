import { describe, expect, it } from "vitest";
import { wantedOfWork } from "../../../src/core/trials/comes-again.ts";
import { missingIn } from "../../../src/core/trials/missing.ts";
import { readJunit } from "../../../src/core/trials/report.ts";

describe("what a failure says that is not there", () => {
  it.each([
    ["isError is not a function", "isError"],
    ["shop.total is not a function", "total"],
    ["(0 , shop_1.total) is not a function", "total"],
    ["(intermediate value).$total is not a function", "$total"],
    ["Price is not a constructor", "Price"],
    ["price is not defined", "price"],
    ["NameError: name 'price' is not defined", "price"],
    ["AttributeError: module 'shop' has no attribute 'total'", "total"],
    ["The requested module './shop.js' does not provide an export named 'total'", "total"],
    ["ImportError: cannot import name 'total' from 'shop' (/project/shop.py)", "total"],
    ["Expected values to be strictly equal: 41 !== 42", null],
    ["Cannot read properties of undefined (reading 'total')", null],
    ["", null],
  ])("%s", (message, name) => {
    expect(missingIn(message)).toBe(name);
  });

  it("is read of each failed test of a runner that says it", () => {
    const text = `<testsuites>
      <testcase name="a sum" classname="test"/>
      <testcase name="the total" classname="test"><failure type="testCodeFailure" message="total is not a function">TypeError</failure></testcase>
      <testcase name="the unit" classname="test"><failure message="41 !== 42"></failure></testcase>
    </testsuites>`;

    expect(readJunit(text, "/project")).toEqual({
      type: "names",
      tests: [
        { name: "a sum", outcome: "passed" },
        { name: "the total", outcome: "failed", missing: "total" },
        { name: "the unit", outcome: "failed" },
      ],
    });
  });

  it("is the work's where a line that it adds has the name, whole [F-205]", () => {
    const tests = [
      { name: "a sum", outcome: "passed", missing: "sum" },
      { name: "the total", outcome: "failed", missing: "total" },
      { name: "the unit", outcome: "failed", missing: "unit" },
    ] as const;
    const report = { type: "names", tests } as const;

    expect(wantedOfWork(report, ["export const total = 3; // and units"])).toEqual(["total"]);
    expect(wantedOfWork(report, ["const totals = sum;"])).toEqual([]);
    expect(wantedOfWork({ type: "counts", passed: 1, failed: 1, skipped: 0 }, ["const total = 3;"])).toEqual([]);
    expect(wantedOfWork(null, ["const total = 3;"])).toEqual([]);
  });
});
