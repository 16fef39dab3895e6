import { describe, expect, it } from "vitest";
import { type Goal, isUnplannedNow, stateOf } from "../../src/core/goals/goal.ts";

/** What a goal's row and its question say that it is at a moment. */

const now = new Date("2026-01-26T09:00:00Z");
const [past, later] = [new Date(now.getTime() - 1), new Date(now.getTime() + 1)];
type Row = Pick<Goal, "status" | "leasedBy" | "wakeAt">;

describe("a goal at a moment", () => {
  it.each<[string, Partial<Row>, { isAsked?: boolean; isCut?: boolean }, string]>([
    ["over, though its turn still ends", { status: "complete", leasedBy: "w" }, {}, "ended"],
    ["failed", { status: "failed" }, {}, "ended"],
    ["asked about", { status: "blocked" }, { isAsked: true }, "waiting"],
    ["stopped", { status: "blocked" }, {}, "parked"],
    ["stopped, though its turn still ends", { status: "blocked", leasedBy: "w" }, {}, "parked"],
    ["at work", { status: "in_progress", leasedBy: "w" }, {}, "running"],
    ["at work, with a wake-up", { status: "in_progress", leasedBy: "w", wakeAt: later }, {}, "running"],
    ["left by its worker", { status: "in_progress", leasedBy: "w", wakeAt: later }, { isCut: true }, "retrying"],
    ["left by its worker for good", { status: "in_progress", leasedBy: "w" }, { isCut: true }, "idle"],
    ["in no hurry", {}, {}, "idle"],
    ["due", { wakeAt: past }, {}, "ready"],
    ["due at this moment", { wakeAt: now }, {}, "ready"],
    ["due later", { wakeAt: later }, {}, "retrying"],
  ])("%s", (_what, row, { isAsked = false, isCut = false }, state) => {
    expect(stateOf({ status: "pending", leasedBy: null, wakeAt: null, ...row }, { isAsked, isCut }, now)).toBe(state);
  });

  it.each([
    ["planned", { isUnplanned: false, unplannedIn: null, sessionId: null }, false],
    ["never planned", { isUnplanned: true, unplannedIn: null, sessionId: "s1" }, true],
    ["outside of this session's plan", { isUnplanned: false, unplannedIn: "s1", sessionId: "s1" }, true],
    ["outside of another session's plan", { isUnplanned: false, unplannedIn: "s1", sessionId: "s2" }, false],
    ["in no session any more", { isUnplanned: false, unplannedIn: "s1", sessionId: null }, false],
  ])("%s: unplanned %s (D37, C-68)", (_what, goal, expected) => {
    expect(isUnplannedNow(goal)).toBe(expected);
  });
});
