import { html } from "hono/html";
import { campaignCard, milestoneWords } from "../core/cards/campaign-card.ts";
import { nextDayWords } from "../core/cards/campaign-step-words.ts";
import type { Card } from "../core/cards/card.ts";
import { firstLine } from "../core/text.ts";
import { type CampaignRow, getCampaign, type MilestoneRow } from "../db/campaigns.ts";
import { listPending } from "../db/checkpoints.ts";
import { type Db, readTogether } from "../db/connection/client.ts";
import { messagesUnder } from "../db/messages.ts";
import { campaignTimelinePart, type TimelineRow } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { nextOf } from "../commands/campaign-status.ts";
import { type CampaignView, shownDays, viewCampaign } from "../facts/campaign.ts";
import { costsOfDays } from "../facts/campaign-costs.ts";
import { gatherCampaignCard } from "../projection/campaign.ts";
import { gatherCheckpointCard } from "../projection/question.ts";
import { drawDays } from "./campaign-days.ts";
import { drawBurnUp } from "./campaign-plot.ts";
import { drawnOf } from "./channel-page.ts";
import { drawCard, type DrawContext, drawText, drawTime } from "./draw.ts";
import { type Flash, placeFlash } from "./flash.ts";
import { drawHappened } from "./goal-page.ts";
import { type Html, page } from "./layout.ts";
import { drawReadings, openReadings } from "./readings.ts";

/** Maximum number of events on one page. */
const mostEvents = 200;
/** Maximum number of questions on one page; the channel shows all of them. */
const mostQuestions = 20;

/** The part of a long campaign that a page shows: events before a number, and days from a day on. */
interface CampaignShown {
  readonly flash: Flash | null;
  readonly before: number | null;
  /** Null for the days around the current one. */
  readonly days: number | null;
}

/** Draws one campaign: its card, its open questions, milestones, days and events. Null when there is no such campaign. */
export async function campaignPage(
  deps: Deps,
  context: DrawContext,
  campaignId: string,
  { flash, before, days: daysFrom }: CampaignShown,
): Promise<Html | null> {
  const { db } = deps.database;
  const campaign = await getCampaign(db, campaignId);
  if (campaign === null) return null;
  const view = await viewCampaign(db, campaign);
  const [{ step, nextDayAt }, costs, under, happened, facts, questions] = await readTogether(db, (reads) =>
    Promise.all([
      nextOf(deps, view, reads),
      costsOfDays(reads, view),
      messagesUnder(reads, { platform: "console", channel: "main" }, [campaignId]),
      campaignTimelinePart(reads, campaignId, { before, most: mostEvents }),
      gatherCampaignCard(reads, deps, view),
      openQuestions(reads, deps, view),
    ]),
  );
  const replans = under.filter((message) => message.subject.startsWith(`${campaignId}.replan.`)).reverse();
  const subjects = [campaignId, ...questions.map(({ id }) => id)];
  const readings = await openReadings(db, subjects);
  const said = placeFlash(flash, [...subjects, ...readings.map(({ subject }) => subject)], context);
  const drawn = (id: string, card: Card, at: Date) =>
    html`${drawOne(id, card, at, context)}${said.below(id)}${drawReadings(readings, id, said, context)}`;
  const { milestones } = view;
  const path = `/campaigns/${campaignId}`;
  return page(
    firstLine(campaign.name, 60),
    "campaigns",
    html`<h1 class="visually-hidden">Campaign ${campaignId}</h1>
${said.apart}
<div class="campaign-page" data-watches>
${drawn(campaignId, campaignCard(facts), campaign.createdAt)}
${questions.map(({ id, card, at }) => drawn(id, card, at))}
${nextDayAt === null ? "" : html`<p>${drawText(nextDayWords(step, { campaignId: campaign.campaignId, nextDayAt }), context.zone)}</p>`}
${drawAim(campaign)}
${drawBurnUp(view)}
${milestones.length === 0 ? "" : html`<section><h2>Milestones</h2><ul class="goals">${milestones.map((each) => drawMilestone(each, campaign, context))}</ul></section>`}
${drawDays({ ...view, days: shownDays(deps, view) }, costs, { path, from: daysFrom, awaiting: facts.awaiting, zone: context.zone })}
${drawNotes(campaign)}
${replans.length === 0 ? "" : html`<section><h2>Replanned</h2>${replans.map((message) => drawCard({ ...drawnOf(message), isReply: false, isBrief: false }, context))}</section>`}
${drawHappened(path, { ...happened, rows: namingMilestones(happened.rows, view) }, context)}
</div>`,
  );
}

