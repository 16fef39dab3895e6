import { describe, expect, it } from "vitest";
import { drawPng } from "../../src/chart/png.ts";
import { backedWords } from "../../src/core/cards/metric-words.ts";
import { chartSize, chartWords, weekChart } from "../../src/core/reports/chart.ts";
import type { ChartTheme } from "../../src/core/reports/chart-colours.ts";
import type { Week } from "../../src/core/reports/week.ts";
import type { WeekRows } from "../../src/core/reports/week-rows.ts";
import { startOfDate, weekHolding } from "../../src/core/time.ts";
import { weekWith } from "../fakes/facts.ts";

type Ended = WeekRows["ended"][number];

const zone = "Europe/Berlin";

/** A goal that ended on Wednesday at noon, complete and verified, without anything remarkable. */
function goal(change: Partial<Ended> = {}): Ended {
  return {
    goalId: "goal-1",
    at: new Date("2026-01-28T12:00:00Z"),
    type: "complete",
    runId: "run-1",
    words: null,
    tag: "verified",
    wasExecuted: true,
    wasDecided: false,
    wasEscalated: false,
    ...change,
  };
}

function week(change: Partial<WeekRows> = {}): Week {
  return weekWith({ from: "2026-01-26", to: "2026-02-01", zone, ...change });
}

describe("the week that holds a date is Monday to Sunday [S4-WK-01]", () => {
  it.each([
    ["2026-01-28", "2026-01-26", "2026-02-01"],
    ["2026-02-01", "2026-01-26", "2026-02-01"],
    ["2026-01-26", "2026-01-26", "2026-02-01"],
    ["2026-02-02", "2026-02-02", "2026-02-08"],
    ["2026-01-01", "2025-12-29", "2026-01-04"],
  ])("%s", (date, from, to) => {
    expect(weekHolding(date)).toEqual({ from, to });
  });
});

describe("a local date begins", () => {
  it.each([
    ["UTC", "2026-01-26", "2026-01-26T00:00:00.000Z"],
    ["Europe/Berlin", "2026-01-26", "2026-01-25T23:00:00.000Z"],
    ["Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00.000Z"],
    ["Europe/Berlin", "2026-03-30", "2026-03-29T22:00:00.000Z"],
    ["Pacific/Kiritimati", "2026-01-26", "2026-01-25T10:00:00.000Z"],
    ["America/Los_Angeles", "2026-01-26", "2026-01-26T08:00:00.000Z"],
    // Clocks go from 00:00 to 01:00: the day begins at one.
    ["Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00.000Z"],
  ])("in %s on %s at %s", (in_, date, at) => {
    expect(startOfDate(date, in_).toISOString()).toBe(at);
  });
});

