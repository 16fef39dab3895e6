import { describe, expect, it } from "vitest";
import type { GoalStatus } from "../../src/core/goals/goal.ts";
import { decidePrune, type KeptKind } from "../../src/core/housekeeping/prune.ts";
import { defaultPolicy } from "../../src/core/policy.ts";

const now = new Date("2026-02-01T12:00:00Z");
const hours = 60 * 60_000;

function ownerOf(status: GoalStatus, hoursAgo: number, isLeased = false) {
  return { goalId: "goal-1", status, isLeased, updatedAt: new Date(now.getTime() - hoursAgo * hours) };
}

describe("what is kept on disk goes [F-604]", () => {
  it.each([
    ["worktree", "complete", 24, false, "goes"],
    ["worktree", "failed", 24, false, "goes"],
    ["worktree", "deferred", 24, false, "goes"],
    ["worktree", "manual_followup", 24, false, "goes"],
    ["worktree", "complete", 23.9, false, "not long enough"],
    ["worktree", "complete", 0, true, "goes"],
    ["worktree", "pending", 999, true, "goal not over"],
    ["worktree", "in_progress", 999, true, "goal not over"],
    ["worktree", "blocked", 999, true, "goal not over"],
    ["output", "complete", 24 * 30, false, "goes"],
    ["output", "complete", 24 * 29, true, "not long enough"],
    ["attempts", "complete", 24 * 30, false, "goes"],
    ["attempts", "complete", 24 * 29, true, "not long enough"],
    ["replaced", "complete", 24 * 30, false, "goes"],
    ["replaced", "complete", 24 * 29, true, "not long enough"],
  ] as const)("a %s of a goal that is %s since %s h, short of space %s: %s", (kind, status, ago, isShort, verdict) => {
    const decided = decidePrune(kind, ownerOf(status, ago), { now, isShort }, defaultPolicy);

    expect(decided.type === "goes" ? "goes" : decided.because).toBe(verdict);
  });

  it.each(["worktree", "output", "attempts", "replaced"] as const satisfies readonly KeptKind[])(
    "never a %s of a goal that somebody works, or that is not known here",
    (kind) => {
      const leased = ownerOf("complete", 9999, true);
      expect(decidePrune(kind, leased, { now, isShort: true }, defaultPolicy).type).toBe("stays");
      expect(decidePrune(kind, null, { now, isShort: true }, defaultPolicy).type).toBe("stays");
    },
  );
});
