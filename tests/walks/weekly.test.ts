import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { measured, metricWords } from "../../src/core/cards/metric-words.ts";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { toUsd } from "../../src/core/money.ts";
import type { Week } from "../../src/core/reports/week.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { insertMonth } from "../fakes/month.ts";
import { month, weeklies } from "../fixtures/weekly-month.ts";

interface Line {
  readonly goalId: string;
  readonly tag: string;
  readonly outcome: string;
}

interface WeeklyValue {
  readonly week: Week;
  readonly totalCostUsd: number;
  readonly spentUsd: number;
  readonly done: readonly Line[];
  readonly failed: readonly Line[];
  readonly deferred: readonly Line[];
  readonly manual: readonly Line[];
  readonly parked: readonly Line[];
  readonly report: string;
}

let world: TestWorld;
beforeAll(async () => {
  world = await testWorld({
    environment: { COS_TIMEZONE: month.zone, COS_BUDGET_DAY_USD: String(month.dayCeilingUsd) },
  });
  await insertMonth(world.deps.database.db);
});
afterAll(() => world.close());

/** The weekly as it is asked for at a moment, with other words behind the command. */
async function weeklyOn(at: string, ...words: string[]): Promise<WeeklyValue> {
  world.advance(Date.parse(at) - world.deps.now().getTime());
  return valueOf<WeeklyValue>(await world.command("weekly", ...words));
}

