import { describe, expect, it } from "vitest";
import type { CampaignState, MilestoneStatus, PlannedGoal } from "../../src/core/campaigns/campaign.ts";
import type { GoalStatus } from "../../src/core/goals/goal.ts";
import { plainText } from "../../src/core/cards/card.ts";
import { metricWords } from "../../src/core/cards/metric-words.ts";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { weekBlocks, weekInBrief } from "../../src/core/cards/week-blocks.ts";
import { weeklyCard } from "../../src/core/cards/weekly-card.ts";
import { weeklyReport, weeklyReportCard } from "../../src/core/cards/weekly-report.ts";
import { type WeeklyCampaign, summaryOf } from "../../src/core/reports/summary.ts";
import type { Week } from "../../src/core/reports/week.ts";
import type { WeekRows } from "../../src/core/reports/week-rows.ts";
import { weekWith } from "../fakes/facts.ts";

const zone = "Europe/Berlin";
const [thisWeek, lastWeek] = [new Date("2026-01-28T12:00:00Z"), new Date("2026-01-23T12:00:00Z")];

function week(change: Partial<WeekRows> = {}): Week {
  return weekWith({ from: "2026-01-26", to: "2026-02-01", zone, ...change });
}

interface Facts {
  readonly name?: string;
  readonly state?: CampaignState;
  readonly pausedBy?: string | null;
  readonly endedAt?: Date;
  readonly currentDay?: number;
  readonly milestones?: readonly (readonly [MilestoneStatus, Date | null, string?])[];
  /** Goals by day, from day 1. */
  readonly plan?: readonly (readonly string[])[];
  readonly statuses?: Readonly<Record<string, GoalStatus>>;
}

function campaign({
  name = "Site",
  state = "active",
  pausedBy = null,
  endedAt,
  currentDay = 1,
  milestones = [],
  plan = [],
  statuses = {},
}: Facts) {
  const facts: WeeklyCampaign = {
    campaign: { name, state, currentDay, startedAt: lastWeek, endedAt: endedAt ?? null, pausedBy },
    milestones: milestones.map(([status, completedAt, completedBy = null]) => ({ status, completedAt, completedBy })),
    days: plan.map((goals, index) => ({ dayNumber: index + 1, goals: goals.map(planned) })),
    statuses: new Map(Object.entries(statuses).map(([content, status]) => [`goal-${content}`, status])),
  };
  return facts;
}

function planned(content: string): PlannedGoal {
  return {
    goalId: `goal-${content}`,
    milestoneId: null,
    request: {
      content,
      tags: [],
      costUsd: null,
      priority: "medium",
      minutes: null,
      linkage: { kind: "none" },
      criteriaPath: null,
      tier: null,
      run: null,
      isUnplanned: false,
      allow: [],
      allowProof: [],
      tasksPath: null,
      parallel: 1,
    },
  };
}

const six = Array.from({ length: 6 }, (_, day) => [1, 2, 3].map((goal) => `d${day + 1}g${goal}`));
const done = {
  type: "complete",
  runId: "run-1",
  words: null,
  tag: "verified",
  wasExecuted: true,
  wasDecided: false,
  wasEscalated: false,
} as const;
const failed = { ...done, type: "failed" } as const;

