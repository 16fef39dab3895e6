import { describe, expect, it } from "vitest";
import { predictSum, sampleOf, tOf } from "../../../src/core/campaigns/prediction.ts";
import { type Rehearsal, rehearse, type ToRehearse } from "../../../src/core/campaigns/rehearse.ts";
import { isNightTime, type PastRun, runsFor } from "../../../src/core/campaigns/rehearse-runs.ts";
import { sureWords } from "../../../src/core/cards/rehearsal-words.ts";
import { parseQuietHours } from "../../../src/core/checkpoints/quiet.ts";
import { dollars } from "../../../src/core/money.ts";
import { defaultPolicy } from "../../../src/core/policy.ts";
import { day, goal, milestone, seeded } from "./plans.ts";

function run(costUsd: number, changes: Partial<PastRun> = {}): PastRun {
  return {
    executor: "agent",
    link: "none",
    costMicroUsd: dollars(costUsd),
    estimateMicroUsd: null,
    questions: {},
    askedAtNight: 0,
    ...changes,
  };
}

function rehearsed(changes: Partial<ToRehearse>): Rehearsal {
  return rehearse({
    isPlanning: false,
    days: [],
    milestones: [],
    spentMicroUsd: 0,
    totalBudgetMicroUsd: dollars(50),
    history: [],
    policy: defaultPolicy,
    ...changes,
  });
}

const costs = [run(1), run(2), run(3), run(4)];
const estimated = [
  run(1, { estimateMicroUsd: dollars(2) }),
  run(4, { estimateMicroUsd: dollars(4) }),
  run(7.5, { estimateMicroUsd: dollars(5) }),
];

describe("what days will cost", () => {
  it("goals without an estimate: what runs cost, more or less", () => {
    // Mean 2.50, variance 5/3. Two goals: 5.00; error 5/3 × (1 + 1 + 2²/4) = 5; t for 3 degrees 1.638.
    // 1.638 × √5 = 3.662679.
    const { cost } = rehearsed({ days: [day(1, [goal("a")]), day(2, [goal("b")])], history: costs });

    expect(cost).toEqual({ lowMicroUsd: 1_337_321, likelyMicroUsd: 5_000_000, highMicroUsd: 8_662_679 });
  });

  it("goals with an estimate: its multiple that estimated runs came to, up to their ceilings", () => {
    // Ratios 0.5, 1, 1.5: mean 1, variance 0.25. Estimates 2 and 4: 6.00; error 0.25 × (4 + 16 + 6²/3) = 8; t for 2 is 1.886.
    // 1.886 × √8 = 5.334414; the ceilings are 5 and 4 × 1.5.
    const goals = [goal("a", "ms-1", { costUsd: 2 }), goal("b", "ms-1", { costUsd: 4 })];
    const { cost } = rehearsed({ days: [day(1, goals)], history: [...estimated, ...costs] });

    expect(cost).toEqual({ lowMicroUsd: 665_586, likelyMicroUsd: 6_000_000, highMicroUsd: 11_000_000 });
  });

  it("an estimate without two estimated runs is left aside", () => {
    const { cost } = rehearsed({ days: [day(1, [goal("a", "ms-1", { costUsd: 3 })])], history: costs });

    // 2.50; error 5/3 × (1 + 1/4) = 25/12; 1.638 × √(25/12) = 2.364249.
    expect(cost).toEqual({ lowMicroUsd: 135_751, likelyMicroUsd: 2_500_000, highMicroUsd: 4_864_249 });
  });

  it("errors of different samples add up, with the degrees of freedom that both give", () => {
    // 5 with 3 degrees and 8 with 2: 13² / (5²/3 + 8²/2) = 4.19, so 4: t 1.533; 1.533 × √13 = 5.527310.
    const range = predictSum([
      { sample: sampleOf([1, 2, 3, 4]), weights: [1, 1] },
      { sample: sampleOf([0.5, 1, 1.5]), weights: [2, 4] },
    ]);

    expect(range.likely).toBe(11);
    expect([range.low, range.high].map((each) => each.toFixed(5))).toEqual(["5.47269", "16.52731"]);
  });

  it("is never below nothing", () => {
    const { cost } = rehearsed({ days: [day(1, [goal("a")])], history: [run(0), run(0), run(4)] });

    expect(cost.lowMicroUsd).toBe(0);
  });

  it.each<[string, readonly PastRun[]]>([
    ["no run", []],
    ["one run", [run(1)]],
  ])("after %s is a guess: anything up to the ceilings", (_what, history) => {
    const goals = [goal("a"), goal("b", "ms-1", { costUsd: 8 })];
    const { cost, sure } = rehearsed({ days: [day(1, goals)], history });

    // Half of 5 and the estimate of 8; ceilings 5 and 8 × 1.5.
    expect(cost).toEqual({ lowMicroUsd: 0, likelyMicroUsd: 10_500_000, highMicroUsd: 17_000_000 });
    expect(sure).toEqual({ level: "guess", runs: history.length, isAlike: true });
  });

  it("no goals cost nothing", () => {
    expect(rehearsed({ history: costs }).cost).toEqual({ lowMicroUsd: 0, likelyMicroUsd: 0, highMicroUsd: 0 });
  });

  it.each([
    [1, 3.078],
    [0.4, 3.078],
    [4.99, 1.533],
    [30, 1.31],
    [39, 1.31],
    [40, 1.303],
    [60, 1.296],
    [5000, 1.289],
  ])("t for %d degrees of freedom is %d: rather too wide", (freedom, t) => {
    expect(tOf(freedom)).toBe(t);
  });
});