describe("which goals a week counts [S4-WK-06, S4-WK-07]", () => {
  it.each([
    ["Monday 09:00", "2026-01-26T08:00:00Z", 1],
    ["Monday 00:00", "2026-01-25T23:00:00Z", 1],
    ["a moment before Monday", "2026-01-25T22:59:59.999Z", 0],
    ["Sunday 23:59", "2026-02-01T22:59:59Z", 1],
    ["the next Monday 00:00", "2026-02-01T23:00:00Z", 0],
  ])("%s", (_when, at, complete) => {
    expect(week({ ended: [goal({ at: new Date(at) })] }).complete).toBe(complete);
  });

  it("two that succeeded and one that failed, for 1 and 2 and 3 dollars", () => {
    const spent = {
      "2026-01-26": 1_000_000,
      "2026-01-28": 2_000_000,
      "2026-02-01": 3_000_000,
      "2026-02-02": 9_000_000,
    };
    const counted = week({ ended: [goal(), goal(), goal({ type: "failed" })], spent });

    expect(counted).toMatchObject({ complete: 2, failed: 1, spentMicroUsd: 6_000_000 });
  });

  it("says what is verified and what is only claimed, day by day", () => {
    const ended = [
      goal(),
      goal({ tag: "claimed" }),
      goal({ tag: "not checked" }),
      goal({ type: "failed" }),
      goal({ at: new Date("2026-01-29T12:00:00Z") }),
    ];
    const counted = week({ ended, escalated: [{ goalId: "goal-2", at: new Date("2026-01-29T22:59:00Z") }] });

    expect([counted.complete, counted.verified, counted.claimed, counted.notChecked, counted.failed]).toEqual([
      4, 2, 1, 1, 1,
    ]);
    expect(counted.days.slice(2, 4)).toEqual([
      { date: "2026-01-28", verified: 1, claimed: 1, notChecked: 1, failed: 1, escalated: 0, spentMicroUsd: 0 },
      { date: "2026-01-29", verified: 1, claimed: 0, notChecked: 0, failed: 0, escalated: 1, spentMicroUsd: 0 },
    ]);
  });

  it("says of verified and of claimed ones how many a person accepted, as the lists of goals tag them", () => {
    const accepted = { by: "ada", at: new Date("2026-01-28T12:00:00Z") };
    const failed = goal({ type: "failed" });
    const ended = [goal(), goal({ provesNothing: "some", accepted }), goal({ tag: "claimed", accepted }), failed];
    const counted = week({ ended });

    expect(backedWords(counted)).toBe("2 verified (1 accepted by a person), 1 only claimed (1 accepted by a person)");
    expect(chartWords(counted)).toContain("2 verified, 1 claimed (2 of them accepted by a person), 1 failed,");
    const guards = { ...counted, guardsOnly: 1, accepted: 0 };
    expect(backedWords(guards)).toBe("2 verified (1 guards only, 1 accepted by a person), 1 only claimed");
  });

  it("has seven days when the clocks change", () => {
    const days = week({ from: "2026-03-23", to: "2026-03-29" }).days.map((day) => day.date);
    expect([days.length, days[0], days.at(-1)]).toEqual([7, "2026-03-23", "2026-03-29"]);
  });
});

describe("the success metrics", () => {
  const failed = goal({ type: "failed", wasEscalated: true });

  it("have nothing to measure in an empty week", () => {
    expect(Object.values(week().metrics)).toEqual(Array.from({ length: 11 }, () => null));
  });

  it.each<[string, Partial<WeekRows>, Partial<Week["metrics"]>]>([
    [
      "real execution: something was executed, of what ended",
      { ended: [goal(), goal(), goal(), goal({ wasExecuted: false })] },
      { realExecution: 0.75 },
    ],
    [
      "automatic recovery: mended without a person, of all trouble that was over",
      { ended: [goal()], troubles: [{ wasMended: true }, { wasMended: false }, { wasMended: false }] },
      { automaticRecovery: 1 / 3 },
    ],
    [
      "review: completed goals that no person was asked about",
      { ended: [goal(), goal(), goal({ wasDecided: true }), goal({ wasDecided: true }), failed] },
      { withoutReview: 0.5 },
    ],
    ["verified of complete", { ended: [goal(), goal({ tag: "claimed" }), failed] }, { verifiedOfComplete: 0.5 }],
    [
      "campaigns: completed of those that ended, in the week and ever",
      {
        campaignsEnded: [
          { at: new Date("2026-01-27T12:00:00Z"), isComplete: true },
          { at: new Date("2026-01-30T12:00:00Z"), isComplete: false },
          { at: new Date("2026-01-01T12:00:00Z"), isComplete: true },
          { at: new Date("2025-12-01T12:00:00Z"), isComplete: true },
          { at: new Date("2026-02-01T23:00:00Z"), isComplete: false },
        ],
      },
      { multiDay: 0.5, multiDayEver: 0.75 },
    ],
    [
      "campaigns: none ended in the week",
      { campaignsEnded: [{ at: new Date("2026-01-01T12:00:00Z"), isComplete: true }] },
      { multiDay: null, multiDayEver: 1 },
    ],
    [
      "learning: against the four weeks before",
      { ended: [goal(), goal(), goal(), failed], before: { complete: 5, failed: 5, spentMicroUsd: 0 } },
      { completionRate: 0.75, trend: 0.25 },
    ],
    ["learning: nothing to compare with", { ended: [goal()] }, { completionRate: 1, trend: null }],
    [
      "cost: what was spent by completed goal, and before",
      {
        ended: [goal(), goal(), failed],
        spent: { "2026-01-26": 3_000_001 },
        before: { complete: 4, failed: 1, spentMicroUsd: 10_000_000 },
      },
      { costPerCompletedMicroUsd: 1_500_001, costPerCompletedBeforeMicroUsd: 2_500_000 },
    ],
    [
      "response: the mean of questions settled in the week",
      {
        decisions: [
          { at: new Date("2026-01-27T12:00:00Z"), waitedMs: 60_000 },
          { at: new Date("2026-01-28T12:00:00Z"), waitedMs: 180_000 },
          { at: new Date("2026-02-02T12:00:00Z"), waitedMs: 9_000_000 },
        ],
      },
      { averageResponseMs: 120_000 },
    ],
  ])("%s", (_name, change, metrics) => {
    expect(week(change).metrics).toMatchObject(metrics);
  });
});