describe("the summary of a week", () => {
  it.each<[string, Facts[], Partial<ReturnType<typeof summaryOf>>]>([
    [
      "lists active campaigns by name [S4-WK-02]",
      [
        { name: "One" },
        { name: "Two" },
        { name: "Off", state: "paused", pausedBy: "ana" },
        { name: "New", state: "planning" },
      ],
      { campaignsActive: ["One", "Two"] },
    ],
    [
      "lists campaigns that were completed in this week [S4-WK-03]",
      [
        { name: "Now", state: "completed", endedAt: thisWeek },
        { name: "Then", state: "completed", endedAt: lastWeek },
        { name: "Lost", state: "failed", endedAt: thisWeek },
        { name: "Late Sunday", state: "completed", endedAt: new Date("2026-02-01T22:59:00Z") },
        { name: "Next Monday", state: "completed", endedAt: new Date("2026-02-01T23:00:00Z") },
      ],
      { campaignsCompleted: ["Now", "Late Sunday"], campaignsActive: [] },
    ],
    [
      "names campaigns that a person or nobody's answer has paused apart from one that waits for its day's questions",
      [
        { name: "Off", state: "paused", pausedBy: "nobody's answer" },
        { name: "Asks", state: "paused" },
      ],
      { campaignsPaused: ["Off"], campaignsActive: ["Asks"] },
    ],
    [
      "counts milestones that were done in this week, of any campaign [S4-WK-04]",
      [
        {
          milestones: [
            ["done", thisWeek],
            ["done", lastWeek],
            ["pending", null],
          ],
        },
        { state: "failed", endedAt: thisWeek, milestones: [["done", new Date("2026-01-25T23:00:00Z")]] },
        {
          state: "completed",
          endedAt: thisWeek,
          milestones: [
            ["done", null],
            ["done", thisWeek],
          ],
        },
      ],
      { milestonesCompleted: 3 },
    ],
    [
      "counts what is not done of active and paused campaigns as remaining [S4-WK-05]",
      [
        {
          milestones: [
            ["pending", null],
            ["in_progress", null],
            ["blocked", null],
            ["done", lastWeek],
          ],
        },
        {
          state: "paused",
          milestones: [
            ["pending", null],
            ["pending", null],
            ["pending", null],
          ],
        },
        { state: "planning", milestones: [["pending", null]] },
        { state: "failed", endedAt: thisWeek, milestones: [["blocked", null]] },
      ],
      { milestonesRemaining: 6 },
    ],
    [
      "projects the first two goals of five days, ten at most [S4-WK-08]",
      [{ plan: six }, { name: "Second", plan: six }],
      {
        nextWeekProjection: [1, 2, 3, 4, 5].flatMap((day) => [`[Site] d${day}g1`, `[Site] d${day}g2`]),
      },
    ],
    [
      "projects from the day that is worked, and goes on with the next campaign [S4-WK-08]",
      [
        { plan: six, currentDay: 5 },
        { name: "Second", plan: [["a"], [], ["b"]] },
        { state: "paused", pausedBy: "ana", plan: six },
        { name: "Asks", state: "paused", plan: [["c"]] },
      ],
      {
        nextWeekProjection: [
          "[Site] d5g1",
          "[Site] d5g2",
          "[Site] d6g1",
          "[Site] d6g2",
          "[Second] a",
          "[Second] b",
          "[Asks] c",
        ],
      },
    ],
    [
      "projects of the day that is worked only what is not over [S4-WK-08]",
      [
        {
          plan: [["a", "b", "c", "d", "e"], ["f"]],
          statuses: { a: "complete", b: "in_progress", c: "failed", d: "blocked" },
        },
      ],
      { nextWeekProjection: ["[Site] b", "[Site] d", "[Site] f"] },
    ],
    ["projects nothing of a plan that is over [S4-WK-09]", [{ plan: six, currentDay: 7 }], { nextWeekProjection: [] }],
  ])("%s", (_name, campaigns, expected) => {
    expect(summaryOf(week(), campaigns.map(campaign), zone)).toMatchObject(expected);
  });

  it("has the week's dates, goals and cost [S4-WK-01, S4-WK-06, S4-WK-07]", () => {
    const ended = [
      { ...done, goalId: "a", at: new Date("2026-01-26T08:00:00Z") },
      { ...done, goalId: "b", at: thisWeek },
      { ...failed, goalId: "c", at: thisWeek },
      { ...failed, goalId: "d", at: lastWeek },
    ];
    const spent = { "2026-01-26": 1_000_000, "2026-01-27": 2_000_000, "2026-01-28": 3_000_000 };

    expect(summaryOf(week({ ended, spent }), [], zone)).toEqual({
      weekStart: "2026-01-26",
      weekEnd: "2026-02-01",
      campaignsActive: [],
      campaignsCompleted: [],
      milestonesCompleted: 0,
      milestonesOnWord: 0,
      milestonesRemaining: 0,
      totalCostMicroUsd: 6_000_000,
      goalsCompleted: 2,
      goalsFailed: 1,
      nextWeekProjection: [],
    });
  });
});