describe("budgets", () => {
  // Each goal: 2.50, at most 4.86.
  it.each<[number, string]>([
    [2.5, "likely"],
    [4, "possible"],
    [4.9, "unlikely"],
  ])("of %d USD for a day is reached: %s", (usd, reached) => {
    const { days } = rehearsed({ days: [day(1, [goal("a")], { budgetMicroUsd: dollars(usd) })], history: costs });

    expect(days.map((each) => each.reached)).toEqual([reached]);
  });

  it("of a day under way counts what it has cost", () => {
    const underWay = day(3, [goal("a")], { status: "in_progress", actualCostMicroUsd: dollars(8) });

    expect(rehearsed({ days: [underWay], history: costs }).days).toMatchObject([
      { dayNumber: 3, budgetMicroUsd: dollars(10), reached: "likely" },
    ]);
  });

  // Likely 2.50, 5.00, 7.50 after each day; at most 4.86, 8.66, 12.58.
  it.each<[number, number, object]>([
    [50, 0, { type: "unlikely" }],
    [5, 0, { type: "likely", dayNumber: 5 }],
    [50, 45, { type: "likely", dayNumber: 5 }],
    [7.6, 0, { type: "possible", dayNumber: 5 }],
    [4.8, 2.4, { type: "likely", dayNumber: 4 }],
    [12, 0, { type: "possible", dayNumber: 6 }],
  ])("of %d USD for the whole, %d spent", (total, spent, reached) => {
    const { total: found } = rehearsed({
      days: [day(4, [goal("a")]), day(5, [goal("b")]), day(6, [goal("c")])],
      totalBudgetMicroUsd: dollars(total),
      spentMicroUsd: dollars(spent),
      history: costs,
    });

    expect(found).toEqual(reached);
  });
});

