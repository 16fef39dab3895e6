import { describe, expect, it } from "vitest";
import { decideVerified, failingCriteria, type VerifiedFacts } from "../../../src/core/acceptance/after-verify.ts";
import { executionTag } from "../../../src/core/acceptance/claim.ts";
import { holdsBothWays } from "../../../src/core/acceptance/contract.ts";
import { type CriterionResult, unlessNoSpace } from "../../../src/core/acceptance/results.ts";

/** What the results of criteria come to, where more than a command's exit code counts. */

const result = (id: string, more: Partial<CriterionResult> = {}): CriterionResult => ({
  id,
  slug: id,
  status: "pass",
  method: "bash",
  by: "npm test",
  details: [],
  durationMs: 1,
  output: null,
  ...more,
});
const failed = result("AC-1", { status: "fail", details: ["exit code 1"] });
const unchecked = result("AC-1", { status: "not-checked" });

describe("what is checked at the forge", () => {
  const facts: VerifiedFacts = {
    results: [],
    passAsCommitted: [],
    touchedProof: [],
    trialReasons: [],
    proofIsAccepted: false,
    stopRequested: null,
    round: 1,
    rounds: 3,
    isToldInVain: false,
    lackProgram: [],
    isOwnCommand: false,
  };
  const awaited = result("AC-2", { method: "ci", status: "not-checked" });
  const asks = result("AC-2", { method: "ci", status: "fail", asks: "it failed twice" });

  it("holds nothing up while it is not in; what nobody looked at here does", () => {
    expect(failingCriteria([awaited])).toEqual([]);
    expect(failingCriteria([unchecked, awaited, failed])).toEqual(["AC-1", "AC-1"]);
    expect(decideVerified({ ...facts, results: [result("AC-1"), awaited] })).toEqual({ type: "passed" });
  });

  it("is asked about with what its trials found, when nothing else fails, and once", () => {
    const both = { ...facts, results: [result("AC-1"), asks], trialReasons: ["AC-1 passes without the work"] };

    expect(decideVerified(both)).toEqual({
      type: "ask-about-forge",
      reasons: ["AC-2: it failed twice", "AC-1 passes without the work"],
      criteria: ["AC-2"],
    });
    expect(decideVerified({ ...both, proofIsAccepted: true })).toEqual({ type: "passed" });
    expect(decideVerified({ ...both, results: [failed, asks] })).toEqual({ type: "again", failing: ["AC-1"] });
  });
});

describe("a criterion with the proof files of the base and with those of the work (D26)", () => {
  const asCommitted = "passes with the files as they were before, and fails as committed";
  const broken = result("AC-1", { status: "fail", brokenSetup: true, details: ["the setup fails"] });

  it.each<[string, CriterionResult, readonly CriterionResult[], CriterionResult, readonly string[]]>([
    ["passes both ways", result("AC-1"), [result("AC-1")], result("AC-1"), []],
    ["was run one way only", result("AC-1"), [result("AC-2", { status: "fail" })], result("AC-1"), []],
    ["fails as committed", result("AC-1"), [failed], { ...failed, details: [asCommitted, "exit code 1"] }, []],
    ["fails both ways", failed, [result("AC-1", { status: "fail", details: ["other"] })], failed, []],
    ["passes as committed only: it fails, and a person sees it", failed, [result("AC-1")], failed, ["AC-1"]],
    ["was not checked, and passes as committed", unchecked, [result("AC-1")], unchecked, []],
    ["was not checked, and fails as committed", unchecked, [failed], unchecked, []],
    ["was not checked, and its setup is broken as committed", unchecked, [broken], broken, []],
    ["fails, and its setup is broken as committed", failed, [broken], failed, []],
  ])("%s", (_what, frozen, committed, expected, passAsCommitted) => {
    expect(holdsBothWays([frozen], committed)).toEqual({ results: [expected], passAsCommitted });
  });
});

it("a failure for want of space was not checked, and keeps what it said", () => {
  const full = { ...failed, noSpace: "ENOSPC" };

  expect(unlessNoSpace(full)).toEqual({
    ...full,
    status: "not-checked",
    details: ["there was no space left: ENOSPC. Free some, then run it again", "exit code 1"],
  });
  expect(unlessNoSpace(failed)).toBe(failed);
});

describe("an executor's own word (D27)", () => {
  it.each<[string, string, boolean, string, "claimed" | "not checked"]>([
    ["came to its end", "finished", false, "Rounded up.", "claimed"],
    ["said nothing", "finished", false, "", "claimed"],
    ["failed", "failed", false, "Rounded up.", "not checked"],
    ["gave up", "finished", true, "Rounded up.", "not checked"],
    [
      "says at the end that it is not done",
      "finished",
      false,
      "I looked at it. **Not done: no access**",
      "not checked",
    ],
    ["says at once that it is not done", "finished", false, "Not done", "not checked"],
    ["says in another line that it could not", "finished", false, "Tests:\nI could not complete this", "not checked"],
    ["says that of a part", "finished", false, "Rounded up. I did not touch the tests.", "claimed"],
    ["was not able to", "finished", false, "I wasn't able to finish this.", "not checked"],
    ["did not finish", "finished", false, "Sorry, I did not finish the task in time.", "not checked"],
    ["has not been able to", "finished", false, "I have not been able to fix this.", "not checked"],
    ["has not implemented it", "finished", false, "We haven’t implemented it, only a stub.", "not checked"],
    ["has not done everything", "finished", false, "Not everything is done yet.", "not checked"],
    ["leaves tests that fail", "finished", false, "Rounded up. The tests still fail.", "not checked"],
    [
      "leaves one that failed before",
      "finished",
      false,
      "2 tests still fail, as they did before my change.",
      "claimed",
    ],
    ["did not fix a part", "finished", false, "I did not fix the formatting of other files.", "claimed"],
    ["has not changed a thing", "finished", false, "I haven't changed the API.", "claimed"],
  ])("that %s", (_what, end, gaveUp, summary, tag) => {
    expect(executionTag({ end, gaveUp, summary })).toBe(tag);
  });
});
