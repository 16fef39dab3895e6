import { describe, expect, it } from "vitest";
import type { DayPlan, PlannedGoal } from "../../../src/core/campaigns/campaign.ts";
import { isOverdue, milestoneWork, waitsForWord, type WorkedGoal } from "../../../src/core/campaigns/work.ts";
import { goal as planned } from "./plans.ts";

const day = (dayNumber: number, status: DayPlan["status"], ...goals: PlannedGoal[]) => ({ dayNumber, status, goals });
const worked = (goalId: string, status: WorkedGoal["status"], tag: WorkedGoal["tag"] = "claimed"): WorkedGoal => ({
  goalId,
  milestoneId: "ms-1",
  status,
  tag,
});
const milestone = { milestoneId: "ms-1", status: "in_progress", targetDay: 4 } as const;

const work = (days: Parameters<typeof milestoneWork>[1], goals: readonly WorkedGoal[]) =>
  milestoneWork([milestone], days, goals, new Map())[0];

describe("how a milestone stands", () => {
  it.each<[WorkedGoal["status"], WorkedGoal["tag"], string]>([
    ["complete", "verified", "verified"],
    ["complete", "claimed", "unproven"],
    ["complete", "not checked", "unproven"],
    ["deferred", "not checked", "unproven"],
    ["manual_followup", "not checked", "unproven"],
    ["failed", "claimed", "unfinished"],
    ["blocked", "not checked", "unfinished"],
    ["pending", "not checked", "left"],
    ["in_progress", "not checked", "left"],
  ])("a goal of a day that is over, %s and %s, is %s", (status, tag, how) => {
    const counted = work([day(1, "done", planned("g"))], [worked("g", status, tag)]);

    expect(counted).toMatchObject({ left: 0, unfinished: 0, unproven: 0, verified: 0, [how]: 1 });
  });

  it("a goal without a row is still to come, and one that is planned again counts once", () => {
    expect(work([day(1, "pending", planned("g"))], [])).toMatchObject({ left: 1 });
    expect(
      work([day(1, "done", planned("g")), day(2, "pending", planned("g"))], [worked("g", "failed")]),
    ).toMatchObject({
      left: 1,
      unfinished: 0,
    });
  });

  it("a goal that waits for an answer on the day that is worked is not lost", () => {
    expect(work([day(1, "in_progress", planned("g"))], [worked("g", "blocked")])).toMatchObject({
      left: 1,
      unfinished: 0,
    });
  });

  it("begins on the first day with one of its goals, or on its target day without any", () => {
    expect(work([day(1, "done", planned("x", "ms-2")), day(2, "pending", planned("g"))], [])).toMatchObject({
      firstDay: 2,
    });
    expect(work([day(1, "done", planned("x", "ms-2"))], [])).toMatchObject({ firstDay: 4, left: 0 });
  });
});

describe("a milestone without goals", () => {
  it("waits for a person's word once its day is over, and no other plan mends that", () => {
    const [none] = milestoneWork([{ milestoneId: "ms-1", status: "in_progress", targetDay: 2 }], [], [], new Map());
    if (none === undefined) throw new Error("no milestone");

    expect([waitsForWord(none, 1), waitsForWord(none, 2)]).toEqual([false, true]);
    expect([isOverdue([none], 2), isOverdue([{ ...none, unfinished: 1 }], 2)]).toEqual([false, true]);
  });
});
