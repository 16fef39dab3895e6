import { expect, it } from "vitest";
import { planDiff } from "../../src/core/campaigns/diff.ts";
import { campaignItem } from "../../src/core/cards/campaign-list-card.ts";
import { plainText, subjectOf } from "../../src/core/cards/card.ts";
import { goalDayLine } from "../../src/core/cards/plan-words.ts";
import { replanCard } from "../../src/core/cards/replan-card.ts";
import { scheduleWords } from "../../src/core/cards/schedule-words.ts";
import { timelineWords } from "../../src/core/cards/timeline-words.ts";
import { readEvent } from "../../src/core/events/read.ts";
import { day, goal } from "./campaigns/plans.ts";

it.each([
  [
    "campaign.planned",
    { by: "the outline plan.md", days: 5, milestones: 1 },
    "planned by the outline plan.md: 5 days, 1 milestone",
  ],
  [
    "campaign.day-begun",
    { day: 2, date: "2026-01-27", goals: ["goal-1"], budgetMicroUsd: 1_000_000 },
    "day 2 (2026-01-27) begins: 1 goal, up to $1.00",
  ],
  [
    "campaign.day-over",
    {
      campaignId: "camp-1",
      day: 2,
      goalsCompleted: 1,
      goals: 2,
      costMicroUsd: 870_000,
      costIsEstimated: false,
      progress: 0.5,
      carried: 1,
    },
    "day 2 is over: 1 of 2 goals complete, $0.87, 1 goal left for the next day",
  ],
  ["campaign.milestone-done", { milestoneId: "ms-1" }, "milestone ms-1 is done, its goals are verified"],
  ["campaign.held", {}, "campaign waits for an answer"],
  ["campaign.held", { reason: "no branch main" }, "campaign held: no branch main"],
  [
    "campaign.replanned",
    { by: "the built-in rule", replanCount: 1, isAutomatic: true, days: 6 },
    "replanned by the built-in rule, because it was late: 6 days",
  ],
  ["campaign.failed", { reason: "Given up by ana." }, "campaign failed: Given up by ana."],
  [
    "night.ended",
    { nightId: "night-1", reason: "The night's money is used up." },
    "night over: The night's money is used up.",
  ],
  ["checkpoint.asked", { kind: "money", triggers: ["cost_cumulative"] }, "asked: may it cost more?"],
  ["checkpoint.expired", {}, "nobody answered in time"],
  ["something.new", {}, "something.new"],
])("the timeline says %s of %j as words", (event, detail, words) => {
  expect(timelineWords(readEvent({ event, goalId: null, actor: null, via: null, detail }))).toBe(words);
});

it("a person who stopped a day, or called a milestone done, is named", () => {
  const ana = { goalId: null, actor: "ana", via: "console" };

  expect(timelineWords({ ...ana, event: "campaign.held", detail: {} })).toBe("campaign held: ana stopped its day");
  expect(timelineWords({ ...ana, event: "campaign.milestone-done", detail: { milestoneId: "Customers pay" } })).toBe(
    "milestone Customers pay is done, on ana's word",
  );
});

it("a goal says its day and milestone, whichever of them it has", () => {
  const of = { campaignId: "camp-1", name: "Five days", day: 2, milestone: "Both are there" };

  expect(plainText(goalDayLine(of), "UTC")).toBe("Day 2 of Five days, for the milestone Both are there.");
  expect(plainText(goalDayLine({ ...of, day: null, milestone: null }), "UTC")).toBe("Part of Five days.");
});

it("a link to a campaign names it, as links to goals and questions do", () => {
  const links = ["/campaigns/camp-1", "/goals/goal-1", "/#cp-1", "/campaigns", "/weekly", "/campaigns/a/b"];

  expect(links.map(subjectOf)).toEqual(["camp-1", "goal-1", "cp-1", null, null, null]);
});

it("a replan's difference reads day by day", () => {
  const before = [day(4, [goal("c")], { status: "done" }), day(5, [goal("d"), goal("f")])];
  const after = [day(4, [goal("c")], { status: "done" }), day(5, [goal("c")]), day(6, [goal("f")])];
  const milestones = [{ name: "All", targetDay: 5 }];
  const diff = planDiff({ days: before, milestones }, { days: after, milestones: [{ name: "All", targetDay: 6 }] });
  const card = replanCard({ name: "X", by: "the built-in rule", why: "It was late.", diff, notes: [] });

  expect(
    card.blocks.flatMap((block) => (block.type === "list" ? block.items : [])).map((each) => plainText(each, "UTC")),
  ).toEqual([
    'Day 5: takes up "Do c" of day 4 again; drops "Do d"',
    'Day 6 is new, up to $10.00: takes "Do f" from day 5',
    'Milestone "All" is due on day 6 instead of day 5',
  ]);
});

it("a changed schedule is said in words", () => {
  expect(scheduleWords({ cron: "30 8 * * *", isOn: true, onMissing: "skip" })).toBe(
    "30 8 * * *, on, missed ones are skipped",
  );
  expect(scheduleWords({ isOn: false })).toBe("off");
});

it.each([
  [null, "waiting for an answer"],
  ["ana", "paused"],
])("a list says of a campaign that is paused by %s: %s", (pausedBy, words) => {
  const line = {
    campaignId: "camp-1a2b3c4d",
    name: "Prices",
    state: "paused",
    startedAt: new Date("2026-01-26T09:00:00Z"),
    endedBy: null,
    pausedBy,
    currentDay: 1,
    days: [1, 2],
    milestones: [],
    daysBehind: 0,
    spentUsd: 0,
    spentIsEstimated: false,
    totalBudgetUsd: 20,
  } as const;

  expect(plainText(campaignItem(line), "UTC")).toBe(
    `camp-1a2b3c4d Prices: ${words}, day 1 of 2, 0 of 0 milestones done, $0.00 of $20.00`,
  );
});