/** Draws the campaign's goal, unless its name already says everything. */
function drawAim({ name, goal }: CampaignRow): Html | "" {
  const aim = goal.startsWith(`${name}\n`) ? goal.slice(name.length) : goal;
  return aim.trim() === name.trim() ? "" : html`<p class="words"><bdi>${aim.trim()}</bdi></p>`;
}

function drawOne(elementId: string, card: Card, at: Date, context: DrawContext): Html {
  return drawCard({ elementId, card, changed: 0, at, isReply: false, isBrief: false }, context);
}

/** Returns the questions that can be answered now: those of the campaign, then those of its goals. */
async function openQuestions(
  db: Db,
  deps: Deps,
  { campaign, goals }: CampaignView,
): Promise<{ readonly id: string; readonly card: Card; readonly at: Date }[]> {
  const pending = await listPending(db);
  const ofCampaign = pending.filter((each) => each.campaignId === campaign.campaignId);
  const ofGoals = pending.filter((each) => goals.some((goal) => goal.goalId === each.goalId));
  const drawn = [];
  for (const checkpoint of [...ofCampaign, ...ofGoals].slice(0, mostQuestions)) {
    const card = await gatherCheckpointCard(db, deps, checkpoint);
    if (card !== null) drawn.push({ id: checkpoint.checkpointId, card, at: checkpoint.askedAt });
  }
  return drawn;
}

/** Replaces the ids of milestones by their names: rows store ids, people know the names. */
function namingMilestones(rows: readonly TimelineRow[], { milestones }: CampaignView): TimelineRow[] {
  return rows.map((row) => {
    if (row.event !== "campaign.milestone-done") return row;
    const { milestoneId } = row.detail;
    const name = milestones.find((each) => each.milestoneId === milestoneId)?.name;
    return { ...row, detail: { milestoneId: name ?? milestoneId } };
  });
}

function drawMilestone(milestone: MilestoneRow, { state }: Pick<CampaignRow, "state">, context: DrawContext): Html {
  const { milestoneId, name, description, status, targetDay, successCriteria, completedAt, completedBy } = milestone;
  const by = completedBy === null ? "its goals are verified" : html`on <bdi>${completedBy}</bdi>'s word`;
  const done = completedAt === null ? "" : html` · done ${drawTime(completedAt, context.zone)}, ${by}`;
  return html`<li class="${status}"><strong><bdi>${name}</bdi></strong>
  <span class="state">${milestoneWords(status, state)}</span><span class="note">${milestoneId} · by day ${targetDay}${done}</span>
  ${description === "" ? "" : html`<p><bdi>${description}</bdi></p>`}
  ${successCriteria.length === 0 ? "" : html`<div class="criteria"><span class="note">Done when</span><ul>${successCriteria.map((each) => html`<li><bdi>${each}</bdi></li>`)}</ul></div>`}</li>`;
}

function drawNotes({ planNotes, plannedBy }: CampaignRow): Html {
  return html`<section><h2>The plan</h2><p>Planned by <bdi>${plannedBy}</bdi>.</p>${planNotes.length === 0 ? "" : html`<ul>${planNotes.map((each) => html`<li><bdi>${each}</bdi></li>`)}</ul>`}</section>`;
}
