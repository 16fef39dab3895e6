import { describe, expect, it } from "vitest";
import { burnUpOf } from "../../src/core/campaigns/burn-up.ts";
import { monthOf } from "../../src/core/reports/month.ts";
import { barsPlot, type BarsPlot, linesPlot, plotSize } from "../../src/core/reports/plots.ts";

const legend: BarsPlot["legend"] = [
  { kind: "good", words: "without a person" },
  { kind: "helped", words: "with one, or not at all" },
];

function bars(...values: readonly number[]): BarsPlot {
  const of = (value: number, index: number): BarsPlot["bars"][number] => ({
    name: `2026-01-${String(index + 1).padStart(2, "0")}`,
    parts: [
      { kind: "good", value },
      { kind: "helped", value: 1 },
    ],
    words: `${value} and 1`,
  });
  return { bars: values.map(of), ceiling: null, format: String, unit: 1, legend };
}

/** Every number of an attribute, by its name. */
function numbers(svg: string, name: string): number[] {
  return [...svg.matchAll(new RegExp(` ${name}="([^"]*)"`, "g"))].map(([, value]) => Number(value));
}

describe("a plot", () => {
  it.each<[string, string]>([
    ["of nothing", barsPlot({ ...bars(), ceiling: 0 })],
    ["of one day", barsPlot(bars(3))],
    ["of thirty days", barsPlot(bars(...Array.from({ length: 30 }, (_, day) => day * 7)))],
    ["of days far above their ceiling", barsPlot({ ...bars(2, 900_000), ceiling: 1 })],
    ["of a line of nothing", linesPlot([], [{ kind: "plan", words: "planned", isDashed: true, values: [] }])],
    ["of lines", linesPlot(["day 1", "day 2"], [{ kind: "good", words: "verified", isDashed: false, values: [1, 4] }])],
  ])("%s lies within its frame, and holds a number wherever one belongs", (_name, svg) => {
    expect(svg).not.toMatch(/NaN|Infinity|undefined|="-/);
    for (const name of ["x", "x1", "x2", "cx"])
      for (const value of numbers(svg, name)) expect(value).toBeLessThanOrEqual(plotSize.width);
    for (const name of ["y", "y1", "y2", "cy"])
      for (const value of numbers(svg, name)) expect(value).toBeLessThanOrEqual(plotSize.height);
    expect(svg.split("<text").length).toBe(svg.split("</text>").length);
  });

  it("draws what is above the ceiling on what is below it, and the line of the ceiling", () => {
    const parts = [
      { kind: "spend", value: 10 },
      { kind: "over", value: 5 },
    ] as const;
    const svg = barsPlot({ ...bars(), bars: [{ name: "a", parts, words: "15" }], ceiling: 10 });
    const [spend, over] = [
      ...svg.matchAll(/<rect class="(?:spend|over)" x="[^"]+" y="([^"]+)"[^>]* height="([^"]+)"/g),
    ].map(([, y, height]) => ({ y: Number(y), height: Number(height) }));

    expect((over?.y ?? 0) + (over?.height ?? 0)).toBeCloseTo(spend?.y ?? 0, 0);
    expect(svg).toContain(`class="ceiling" x1="46" x2="472" y1="${spend?.y}"`);
  });
});

describe("a campaign's burn-up", () => {
  const day = (dayNumber: number, status: "done" | "in_progress" | "pending", ...ids: string[]) => ({
    dayNumber,
    status,
    goals: ids.map((goalId) => ({ goalId, milestoneId: null, request: { content: goalId } as never })),
  });
  const goal = (goalId: string, campaignDay: number, tag: "claimed" | "verified", status: "complete" | "failed") => ({
    goalId,
    campaignDay,
    tag,
    status,
  });

  it("counts each goal once, when it was planned first and when it was complete, and knows nothing of days to come", () => {
    const days = [day(1, "done", "a", "b"), day(2, "in_progress", "b", "c"), day(3, "pending", "d")];
    const goals = [
      goal("a", 1, "verified", "complete"),
      goal("b", 2, "claimed", "complete"),
      goal("c", 2, "verified", "failed"),
    ];

    expect(burnUpOf(days, goals)).toEqual([
      { dayNumber: 1, planned: 2, done: { complete: 1, verified: 1 } },
      { dayNumber: 2, planned: 3, done: { complete: 2, verified: 1 } },
      { dayNumber: 3, planned: 4, done: null },
    ]);
  });
});

describe("the days of a month", () => {
  it("are local, each with what healed and the answer in the middle [F-412]", () => {
    const happened = (type: "failure" | "complete" | "helped", at: string) => ({
      type,
      at: new Date(at),
      runId: null,
      words: null,
    });
    const histories = [
      {
        goalId: "a",
        happened: [happened("failure", "2026-01-26T10:00:00Z"), happened("complete", "2026-01-26T23:30:00Z")],
      },
      {
        goalId: "b",
        happened: [
          happened("failure", "2026-01-27T08:00:00Z"),
          happened("helped", "2026-01-27T09:00:00Z"),
          happened("complete", "2026-01-27T10:00:00Z"),
        ],
      },
    ];
    const decisions = [9, 1, 5, 3].map((waitedMs) => ({ at: new Date("2026-01-27T10:00:00Z"), waitedMs }));

    // Half past eleven in the evening of the 26th is the 27th in Berlin.
    expect(monthOf(histories, decisions, { from: "2026-01-26", to: "2026-01-27", zone: "Europe/Berlin" })).toEqual([
      { date: "2026-01-26", mended: 0, helped: 0, answers: 0, medianResponseMs: null },
      { date: "2026-01-27", mended: 1, helped: 1, answers: 4, medianResponseMs: 3 },
    ]);
  });
});
