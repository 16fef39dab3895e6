import { describe, expect, it } from "vitest";
import type { PullRequest } from "../../../src/core/forges/forge.ts";
import { nextForPull, type PullFacts, retryAfterMs } from "../../../src/core/forges/steps.ts";

const open: PullRequest = {
  number: 1,
  title: "T",
  isDraft: true,
  state: "open",
  into: "main",
  headCommit: "a",
  mergedAs: null,
  endedBy: null,
  labels: [],
  changedAt: null,
};
const facts: PullFacts = { branch: "open", there: open, isWritten: true, isKnown: true };

describe("what is done next about a pull request [F-605]", () => {
  it.each<[string, Partial<PullFacts>, ReturnType<typeof nextForPull>]>([
    ["there is none", { there: null }, { type: "open" }],
    ["there is none, and the goal is worked", { there: null, branch: "worked" }, { type: "rest" }],
    ["there is none, and the branch is gone", { there: null, branch: "discarded" }, { type: "end", state: "closed" }],
    ["there is none, and the work is merged", { there: null, branch: "merged" }, { type: "end", state: "merged" }],
    ["all is as it should be", {}, { type: "rest" }],
    ["its text is of before", { isWritten: false }, { type: "change", write: true, label: false }],
    ["opened, and cut before its label", { isKnown: false }, { type: "change", write: false, label: true }],
    ["a person took its label away", { isKnown: true }, { type: "rest" }],
    ["discarded", { branch: "discarded" }, { type: "close" }],
    ["merged there", { there: { ...open, state: "merged" } }, { type: "end", state: "merged" }],
    [
      "closed there, and worked again: who closed it decided",
      { there: { ...open, state: "closed" }, isWritten: false },
      { type: "end", state: "closed" },
    ],
  ])("%s", (_, changed, step) => {
    expect(nextForPull({ ...facts, ...changed })).toEqual(step);
  });

  it("a look that failed is repeated later each time, and never before the forge wants it", () => {
    const bounds = { firstMs: 10, longestMs: 1000 };
    expect([1, 2, 3, 50].map((failures) => retryAfterMs(failures, null, bounds))).toEqual([10, 20, 40, 1000]);
    expect(retryAfterMs(1, 5000, bounds)).toBe(5000);
  });
});
