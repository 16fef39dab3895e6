import { expect, it } from "vitest";
import { settledByExamination } from "../../../src/core/acceptance/examined-again.ts";
import type { CriterionResult } from "../../../src/core/acceptance/results.ts";

const found = (status: CriterionResult["status"], more: Partial<CriterionResult> = {}): CriterionResult => ({
  id: "AC-1",
  slug: "a",
  status,
  method: "subagent",
  by: "subagent",
  details: [],
  durationMs: 1,
  output: null,
  ...more,
});
const crashed = found("not-checked", { unjudged: true, details: ["it crashed", "in line 2"] });
const unasked = found("not-checked", { details: ["no agent is configured"] });

it.each([
  ["what was not looked at is looked at", [], 2, null],
  ["what was found counts", [found("fail")], 2, found("fail")],
  ["what nobody was asked about is not examined again", [unasked], 2, unasked],
  ["what came to no verdict is examined again", [crashed], 2, null],
  ["and once more", [crashed, crashed], 2, null],
  ["a verdict in the end counts", [crashed, crashed, found("pass")], 2, found("pass")],
  ["where nothing is made again, the first end counts", [crashed], 0, crashed],
])("%s", (_, results, again, settled) => {
  expect(settledByExamination(results, again)).toEqual(settled);
});

it("what never came to a verdict says how often it was examined", () => {
  expect(settledByExamination([crashed, crashed, crashed], 2)?.details).toEqual([
    "examined 3 times without a verdict: it crashed",
    "in line 2",
  ]);
});
