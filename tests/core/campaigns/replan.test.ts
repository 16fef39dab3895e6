import { describe, expect, it } from "vitest";
import type { DayPlan, PlannedGoal } from "../../../src/core/campaigns/campaign.ts";
import { planDiff } from "../../../src/core/campaigns/diff.ts";
import { mayReplan, revisedDays, type ToRevise, type UnfinishedGoal } from "../../../src/core/campaigns/replan.ts";
import { planDiffLines } from "../../../src/core/cards/plan-diff.ts";
import { replanCard } from "../../../src/core/cards/replan-card.ts";
import { dollars } from "../../../src/core/money.ts";
import { defaultPolicy } from "../../../src/core/policy.ts";
import { day, goal, milestone, request } from "./plans.ts";

const done = (dayNumber: number, goals: readonly PlannedGoal[]): DayPlan =>
  day(dayNumber, goals, {
    status: "done",
    date: `2026-03-0${dayNumber}`,
    actualCostMicroUsd: dollars(4),
    notes: "late",
  });
const unfinished = (goalId: string, milestoneId = "ms-2"): UnfinishedGoal => ({
  ...goal(goalId, milestoneId),
  why: "failed",
  error: "no such file",
});

/** Five days, two of them over; the goal of day 2 has failed. */
const five: ToRevise = {
  days: [
    done(1, [goal("g1")]),
    done(2, [goal("g2", "ms-2")]),
    day(3, [goal("g3", "ms-2")], { date: "2026-03-03" }),
    day(4, [goal("g4", "ms-3")], { date: "2026-03-04" }),
    day(5, [goal("g5", "ms-3")], { date: "2026-03-05" }),
  ],
  milestones: [
    milestone("ms-1", 1, { status: "done", completedAt: new Date(0) }),
    milestone("ms-2", 3, { status: "in_progress" }),
    milestone("ms-3", 5),
  ],
  unfinished: [unfinished("g2")],
  rest: null,
  completedGoals: 2,
  dailyBudgetMicroUsd: dollars(8),
  policy: defaultPolicy,
};
const ids = (days: readonly DayPlan[]): string[][] => days.map((each) => each.goals.map((one) => one.goalId));