describe("the report", () => {
  const ended = [
    { ...done, goalId: "a", at: thisWeek },
    { ...done, goalId: "b", at: thisWeek, tag: "claimed" as const },
    { ...failed, goalId: "c", at: thisWeek },
  ];
  const counted = week({ ended, spent: { "2026-01-28": 6_000_000 } });

  it("says None for empty lists, and the cost with two decimals [S4-WK-10, S4-CL-07]", () => {
    const text = weeklyReport(summaryOf(counted, [], zone), counted);

    expect(text.split("\n").slice(0, 16)).toEqual([
      "# Weekly Summary: 2026-01-26 to 2026-02-01",
      "",
      "## Campaigns",
      "- Active: None",
      "- Completed this week: None",
      "",
      "## Progress",
      "- Milestones completed: 0",
      "- Milestones remaining: 0",
      "- Goals completed: 2",
      "- Goals failed: 1",
      "- Total cost: $6.00",
      "",
      "## Next Week Projection",
      "- None",
      "",
    ]);
    expect(text).toContain("- Goals completed and verified: 1\n- Goals completed and only claimed: 1\n");
  });

  it("lists campaigns, the projection, and whether the cost is estimated [S4-WK-10]", () => {
    const facts = [
      { name: "One", plan: [["Draw\nthe header"]] },
      { name: "Two" },
      { name: "Old", state: "completed" as const, endedAt: thisWeek },
    ];
    const text = weeklyReport(summaryOf(counted, facts.map(campaign), zone), { ...counted, spentIsEstimated: true });

    expect(text).toContain("- Active: One, Two\n- Completed this week: Old\n");
    expect(text).toContain("- Total cost: $6.00 (estimated)\n");
    expect(text).toContain("## Next Week Projection\n- [One] Draw\n");
  });

  it("begins with its heading in the terminal [S4-CL-07]", () => {
    const card = weeklyReportCard(summaryOf(counted, [], zone), counted);
    expect(terminalLines(card, zone)[0]).toBe("# Weekly Summary: 2026-01-26 to 2026-02-01");
  });
});

describe("the metrics in words", () => {
  it("name their target and what they are measured from, also where there is nothing to measure", () => {
    const words = metricWords(week());

    expect(words.map(({ name, value, target }) => [name, value, target])).toEqual([
      ["Real execution rate", "nothing to measure", "100 %"],
      ["Automatic recovery", "nothing to measure", "70 % or more"],
      ["Completed without review", "nothing to measure", "more than 70 %"],
      ["Multi-day completion", "nothing to measure", "more than 75 %"],
      ["Learning", "nothing to measure", "+10 points a month or more"],
      ["Cost of a completed goal", "nothing to measure", null],
      ["Response to questions", "nothing to measure", "less than 30 min on average"],
      ["Worklogs left out", "nothing to measure", "12 % or less"],
    ]);
    expect(words.filter(({ measuredFrom }) => measuredFrom.trim() === "")).toEqual([]);
  });

  it("say percent, points, dollars and minutes", () => {
    const ended = [
      { ...done, goalId: "a", at: thisWeek },
      { ...failed, goalId: "b", at: thisWeek, wasExecuted: false },
    ];
    const before = { complete: 3, failed: 1, spentMicroUsd: 6_000_000 };
    const troubles = [{ wasMended: true }, { wasMended: false }];
    const decisions = [{ at: thisWeek, waitedMs: 300_000 }];
    const campaignsEnded = [{ at: lastWeek, isComplete: true }];
    const leftOut = { numerator: 1, denominator: 8 };
    const counted = week({
      ended,
      troubles,
      before,
      decisions,
      campaignsEnded,
      leftOut,
      spent: { "2026-01-28": 2_500_000 },
    });

    expect(metricWords(counted).map(({ value }) => value)).toEqual([
      "50 %",
      "50 %",
      "100 %",
      "nothing to measure",
      "−25 points",
      "$2.50",
      "5 min on average",
      "13 %",
    ]);
    const said = metricWords(counted).map(({ measuredFrom }) => measuredFrom);
    expect(said[3]).toContain("over all weeks: 100 %");
    expect(said[5]).toContain("four weeks before: $2.00");
  });
});