const heavy = week({
  ended: Array.from({ length: 210 }, (_, index) =>
    goal({
      at: new Date(Date.parse("2026-01-26T12:00:00Z") + (index % 7) * 24 * 3_600_000),
      type: index % 5 > 0 ? "complete" : "failed",
      tag: index % 3 === 0 ? "claimed" : "verified",
    }),
  ),
  escalated: Array.from({ length: 30 }, (_, index) => ({
    goalId: `goal-${index}`,
    at: new Date("2026-01-29T12:00:00Z"),
  })),
  spent: { "2026-01-26": 41_200_000, "2026-01-28": 1_234_567_890_123, "2026-02-01": 29_999_999 },
  spentIsEstimated: true,
});
const small = week({
  ended: [goal(), goal({ tag: "claimed" }), goal({ type: "failed", wasEscalated: true })],
  escalated: [{ goalId: "goal-3", at: new Date("2026-01-26T12:00:00Z") }],
  spent: { "2026-01-28": 1_250_000 },
});

describe("the chart in words", () => {
  it("names what happened on which day, and the ceiling", () => {
    expect(chartWords(small)).toBe(
      "Mon 2026-01-26: 1 escalated, $0.00 spent; Wed 2026-01-28: 1 verified, 1 claimed, $1.25 spent; the day's ceiling is $30.00.",
    );
  });

  it("says where the columns hold a goal twice: escalated, and complete after that", () => {
    const escalated = [{ goalId: "goal-3", at: new Date("2026-01-26T12:00:00Z") }];
    const twice = "; an escalated goal counts once more on the day on which it ends;";

    expect(chartWords(week({ ended: [goal()], escalated }))).toContain(twice);
    expect(chartWords(small)).not.toContain(twice);
  });

  it("says that nothing happened", () => {
    expect(chartWords(week())).toBe("Nothing happened; the day's ceiling is $30.00.");
  });
});

interface Label {
  readonly words: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Where the texts stand, as wide as DejaVu Sans draws them at most (its bold digits: 0.7 of their size). */
function labelsOf(svg: string): Label[] {
  return [...svg.matchAll(/<text ([^>]*)>([^<]*)<\/text>/g)].map(([, attributes = "", words = ""]) => {
    const value = (name: string) => new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1] ?? "";
    const [x, y, size] = [Number(value("x")), Number(value("y")), Number(value("font-size"))];
    const width = words.length * size * (value("font-weight") === "bold" ? 0.7 : 0.62);
    const left = { start: x, middle: x - width / 2, end: x - width }[value("text-anchor")] ?? Number.NaN;
    return { words, left, right: left + width, top: y - size, bottom: y + size * 0.25 };
  });
}