describe("another plan", () => {
  it("keeps the days that are over and numbers the new ones on, each with the daily budget [S4-PN-07]", () => {
    const rest = [["a"], ["b"], ["g2", "c"], ["d"]].map((names) => names.map((name) => goal(name, "ms-3")));
    const { days } = revisedDays({ ...five, rest });

    expect(days.slice(0, 2)).toEqual(five.days.slice(0, 2));
    expect(days.map((each) => each.dayNumber)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(days.slice(2)).toEqual(
      rest.map((goals, index) =>
        day(index + 3, goals, { budgetMicroUsd: dollars(8), date: index < 3 ? `2026-03-0${index + 3}` : null }),
      ),
    );
  });

  it("without a model: what is unfinished first, then what was planned, at the pace so far [S4-PN-07]", () => {
    expect(ids(revisedDays(five).days)).toEqual([["g1"], ["g2"], ["g2"], ["g3"], ["g4"], ["g5"]]);
  });

  it.each<[string, number, string[][]]>([
    ["one a day when nothing was completed", 0, [["g2"], ["g3"], ["g4"], ["g5"]]],
    ["one a day at a pace below two", 3, [["g2"], ["g3"], ["g4"], ["g5"]]],
    [
      "two a day",
      4,
      [
        ["g2", "g3"],
        ["g4", "g5"],
      ],
    ],
    ["never more than a day takes", 400, [["g2", "g3", "g4", "g5"]]],
  ])("%s", (_what, completedGoals, rest) => {
    expect(ids(revisedDays({ ...five, completedGoals }).days.slice(2))).toEqual(rest);
  });

  it("before the first day is over: the pace that was planned", () => {
    const days = [day(1, [goal("a"), goal("b")]), day(2, [goal("c")])];
    const milestones = [milestone("ms-1", 2)];

    expect(ids(revisedDays({ ...five, days, milestones, unfinished: [], completedGoals: 0 }).days)).toEqual([
      ["a", "b"],
      ["c"],
    ]);
  });

  it("goals of a day under way stay with it, and those of milestones that are done are dropped", () => {
    const days = [...five.days.slice(0, 2), { ...day(3, [goal("g3", "ms-2")]), status: "in_progress" as const }];
    const later = [day(4, [goal("g4", "ms-3"), goal("g9", "ms-1")])];
    const revised = revisedDays({
      ...five,
      days: [...days, ...later],
      unfinished: [unfinished("g2"), unfinished("g3")],
    });

    expect(ids(revised.days)).toEqual([["g1"], ["g2"], ["g3"], ["g2"], ["g4"]]);
  });

  it("a goal that is unfinished and still planned is there once", () => {
    expect(ids(revisedDays({ ...five, unfinished: [unfinished("g4", "ms-3")] }).days)).toEqual([
      ["g1"],
      ["g2"],
      ["g4"],
      ["g3"],
      ["g5"],
    ]);
  });

  it("milestones keep their ids and are due on the last day with one of their goals; done ones stay", () => {
    const { milestones } = revisedDays(five);

    expect(milestones.map((each) => [each.milestoneId, each.targetDay])).toEqual([
      ["ms-1", 1],
      ["ms-2", 4],
      ["ms-3", 6],
    ]);
  });

  it("a milestone without goals is not due after the last day", () => {
    const milestones = [...five.milestones, milestone("ms-4", 40)];

    expect(revisedDays({ ...five, milestones }).milestones.at(-1)?.targetDay).toBe(6);
  });

  it("days are rather fuller than more than the longest plan has", () => {
    const days = [
      done(1, [goal("x")]),
      day(
        2,
        Array.from({ length: 118 }, (_, index) => goal(`g${index}`)),
      ),
    ];
    const revised = revisedDays({ ...five, days, milestones: [], unfinished: [], completedGoals: 1 });

    expect(revised.days).toHaveLength(60);
    expect(revised.days.slice(1).every((each) => each.goals.length === 2)).toBe(true);
    expect(revised.leftOut).toEqual([]);
  });

  it("what the longest plan has no day for is said", () => {
    const policy = { ...defaultPolicy, campaigns: { ...defaultPolicy.campaigns, longestDays: 3 } };
    const revised = revisedDays({ ...five, policy, rest: [[goal("a")], [], [goal("b")], [goal("c")]] });

    expect(ids(revised.days)).toEqual([["g1"], ["g2"], ["a"]]);
    expect(revised.leftOut.map((each) => each.goalId)).toEqual(["b", "c"]);
  });
});

describe("a late campaign", () => {
  it.each<[string, number, number | null, number, object]>([
    ["the first time", 0, null, 1, { type: "automatic" }],
    ["the third time", 2, 3, 5, { type: "automatic" }],
    ["a fourth time", 3, 3, 9, { type: "ask", reason: "too-often" }],
    ["the day after", 1, 3, 4, { type: "ask", reason: "day-before" }],
    ["the same day", 1, 3, 3, { type: "ask", reason: "day-before" }],
    ["two days later", 1, 3, 5, { type: "automatic" }],
  ])("%s: by itself or not (C-87)", (_what, automaticReplans, lastAutomaticDay, finishedDay, decision) => {
    expect(mayReplan({ automaticReplans, lastAutomaticDay, finishedDay }, defaultPolicy)).toEqual(decision);
  });
});

describe("what another plan changes", () => {
  const before = { days: five.days, milestones: five.milestones };

  it("nothing", () => {
    const diff = planDiff(before, before);

    expect(diff).toEqual({ days: [], milestones: [] });
    expect(planDiffLines(diff)).toEqual(["Nothing changes."]);
  });

  it("day by day: goals taken up again, moved, added and dropped, new days, budgets, milestones", () => {
    const g2 = goal("g2", "ms-2");
    const [g4, g5, extra] = [goal("g4", "ms-3"), goal("g5", "ms-3"), goal("new", "ms-3")];
    const after = revisedDays({ ...five, rest: [[g2], [g4], [extra], [g5]] });
    const diff = planDiff(before, after);
    const budgetMicroUsd = { from: dollars(10), to: dollars(8) };

    expect(diff).toEqual({
      days: [
        {
          dayNumber: 3,
          type: "kept",
          budgetMicroUsd,
          goals: [
            { type: "again", goal: g2, fromDay: 2 },
            { type: "dropped", goal: goal("g3", "ms-2") },
          ],
        },
        { dayNumber: 4, type: "kept", budgetMicroUsd, goals: [] },
        { dayNumber: 5, type: "kept", budgetMicroUsd, goals: [{ type: "added", goal: extra }] },
        {
          dayNumber: 6,
          type: "added",
          budgetMicroUsd: { from: null, to: dollars(8) },
          goals: [{ type: "moved", goal: g5, fromDay: 5 }],
        },
      ],
      milestones: [{ type: "moved", name: "Milestone ms-3", fromDay: 5, toDay: 6 }],
    });
    expect(planDiffLines(diff)).toEqual([
      'Day 3, up to $8.00 instead of $10.00: takes up "Do g2" of day 2 again; drops "Do g3"',
      "Day 4, up to $8.00 instead of $10.00",
      'Day 5, up to $8.00 instead of $10.00: adds "Do new"',
      'Day 6 is new, up to $8.00: takes "Do g5" from day 5',
      'Milestone "Milestone ms-3" is due on day 6 instead of day 5',
    ]);
  });

  it("a plan that was made anew is compared by the words of its goals and the names of its milestones", () => {
    const renewed = (goalId: string, content: string): PlannedGoal => ({
      goalId,
      milestoneId: "ms-1",
      request: request(content),
    });
    const diff = planDiff(
      {
        days: [day(1, [goal("a"), goal("b")]), day(2, [goal("c")])],
        milestones: [milestone("ms-1", 2), milestone("ms-2", 2)],
      },
      {
        days: [day(1, [renewed("x", "Do a"), renewed("y", "Do c"), renewed("z", "Do d")])],
        milestones: [milestone("ms-1", 1), milestone("ms-3", 1, { name: "Docs" })],
      },
    );

    expect(planDiffLines(diff)).toEqual([
      'Day 1: takes "Do c" from day 2; adds "Do d"; drops "Do b"',
      "Day 2 is dropped",
      'Milestone "Milestone ms-1" is due on day 1 instead of day 2',
      'Milestone "Docs" is new, due on day 1',
      'Milestone "Milestone ms-2", due on day 2, is dropped',
    ]);
  });

  it("a goal is the same by its id before it is by its words", () => {
    const same = (goalId: string): PlannedGoal => ({ goalId, milestoneId: null, request: request("Look again") });
    const diff = planDiff(
      { days: [day(1, [same("a")]), day(2, [same("b")])], milestones: [] },
      { days: [day(1, [same("b")]), day(2, [same("a")])], milestones: [] },
    );

    expect(diff.days.map((each) => each.goals.map((one) => [one.type, one.goal.goalId]))).toEqual([
      [["moved", "b"]],
      [["moved", "a"]],
    ]);
  });
});

describe("the notice about a new plan", () => {
  const facts = { name: "Work", by: "the built-in rule", why: "ana asked for it.", notes: [] };
  const days = [day(1, [goal("g-1", "ms-1")])];

  it("counts what changed", () => {
    const milestones = [milestone("ms-1", 1)];
    const later = milestones.map((each) => ({ ...each, targetDay: each.targetDay + 1 }));
    const moved = planDiff({ days, milestones }, { days, milestones: later });
    const replaced = planDiff({ days, milestones }, { days: [day(1, [goal("g-2", "ms-1")])], milestones: later });

    expect(replanCard({ ...facts, diff: moved }).title).toBe("Replanned: 1 milestone changed");
    expect(replanCard({ ...facts, diff: replaced }).title).toBe("Replanned: 1 day and 1 milestone changed");
  });

  it("says once that nothing changed", () => {
    const diff = planDiff({ days, milestones: [] }, { days, milestones: [] });
    const card = replanCard({ ...facts, diff });

    expect(card.title).toBe("Replanned: nothing changed");
    expect(JSON.stringify(card)).not.toContain("Nothing changes");
  });
});