describe("the card", () => {
  it("says of goals that were set aside that they had not failed before, because those count as failed", () => {
    const said = JSON.stringify(weekBlocks({ ...week({}), deferred: 1, manual: 2 }, summaryOf(week({}), [], zone)));

    expect(said).toContain('"label":"Goals set aside","value":["without a failure: 1 skipped, 2 left to a person"]');
  });

  it("shows campaigns, milestones, the projection, and verified against claimed as numbers", () => {
    const ended = [
      { ...done, goalId: "a", at: thisWeek },
      { ...done, goalId: "b", at: thisWeek, tag: "claimed" as const },
    ];
    const facts = campaign({
      plan: [["Draw the header"]],
      milestones: [
        ["done", thisWeek],
        ["pending", null],
      ],
    });
    const counted = week({ ended, troubles: [{ wasMended: true }] });
    const said = JSON.stringify(weekBlocks(counted, summaryOf(counted, [facts], zone)));

    expect(said).toContain('"label":"Active","value":["Site"]');
    expect(said).toContain('"label":"Milestones completed","value":["1"]');
    expect(said).toContain('"label":"Milestones remaining","value":["1"]');
    expect(said).toContain("2: 1 verified, 1 only claimed");
    expect(said).toContain("[Site] Draw the header");
    expect(said).toContain("target 70 % or more");
  });

  it("of a first day leaves out what has no content, and names what cannot be measured yet", () => {
    const counted = week({ ended: [{ ...done, goalId: "a", at: thisWeek }] });
    const said = JSON.stringify(weekBlocks(counted, summaryOf(counted, [], zone)));

    expect(["Campaigns", "Branches", "projection", "Learning: "].filter((each) => said.includes(each))).toEqual([]);
    expect(said).toContain("Completed without review: ");
    expect(said).toContain(
      "Nothing to measure yet: Automatic recovery (no goal ended after a failed attempt), Multi-day completion (no campaign ended), ",
    );
  });

  it("is four lines and its picture in a channel: done, failed and waiting, spent, milestones [F-412]", () => {
    const ended = [
      { ...done, goalId: "a", at: thisWeek },
      { ...done, goalId: "b", at: thisWeek, tag: "claimed" as const },
      { ...done, goalId: "c", at: thisWeek, type: "failed" as const },
    ];
    const facts = campaign({
      milestones: [
        ["done", thisWeek],
        ["pending", null],
      ],
    });
    const counted = week({ ended });

    const [list, ...more] = weekInBrief(counted, summaryOf(counted, [facts], zone), 3);

    expect(list?.type === "list" ? list.items.map((item) => plainText(item, zone)) : []).toEqual([
      "2 done: 1 verified, 1 only claimed",
      "Failed: 1, waiting for a person: 3",
      expect.stringMatching(/^Spent: \$\d+\.\d\d/),
      "Milestones: 1 done, 1 left",
    ]);
    expect(more.map(({ type }) => type)).toEqual(["picture"]);
  });

  it("names in a channel what failed, and says below its numbers what guards only means", () => {
    const guards = { ...done, goalId: "a", at: thisWeek, guardsOnly: true as const };
    const counted = week({ ended: [guards, { ...done, goalId: "b", at: thisWeek, type: "failed" as const }] });
    const summary = summaryOf(counted, [], zone);

    const brief = JSON.stringify(weekInBrief(counted, summary, 0, [{ content: "Migrate the orders" }]));
    const whole = JSON.stringify(weekBlocks(counted, summary));

    expect(brief).toContain("1 (Migrate the orders), ");
    expect(brief).not.toContain("Milestones");
    expect(whole).toContain("1 verified (1 guards only)");
    expect(whole.match(/Guards only: its checks pass with and without the work/g)).toHaveLength(1);
  });

  it("of a week in which nothing happened says each number once", () => {
    const counted = week();
    const none = { done: [], failed: [], deferred: [], manual: [], parked: [], waiting: [], planned: [], limited: [] };
    const report = { ...none, from: "2026-01-26", to: "2026-02-01", spentMicroUsd: 0, spentIsEstimated: false };
    const facts = { report, week: counted, summary: summaryOf(counted, [], zone), waitsForPerson: 0 };
    const card = weeklyCard(facts);

    expect(JSON.stringify(card.brief)).not.toContain("Milestones");
    const text = terminalLines(card, zone).join("\n");

    expect(text.match(/\$0\.00/g)).toHaveLength(1);
    expect(text).toMatch(/Goals completed +0$/m);
    expect(
      card.brief?.flatMap((block) => (block.type === "list" ? block.items.map((item) => plainText(item, zone)) : [])),
    ).toContain("0 done");
  });
});
