import { describe, expect, it } from "vitest";
import { criticsOf, type Score, verdictOf } from "../../../src/core/critics/critic.ts";
import { decideGate } from "../../../src/core/critics/gate.ts";

/** What a person reads of tests that were approved and that cover little, or are thought little of. */
function asked(coverage: Partial<Score>): string {
  const critics = criticsOf("test");
  const scores = critics.map(({ name, focus }): Score => {
    const usual = {
      critic: name,
      focus,
      score: 1,
      isApproved: true,
      issues: [],
      suggestions: [],
      reasoning: "",
      by: "",
    };
    return focus === "coverage" ? { ...usual, ...coverage } : usual;
  });
  const verdict = verdictOf({ type: "test", id: "t" }, critics, scores);
  const decision = decideGate({ verdict, sentBack: 0, mostSentBack: 2, wantsApproval: false, name: "test" });
  return decision.type === "ask" ? decision.context : decision.type;
}

describe("tests that were approved", () => {
  it.each<[string, Partial<Score>, string]>([
    ["measured", { score: 0.62, measured: 0.62 }, "Less than 80 % is covered by tests (62 % of lines): test."],
    [
      "measured, a little too little",
      { score: 0.7999, measured: 0.7999 },
      "is covered by tests (79.9 % of lines): test.",
    ],
    ["measured, a part of a percent", { score: 0.57, measured: 0.57 }, "is covered by tests (57 % of lines): test."],
    ["thought, a little too little", { score: 0.7999 }, "The coverage critic gave 0.79 of 1,"],
    ["thought", { score: 0.7 }, "The coverage critic gave 0.70 of 1, a person looks below 0.80: test."],
    ["thought, though enough is covered", { score: 0.7, measured: 0.9 }, "The coverage critic gave 0.70 of 1,"],
    ["enough", { score: 0.8, measured: 0.8 }, "go-on"],
  ])("are a person's by what was %s, and the question says which", (_what, coverage, words) => {
    expect(asked(coverage)).toContain(words);
  });
});
