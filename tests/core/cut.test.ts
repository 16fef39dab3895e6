import { expect, it } from "vitest";
import { type CutReason, decideAfter } from "../../src/core/goals/after.ts";
import type { StopRequest } from "../../src/core/goals/goal.ts";

/** What follows work that was ended for the reason heard first, when a person asked for something else by then. */

const after = (why: CutReason, stopRequested: StopRequest | null) =>
  decideAfter({
    end: { type: "cut", why },
    stopRequested,
    changedFiles: 0,
    branch: "cos/goal",
    isOwnCommand: false,
    diffReasons: [],
  }).type;

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