describe("what days will ask", () => {
  it("for certain: each milestone that begins, each goal whose tags or estimate ask", () => {
    const { certain } = rehearsed({
      days: [
        day(2, [goal("a", "ms-1"), goal("b", "ms-2", { tags: ["UI", "core"], costUsd: 6 })]),
        day(3, [goal("c", "ms-2"), goal("d", "ms-3", { isUnplanned: true })]),
      ],
      milestones: [
        milestone("ms-1", 2, { status: "in_progress" }),
        milestone("ms-2", 3),
        milestone("ms-3", 3),
        milestone("ms-4", 9),
      ],
    });

    expect(certain).toEqual([
      { type: "milestone", dayNumber: 2, milestoneId: "ms-2", name: "Milestone ms-2" },
      {
        type: "goal",
        dayNumber: 2,
        goalId: "b",
        content: "Do b",
        triggers: ["ux_change", "cost_single", "architecture"],
      },
      { type: "milestone", dayNumber: 3, milestoneId: "ms-3", name: "Milestone ms-3" },
      { type: "goal", dayNumber: 3, goalId: "d", content: "Do d", triggers: ["scope_change"] },
    ]);
  });

  it("before the start not for milestones of the first day: they are approved with the plan", () => {
    const plan = {
      days: [day(1, [goal("a", "ms-1")]), day(2, [goal("b", "ms-2"), goal("c", "ms-1")])],
      milestones: [milestone("ms-1", 1), milestone("ms-2", 2)],
    };
    const asked = (isPlanning: boolean): unknown => rehearsed({ ...plan, isPlanning }).certain;

    expect(asked(true)).toEqual([{ type: "milestone", dayNumber: 2, milestoneId: "ms-2", name: "Milestone ms-2" }]);
    expect(asked(false)).toMatchObject([{ milestoneId: "ms-1" }, { milestoneId: "ms-2" }]);
  });

  it("while they are worked: as often as runs asked, by kind, and at night in the share of those", () => {
    const history = [
      run(1, { questions: { permission: 2, start: 9 }, askedAtNight: 1 }),
      run(1, { questions: { permission: 1, escalation: 1 }, askedAtNight: 1 }),
      run(1),
      run(1, { questions: { diff: 0 } }),
    ];

    // 2, 2, 0, 0 questions: mean 1, variance 4/3. Three goals: 3; error 4/3 × (3 + 3²/4) = 7; 1.638 × √7 = 4.33.
    expect(rehearsed({ days: [day(1, [goal("a"), goal("b"), goal("c")])], history }).during).toEqual({
      type: "expected",
      low: 0,
      likely: 3,
      high: 8,
      kinds: [
        { kind: "permission", count: 2.25 },
        { kind: "escalation", count: 0.75 },
      ],
      atNight: 1.5,
    });
  });

  it("nothing at all when runs asked nothing; unknown when there are no runs", () => {
    const days = [day(1, [goal("a")])];

    expect(rehearsed({ days, history: costs }).during).toEqual({
      type: "expected",
      low: 0,
      likely: 0,
      high: 0,
      kinds: [],
      atNight: null,
    });
    expect(rehearsed({ days, history: [run(1)] }).during).toEqual({ type: "unknown" });
  });

  it.each([
    ["2026-03-02T21:59:00Z", null, false],
    ["2026-03-02T22:00:00Z", null, true],
    ["2026-03-03T06:59:00Z", null, true],
    ["2026-03-03T07:00:00Z", null, false],
    ["2026-03-03T12:30:00Z", "12:00-13:00", true],
    ["2026-03-02T23:30:00Z", "12:00-13:00", true],
  ])("%s with quiet hours %s is at night: %s", (at, quiet, night) => {
    expect(isNightTime(new Date(at), quiet === null ? null : parseQuietHours(quiet), "UTC")).toBe(night);
  });
});

describe("the runs that count", () => {
  const bug = { link: "bug" } as const;
  const command = { executor: "run" } as const;
  const of = (count: number, changes: Partial<PastRun>): PastRun[] =>
    Array.from({ length: count }, () => run(1, changes));

  it.each<[string, readonly PastRun[], string, number, boolean]>([
    ["five with the same executor and link", [...of(5, bug), ...of(9, {})], "agent bug", 5, true],
    ["with fewer, all of the executor", [...of(4, bug), ...of(9, {}), ...of(3, command)], "agent", 13, false],
    ["few, but all of them alike", [...of(3, bug), ...of(9, command)], "agent", 3, true],
    ["with one of the executor, all", [...of(1, bug), ...of(3, command)], "all", 4, false],
    ["none", [], "all", 0, true],
  ])("%s", (_what, history, key, runs, isAlike) => {
    const found = runsFor({ run: null, linkage: { kind: "bug", bug: "B1" } }, history);

    expect([found.key, found.runs.length, found.isAlike]).toEqual([key, runs, isAlike]);
  });

  it.each<[readonly PastRun[], string]>([
    [[], "a guess: no recorded run"],
    [of(1, {}), "a guess: 1 recorded run"],
    [of(3, {}), "rough: 3 runs"],
    [of(4, {}), "rough: 4 runs"],
    [of(5, {}), "fair: 5 runs"],
    [of(12, {}), "fair: 12 runs"],
    [of(40, {}), "good: 40 runs"],
    [of(40, bug), "fair: 40 runs, not all of goals like these"],
  ])("%#: say how sure it is", (history, words) => {
    expect(sureWords(rehearsed({ days: [day(1, [goal("a")])], history }).sure)).toBe(words);
  });

  it("are counted for the goal that has the fewest", () => {
    const goals = [goal("a"), goal("b", "ms-1", { linkage: { kind: "bug", bug: "B1" } })];

    expect(rehearsed({ days: [day(1, goals)], history: [...of(30, {}), ...of(6, bug)] }).sure).toEqual({
      level: "fair",
      runs: 6,
      isAlike: true,
    });
  });
});

