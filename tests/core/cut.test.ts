import { expect, it } from "vitest";
import { type AfterFacts, type CutReason, completeOutcome, decideAfter } from "../../src/core/goals/after.ts";
import type { StopRequest } from "../../src/core/goals/goal.ts";

/** What follows work that was ended for the reason heard first, when a person asked for something else by then. */

const decide = (end: AfterFacts["end"], stopRequested: StopRequest | null) =>
  decideAfter({ end, stopRequested, changedFiles: 0, branch: "cos/goal", isOwnCommand: false, diffReasons: [] });
const after = (why: CutReason, stopRequested: StopRequest | null) => decide({ type: "cut", why }, stopRequested).type;

it.each<[CutReason, StopRequest | null, string]>([
  ["pause", "skip", "defer"],
  ["shutdown", "skip", "defer"],
  ["pause", "modify", "restart"],
  ["shutdown", "modify", "restart"],
  ["stop", "modify", "restart"],
  ["pause", "stop", "park"],
  ["ceiling", "skip", "defer"],
  ["ceiling", "pause", "fail"],
  ["skip", "pause", "defer"],
  ["pause", "pause", "resume-later"],
  ["pause", null, "resume-later"],
  ["shutdown", null, "resume-later"],
])("work ended by %s, with %s asked by then: %s", (why, asked, decision) => {
  expect(after(why, asked)).toBe(decision);
});

it.each<[StopRequest | null, string]>([
  [null, "recover"],
  ["pause", "recover"],
  ["skip", "defer"],
  ["modify", "restart"],
  ["stop", "park"],
])("work that failed, with %s asked by then: %s", (asked, decision) => {
  expect(decide({ type: "failed", reason: "exit 1" }, asked).type).toBe(decision);
  expect(decide({ type: "timeout", reason: "60 minutes" }, asked).type).toBe(decision);
});

it("what could not begin says so, and what could not be committed says that", () => {
  expect(decide({ type: "setup-failure", reason: "no such branch" }, null)).toEqual({
    type: "fail",
    error: "Setup failed: no such branch",
    why: "setup",
  });
  expect(decide({ type: "setup-failure", of: "commit", reason: "disk" }, null)).toMatchObject({
    error: "Not committed: disk",
  });
});

it.each([
  [1, "", "1 file changed on cos/g."],
  [2, " \n", "2 files changed on cos/g."],
  [2, "Rounded up.\nAnd more", "2 files changed on cos/g. Rounded up."],
])("%i changed, and %j was said: %s", (files, summary, outcome) => {
  expect(completeOutcome(files, "cos/g", summary)).toBe(outcome);
});
