import { html } from "hono/html";
import { weekBlocks } from "../core/cards/week-blocks.ts";
import { plainCard } from "../core/cards/card.ts";
import { pictureIn } from "../core/cards/picture.ts";
import { chartWords } from "../core/reports/chart.ts";
import type { Week } from "../core/reports/week.ts";
import { localDate } from "../core/time.ts";
import { findMessage } from "../db/messages.ts";
import type { Deps } from "../deps.ts";
import { gatherWeekNumbers, type WeekNumbers } from "../turns/reports/week.ts";
import { drawCard, drawPicture, type DrawContext } from "./draw.ts";
import { type Html, page } from "./layout.ts";
import { drawMonth } from "./month-plots.ts";

/** Draws this week's numbers and its chart, in the colours of the reader's screen and in words. */
export async function weekPage(deps: Deps, context: DrawContext): Promise<Html> {
  const { week, summary, month } = await thisWeek(deps);
  const title = `Week of ${week.from} to ${week.to}`;
  const card = plainCard({ kind: "report", tone: "neutral", title, summary: title, blocks: weekBlocks(week, summary) });
  return page(
    "Week",
    "week",
    html`<h1 class="visually-hidden">${title}</h1>
${drawPicture(null, chartWords(week))}
${drawCard({ elementId: "week", card, changed: 0, at: deps.now(), isReply: false, isBrief: false }, context)}
${drawMonth(month)}`,
  );
}

/** Returns the current numbers of the current week. */
export async function thisWeek(deps: Deps): Promise<WeekNumbers> {
  return await gatherWeekNumbers(deps.database.db, deps, localDate(deps.now(), deps.config.timezone));
}

/** Returns the week of a posted card as it was posted; null when the channel shows no such picture. */
export async function postedWeek(deps: Deps, subject: string): Promise<Week | null> {
  const message = await findMessage(deps.database.db, "console", "main", subject);
  const shown = message === null ? null : pictureIn(message.postedCard ?? message.card);
  return shown?.picture.week ?? null;
}