describe("a month of rows", () => {
  it.each(weeklies)(
    "says on $on what was reasoned for $summary.weekStart [S4-WK-06, S4-WK-07, F-120]",
    async (expected) => {
      const value = await weeklyOn(expected.on);
      const { week } = value;

      expect(value).toMatchObject(expected.summary);
      expect(value.spentUsd).toBe(value.totalCostUsd);
      expect(week).toMatchObject({ ...expected.counts, branches: expected.branches });
      expect([week.spentIsEstimated, toUsd(week.dayCeilingMicroUsd)]).toEqual([
        expected.isEstimated,
        month.dayCeilingUsd,
      ]);
      expect(
        week.days.map(({ verified, claimed, notChecked, failed, escalated, spentMicroUsd }) => [
          verified,
          claimed,
          notChecked,
          failed,
          escalated,
          toUsd(spentMicroUsd),
        ]),
      ).toEqual(expected.days);
      for (const [name, share] of Object.entries(expected.metrics)) {
        const measured = Object.entries(week.metrics).find(([metric]) => metric === name)?.[1];
        if (share === null) expect([name, measured]).toEqual([name, null]);
        else expect(measured, name).toBeCloseTo(share, 9);
      }
      expect(Object.keys(week.metrics).sort()).toEqual(Object.keys(expected.metrics).sort());
      const { trend: _trend, ...shares } = week.metrics;
      expect(Object.keys(week.fractions).sort()).toEqual([...Object.keys(shares), "completionRateBefore"].sort());
      for (const [name, [numerator, denominator]] of Object.entries(expected.fractions)) {
        const found = Object.entries(week.fractions).find(([metric]) => metric === name)?.[1];
        expect([name, found]).toEqual([name, { numerator, denominator }]);
      }
    },
  );

  it("lists what ended in the week, by its evidence, and not what was only touched in it", async () => {
    const { done } = await weeklyOn("2026-03-15T12:00:00+01:00");

    expect(done.map(({ goalId, tag }) => [goalId, tag])).toEqual([
      ["goal-05", "claimed"],
      ["goal-06", "verified"],
      ["goal-07", "verified"],
      ["goal-09", "verified"],
    ]);
  });

  it("lists what failed with what went wrong and what was decided then, and each goal once [F-120]", async () => {
    const { failed, deferred, manual, parked, done } = await weeklyOn("2026-03-29T12:00:00+02:00");

    expect(failed.map(({ goalId, outcome }) => [goalId, outcome])).toEqual([
      ["goal-21", "it failed (Skipped by @ana.)"],
      ["goal-22", "it failed (Left to a person by @ana.)"],
      ["goal-23", "it failed"],
      ["goal-24", "it failed (Skipped by @ana.)"],
      ["goal-45", "It was failed."],
    ]);
    expect([deferred, manual].map((lines) => lines.map(({ goalId }) => goalId))).toEqual([["goal-25"], ["goal-26"]]);
    expect(parked.map(({ goalId }) => goalId)).toEqual(["goal-27", "goal-28"]);
    const listed = [done, failed, deferred, manual, parked].flat().map(({ goalId }) => goalId);
    expect(listed.length).toBe(new Set(listed).size);
  });

  it("has each metric's definition and what it is made of beside it, in its card and its report [F-120]", async () => {
    world.advance(Date.parse("2026-04-05T12:00:00+02:00") - world.deps.now().getTime());
    const card = await world.command("weekly");
    if (card.type === "refused") throw new Error(card.reason);
    const { report, week } = await weeklyOn("2026-04-05T12:00:00+02:00", "--report");
    const lines = terminalLines(card.card, "UTC");

    const { known, unknown } = measured(metricWords(week));
    // No goal was added that week: that is said in one line, and the report has its definition.
    expect(unknown).toEqual(["Worklogs left out (no goal was added)"]);
    expect(lines).toContain("  Nothing to measure yet: Worklogs left out (no goal was added).");
    for (const { name, measuredFrom } of metricWords(week)) {
      expect(report).toMatch(new RegExp(`^- ${name}: `, "m"));
      expect(report).toContain(measuredFrom);
    }
    for (const { name, value, measuredFrom } of known) {
      expect(lines.filter((line) => line.includes(`${name}: ${value}`) && line.includes(measuredFrom))).toHaveLength(1);
    }
    expect(report).toContain(
      "- Automatic recovery: 25 % (target 70 % or more; 2 of 8 goals completed without a person's help after a failed attempt",
    );
    expect(report).toContain("- Goals failed after every attempt was used up: 1; otherwise: 3");
    expect(report).toContain("- Branches: 2 merged, 1 discarded, 1 reverted; 7 of this week's not decided");
    expect(report).toContain("over all weeks: 50 %");
  });

  it("is written as the seed writes it [S4-WK-10, S4-CL-07]", async () => {
    const { report } = await weeklyOn("2026-03-22T12:00:00+01:00", "--report");

    expect(report.split("\n").slice(0, 19)).toEqual([
      "# Weekly Summary: 2026-03-16 to 2026-03-22",
      "",
      "## Campaigns",
      "- Active: Docs",
      "- Paused: Tests",
      "- Completed this week: Site",
      "",
      "## Progress",
      "- Milestones completed: 1",
      "- Milestones remaining: 3",
      "- Goals completed: 4",
      "- Goals failed: 1",
      "- Total cost: $36.00",
      "",
      "## Next Week Projection",
      "- [Docs] Describe the weekly",
      "- [Docs] Describe the night",
      "- [Docs] Link every page",
      "",
    ]);
    expect(report).toContain("- Goals completed and verified: 4\n- Goals completed and only claimed: 0\n");
    expect(report).toContain("- Multi-day completion: 100 % (target more than 75 %; ");
  });

  it("is drawn into a file, for light and dark screens", async () => {
    const [light, dark] = [join(world.dataDir, "light.png"), join(world.dataDir, "dark.png")];
    await weeklyOn("2026-03-22T12:00:00+01:00", "--png", light);
    await weeklyOn("2026-03-22T12:00:00+01:00", "--png", dark, "--dark");
    const [one, other] = [await readFile(light), await readFile(dark)];

    expect([one.subarray(1, 4).toString(), one.readUInt32BE(16)]).toEqual(["PNG", 1800]);
    expect(other.subarray(1, 4).toString()).toBe("PNG");
    expect(one.equals(other)).toBe(false);
  });

  it("names a file that cannot be written", async () => {
    const folder = join(world.dataDir, "folder.png");
    await mkdir(folder);

    for (const file of [folder, join(world.dataDir, "nowhere", "week.png")]) {
      expect(await world.command("weekly", "--png", file)).toMatchObject({
        type: "refused",
        reason: expect.stringContaining(`--png ${file} cannot be written: `) as string,
        next: "cos weekly --png week.png",
      });
    }
  });
});
