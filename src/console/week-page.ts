import { html } from "hono/html";
import { weekBlocks } from "../core/cards/weekly-card.ts";
import { plainCard } from "../core/cards/card.ts";
import { chartWords } from "../core/reports/chart.ts";
import { addDays, localDate, mondayOf } from "../core/time.ts";
import type { Deps } from "../deps.ts";
import { gatherWeek } from "../turns/week.ts";
import { drawCard, type Drawing } from "./draw.ts";
import { type Html, page } from "./layout.ts";

/** This week's numbers and its chart, in the colours of the reader's screen, with the same in words. */
export async function weekPage(deps: Deps, drawing: Drawing): Promise<Html> {
  const week = await thisWeek(deps);
  const title = `Week of ${week.from} to ${week.to}`;
  const card = plainCard({ kind: "report", tone: "neutral", title, summary: title, blocks: weekBlocks(week) });
  return page(
    "Week",
    "week",
    html`<h1 class="visually-hidden">${title}</h1>
<picture><source srcset="/weekly.png?theme=dark" media="(prefers-color-scheme: dark)"><img class="chart" src="/weekly.png" alt="${chartWords(week)}" width="900" height="480"></picture>
${drawCard({ elementId: "week", card, changed: 0, at: deps.now(), isReply: false }, drawing)}`,
  );
}

export async function thisWeek(deps: Deps) {
  const monday = mondayOf(localDate(deps.now(), deps.config.timezone));
  return await gatherWeek(deps.database.db, deps, monday, addDays(monday, 6));
}
