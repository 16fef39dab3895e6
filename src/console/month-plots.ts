import { html } from "hono/html";
import type { MonthDay } from "../core/reports/month.ts";
import { barsPlot } from "../core/reports/plots.ts";
import { count, formatDuration } from "../core/text.ts";
import type { Html } from "./layout.ts";
import { drawPlot } from "./plot.ts";

const hour = 3_600_000;

/** Draws the last weeks: how long questions waited for people, and which failures were repaired without them. */
export function drawMonth(days: readonly MonthDay[]): Html {
  return html`<section><h2>The last ${days.length} days</h2>
${drawResponses(days)}
${drawHealed(days)}</section>`;
}

function drawResponses(days: readonly MonthDay[]): Html {
  const answers = days.reduce((sum, day) => sum + day.answers, 0);
  if (answers === 0) return html`<p class="note">No question was answered in these days.</p>`;
  const longest = Math.max(...days.map((day) => day.medianResponseMs ?? 0));
  const unit = longest > 48 * hour ? 24 * hour : longest > hour ? hour : 60_000;
  const name = unit === hour ? "h" : unit === 60_000 ? "min" : "d";
  const words = `${count(answers, "answer")}; the slowest day's median was ${formatDuration(longest)}`;
  const drawn = barsPlot({
    bars: days.map(({ date, answers: number, medianResponseMs }) => ({
      name: date,
      parts: [{ kind: "spend", value: medianResponseMs ?? 0 }],
      words:
        medianResponseMs === null
          ? `${date}: no answer`
          : `${date}: ${count(number, "answer")}, the median after ${formatDuration(medianResponseMs)}`,
    })),
    ceiling: null,
    format: (value) => `${Math.round(value / unit)} ${name}`,
    unit,
    legend: [{ kind: "spend", words: "from a question to its answer, the median of a day" }],
  });
  return drawPlot(`Response times: ${words}`, drawn, words);
}

function drawHealed(days: readonly MonthDay[]): Html {
  const [mended, helped] = [
    days.reduce((sum, day) => sum + day.mended, 0),
    days.reduce((sum, day) => sum + day.helped, 0),
  ];
  if (mended + helped === 0) return html`<p class="note">No attempt failed in these days.</p>`;
  const words = `${mended} of ${count(mended + helped, "goal")} that failed at first`;
  const drawn = barsPlot({
    bars: days.map((day) => ({
      name: day.date,
      parts: [
        { kind: "good", value: day.mended },
        { kind: "helped", value: day.helped },
      ],
      words: `${day.date}: ${day.mended} without a person, ${day.helped} with one or not at all`,
    })),
    ceiling: null,
    format: String,
    unit: 1,
    legend: [
      { kind: "good", words: "without a person" },
      { kind: "helped", words: "with one, or not at all" },
    ],
  });
  return drawPlot(`Healed without a human: ${words}`, drawn, words);
}
