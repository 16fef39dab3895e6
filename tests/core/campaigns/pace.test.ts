import { describe, expect, it } from "vitest";
import {
  type CampaignState,
  campaignStates,
  daysBehind,
  needsReplan,
  type Pace,
  paceOf,
  progressOf,
} from "../../../src/core/campaigns/campaign.ts";
import { defaultPolicy } from "../../../src/core/policy.ts";
import { day, milestone } from "./plans.ts";

const pace = (elapsedDays: number, plannedDays: number, milestonesDone: number, milestones: number): Pace => ({
  state: "active",
  elapsedDays,
  plannedDays,
  milestonesDone,
  milestones,
});
const threshold = defaultPolicy.campaigns.replanningThreshold;

describe("days behind", () => {
  it.each(campaignStates.filter((state) => state !== "active"))("are none while it is %s [S4-CM-04]", (state) => {
    expect(daysBehind({ ...pace(9, 10, 0, 3), state })).toBe(0);
  });

  it("are none without a plan [S4-CM-05]", () => {
    expect(daysBehind(pace(5, 0, 0, 3))).toBe(0);
  });

  it.each<[number, number, number, number, number]>([
    [4, 10, 0, 3, 4],
    [5, 10, 3, 4, 0],
    [7, 10, 2, 5, 3],
    [5, 5, 4, 5, 1],
    [0, 5, 0, 3, 0],
    [1, 3, 0, 7, 1],
    [2, 3, 1, 2, 0],
    [60, 60, 0, 1, 60],
  ])(
    "after %i of %i days with %i of %i milestones are %i, exactly [S4-CM-06]",
    (elapsed, planned, done, all, behind) => {
      expect(daysBehind(pace(elapsed, planned, done, all))).toBe(behind);
    },
  );

  it("are whole days elapsed when there is no milestone [S4-CM-07]", () => {
    expect(daysBehind(pace(3, 10, 0, 0))).toBe(3);
  });

  it("are never negative, never more than have elapsed, and grow by at most one a day [S4-CM-06]", () => {
    for (let planned = 1; planned <= 12; planned += 1) {
      for (let all = 1; all <= 5; all += 1) {
        for (let done = 0; done <= all; done += 1) {
          let yesterday = 0;
          for (let elapsed = 0; elapsed <= planned; elapsed += 1) {
            const behind = daysBehind(pace(elapsed, planned, done, all));
            expect(Number.isInteger(behind) && behind >= 0 && behind <= elapsed).toBe(true);
            expect(behind - yesterday === 0 || behind - yesterday === 1).toBe(true);
            yesterday = behind;
          }
        }
      }
    }
  });
});

describe("another plan", () => {
  it.each<[number, number, number, number, boolean]>([
    [3, 10, 0, 4, false],
    [4, 10, 0, 4, true],
    // 0.9 - 0.6 is 0.30000000000000004: exactly at the threshold, and not above it.
    [9, 10, 3, 5, false],
    // The gap is 0.4, though only 3 whole days were counted once.
    [6, 10, 1, 5, true],
    [31, 100, 0, 1, true],
    [30, 100, 0, 1, false],
    [10, 10, 5, 5, false],
  ])("after %i of %i days with %i of %i milestones is wanted: %s [S4-CM-08]", (elapsed, planned, done, all, wanted) => {
    expect(needsReplan(pace(elapsed, planned, done, all), threshold)).toBe(wanted);
  });

  it.each<[string, Pace]>([
    ["milestones", pace(9, 10, 0, 0)],
    ["a plan", pace(9, 0, 0, 3)],
  ])("is never wanted without %s [S4-CM-09]", (_what, without) => {
    expect(needsReplan(without, threshold)).toBe(false);
  });
});

describe("progress", () => {
  it.each<[number, number, number]>([
    [1, 4, 0.25],
    [0, 4, 0],
    [4, 4, 1],
    [0, 0, 0],
  ])("with %i of %i milestones done is %d [S4-CX-12]", (done, all, progress) => {
    const milestones = Array.from({ length: all }, (_, index) => ({
      status: index < done ? ("done" as const) : ("in_progress" as const),
    }));

    expect(progressOf(milestones)).toBe(progress);
  });

  it("is read off the rows: days that are over, the plan's own length, milestones done [S4-CM-06]", () => {
    const days = [day(1, [], { status: "done" }), day(2, [], { status: "in_progress" }), day(3, [])];
    const milestones = [milestone("ms-1", 1, { status: "done" }), milestone("ms-2", 3, { status: "blocked" })];

    expect(paceOf({ state: "active" satisfies CampaignState }, milestones, days)).toEqual(pace(1, 3, 1, 2));
  });
});