describe("four of five outcomes lie in the range", () => {
  /** Long-tailed like costs of goals: 0.75 USD on average, seldom above 3. */
  function costUsd(random: () => number): number {
    return -0.375 * (Math.log(1 - random()) + Math.log(1 - random()));
  }
  const trials = 1000;

  it.each([
    [3, 1],
    [3, 20],
    [5, 5],
    [12, 1],
    [12, 20],
    [40, 5],
    [40, 40],
  ])("from %i runs for %i goals", (runs, goals) => {
    const random = seeded(runs * 100 + goals);
    let inside = 0;
    for (let trial = 0; trial < trials; trial += 1) {
      const history = Array.from({ length: runs }, () => run(costUsd(random)));
      const planned = Array.from({ length: goals }, (_, index) => goal(`g${index}`));
      const { cost } = rehearsed({ days: [day(1, planned)], history });
      const outcome = planned.reduce((sum) => sum + dollars(Math.min(5, costUsd(random))), 0);
      if (outcome >= cost.lowMicroUsd && outcome <= cost.highMicroUsd) inside += 1;
    }

    expect(inside / trials).toBeGreaterThanOrEqual(0.7);
    expect(inside / trials).toBeLessThanOrEqual(0.95);
  });

  it.each([
    [4, 6],
    [15, 12],
    [40, 30],
  ])("from %i estimated runs for %i estimated goals", (runs, goals) => {
    const random = seeded(runs * 7 + goals);
    const estimateUsd = (): number => 0.5 + 2 * random();
    // What it comes to is between 0.4 and 2.2 of the estimate, more often less.
    const ratio = (): number => 0.4 + 1.8 * random() * random();
    let inside = 0;
    for (let trial = 0; trial < trials; trial += 1) {
      const history = Array.from({ length: runs }, () => {
        const usd = estimateUsd();
        return run(usd * ratio(), { estimateMicroUsd: dollars(usd) });
      });
      const planned = Array.from({ length: goals }, (_, index) =>
        goal(`g${index}`, "ms-1", { costUsd: estimateUsd() }),
      );
      const { cost } = rehearsed({ days: [day(1, planned)], history });
      const outcome = planned.reduce((sum, each) => sum + dollars((each.request.costUsd ?? 0) * ratio()), 0);
      if (outcome >= cost.lowMicroUsd && outcome <= cost.highMicroUsd) inside += 1;
    }

    expect(inside / trials).toBeGreaterThanOrEqual(0.7);
    expect(inside / trials).toBeLessThanOrEqual(0.95);
  });

  it("a long campaign over a long history is rehearsed, the same each time", () => {
    const random = seeded(1);
    const history = Array.from({ length: 5000 }, () => run(costUsd(random), { questions: { permission: 1 } }));
    const days = Array.from({ length: 60 }, (_, index) =>
      day(
        index + 1,
        Array.from({ length: 20 }, (_, at) => goal(`g${index}-${at}`, "ms-1", { costUsd: at % 2 === 0 ? 1 : null })),
      ),
    );
    const first = rehearsed({ days, history });

    expect(rehearsed({ days, history })).toEqual(first);
  });
});