/** The names of opened and closed elements must match; attributes are quoted, and no text holds markup. */
function assertWellFormed(svg: string): void {
  const open: string[] = [];
  const rest = svg.replace(
    /<(\/?)([a-z]+)((?: [\w:-]+="[^"<>]*")*)(\/?)>/g,
    (_, closes, name, _attributes, isEmpty) => {
      if (closes === "/") expect(open.pop()).toBe(name);
      else if (isEmpty === "") open.push(name);
      return "";
    },
  );
  expect(open).toEqual([]);
  expect(rest).not.toMatch(/[<>&]/);
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
}

describe.each<ChartTheme>(["light", "dark"])("the chart for %s screens", (theme) => {
  it.each([
    ["an empty week", week()],
    ["a small week", small],
    ["a heavy week, its spend far above the ceiling", heavy],
    ["a week without a ceiling", week({ dayCeilingMicroUsd: 0, spent: { "2026-01-26": 1 } })],
  ])("is well-formed, and every label of %s is inside", (_name, drawn) => {
    const svg = weekChart(drawn, theme);

    assertWellFormed(svg);
    const outside = labelsOf(svg).filter(
      ({ left, right, top, bottom }) =>
        !(left >= 0 && right <= chartSize.width && top >= 0 && bottom <= chartSize.height),
    );
    expect(outside).toEqual([]);
    for (const name of ["Mon", "Sun", "verified", "claimed", "failed", "escalated", "spend"])
      expect(labelsOf(svg).map(({ words }) => words)).toContain(name);
  });

  it.each([
    ["an empty week", week()],
    ["a small week", small],
    ["a heavy week", heavy],
  ])("narrow, as a phone shows it, has every label of %s inside and as large as words of a page", (_name, drawn) => {
    const svg = weekChart(drawn, theme, "narrow");
    const [, width = "", height = ""] = /^<svg[^>]* width="(\d+)" height="(\d+)"/.exec(svg) ?? [];

    assertWellFormed(svg);
    expect(width).toBe("400");
    const outside = labelsOf(svg).filter(
      ({ left, right, top, bottom }) => !(left >= 0 && right <= 400 && top >= 0 && bottom <= Number(height)),
    );
    expect(outside).toEqual([]);
    const sizes = [...svg.matchAll(/font-size="(\d+)"/g)].map(([, size]) => Number(size));
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(12);
    for (const name of ["Mon", "Sun", "verified", "claimed", "failed", "escalated", "spend", "ceiling of a day"])
      expect(labelsOf(svg).map(({ words }) => words)).toContain(name);
  });

  it("has a legend whose entries stand side by side", () => {
    const labels = labelsOf(weekChart(heavy, theme));
    const legendTop = Math.max(...labels.map(({ top }) => top));
    const legend = labels.filter(({ top }) => top === legendTop);

    expect(legend.map(({ words }) => words)).toEqual([
      "verified",
      "claimed",
      "failed",
      "escalated",
      "spend",
      "ceiling of a day",
    ]);
    for (const [index, entry] of legend.entries()) {
      // 24 for the next entry's mark.
      const next = legend[index + 1];
      if (next !== undefined) expect(entry.right + 24).toBeLessThanOrEqual(next.left);
    }
  });

  it("marks a day above its ceiling and a spend that is estimated", () => {
    const drawn = weekChart(heavy, theme);
    const failedColour = /<rect[^>]* height="14"[^>]*fill="([^"]+)"\/>\n<text[^>]*>failed</.exec(drawn)?.[1] ?? "none";

    expect(drawn).toContain("(estimated)");
    expect(drawn).toMatch(new RegExp(`<text[^>]*fill="${failedColour}"[^>]*>\\$1.2M<`));
    expect(weekChart(small, theme)).not.toMatch(new RegExp(`<text[^>]*fill="${failedColour}"`));
  });

  it("is drawn as a PNG of twice its size", async () => {
    const png = await drawPng(weekChart(heavy, theme), chartSize.width);

    expect(png.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1800, 1120]);
  });
});
