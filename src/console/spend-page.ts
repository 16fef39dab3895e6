import { html } from "hono/html";
import { formatUsd } from "../core/money.ts";
import { shortUsd } from "../core/reports/drawing.ts";
import { barsPlot } from "../core/reports/plots.ts";
import { count, firstLine } from "../core/text.ts";
import { addDays, localDate } from "../core/time.ts";
import { goalsById } from "../db/goals.ts";
import { dearestGoals } from "../db/spend.ts";
import { spentByDay } from "../db/week.ts";
import type { Deps } from "../deps.ts";
import { type Html, page } from "./layout.ts";
import { drawPlot } from "./plot.ts";

const daysShown = 30;
const goalsShown = 10;

/** Draws the cost of each of the last thirty days against its ceiling, and the most expensive goals of these days. */
export async function spendPage(deps: Pick<Deps, "database" | "config" | "policy" | "now">): Promise<Html> {
  const { db } = deps.database;
  const today = localDate(deps.now(), deps.config.timezone);
  const from = addDays(today, 1 - daysShown);
  const spent = await spentByDay(db, from, today);
  const days = Array.from({ length: daysShown }, (_, index): DaySpend => {
    const date = addDays(from, index);
    return { date, value: spent[date] ?? 0 };
  });
  const ceiling = deps.policy.ceilings.dayMicroUsd;
  const total = days.reduce((sum, day) => sum + day.value, 0);
  const dearest = await dearestGoals(db, { from, to: today }, goalsShown);
  const goals = new Map(
    (
      await goalsById(
        db,
        dearest.map(({ goalId }) => goalId),
      )
    ).map((goal) => [goal.goalId, goal]),
  );
  const over = days.filter(({ value }) => value > ceiling).length;
  const words = `${formatUsd(total)} in ${daysShown} days, ${formatUsd(spent[today] ?? 0)} of ${formatUsd(ceiling)} today${over === 0 ? "" : `; ${count(over, "day")} above the ceiling`}`;
  return page(
    "Spend",
    "spend",
    html`<h1>Spend</h1>
<p>${words}</p>
${drawPlot("What each day cost", barsOf(days, ceiling), words)}
<details><summary>As a table</summary>
<table><thead><tr><th>Day</th><th>Spent</th></tr></thead><tbody>${[...days]
      .reverse()
      .map(({ date, value }) => html`<tr><td>${date}</td><td>${formatUsd(value)}</td></tr>`)}</tbody></table></details>
<section><h2>What cost most</h2>
${dearest.length === 0 ? html`<p class="note">Nothing was spent in these days.</p>` : ""}
<ul class="goals">${dearest.map(
      ({ goalId, spentMicroUsd, isEstimated }) =>
        html`<li><a href="/goals/${goalId}"><bdi>${firstLine(goals.get(goalId)?.content ?? goalId, 140)}</bdi></a><span>${formatUsd(spentMicroUsd)}${isEstimated ? " (estimated)" : ""}</span><span class="note">${goalId}</span></li>`,
    )}</ul></section>`,
  );
}

interface DaySpend {
  /** A date: "2026-01-27". */
  readonly date: string;
  readonly value: number;
}

function barsOf(days: readonly DaySpend[], ceiling: number): string {
  return barsPlot({
    bars: days.map(({ date, value }) => ({
      name: date,
      parts: [
        { kind: "spend", value: Math.min(value, ceiling) },
        { kind: "over", value: value - ceiling },
      ],
      words: `${date}: ${formatUsd(value)}`,
    })),
    ceiling,
    format: shortUsd,
    unit: 1_000_000,
    legend: [
      { kind: "spend", words: `up to the ceiling of ${shortUsd(ceiling)} a day` },
      { kind: "over", words: "above it" },
    ],
  });
}
