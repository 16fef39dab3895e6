import { html } from "hono/html";
import { campaignCard, milestoneWords } from "../core/cards/campaign-card.ts";
import { dayWords, standingWords } from "../core/cards/campaign-list-card.ts";
import type { Card } from "../core/cards/card.ts";
import { statusWords } from "../core/cards/session-card.ts";
import type { CampaignState, PlannedGoal } from "../core/campaigns/campaign.ts";
import { formatUsd } from "../core/money.ts";
import { firstLine } from "../core/text.ts";
import { type CampaignRow, type DayRow, getCampaign, listCampaigns, type MilestoneRow } from "../db/campaigns.ts";
import { listPending } from "../db/checkpoints.ts";
import { messagesUnder } from "../db/messages.ts";
import { campaignDayTotal } from "../db/spend.ts";
import { campaignTimeline, type TimelineRow } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { nextDayOf } from "../commands/campaign-status.ts";
import { type CampaignView, viewCampaign } from "../facts/campaign.ts";
import { campaignLineOf } from "../facts/campaign-line.ts";
import { gatherCampaignCard } from "../projection/campaign.ts";
import { gatherCheckpointCard } from "../projection/question.ts";
import { drawFlash, drawnOf, type Flash } from "./channel-page.ts";
import { drawCard, type Drawing, drawTime } from "./draw.ts";
import { drawRow } from "./goal-page.ts";
import { type Html, page } from "./layout.ts";

/** Every campaign in a line: those that are not over first, the newest first. */
export async function campaignsPage(deps: Deps, drawing: Drawing): Promise<Html> {
  const { db } = deps.database;
  const rows = (await listCampaigns(db)).reverse();
  const inOrder = [...rows.filter((each) => !isOver(each.state)), ...rows.filter((each) => isOver(each.state))];
  const views: CampaignView[] = [];
  for (const campaign of inOrder) views.push(await viewCampaign(db, campaign));
  return page(
    "Campaigns",
    "campaigns",
    html`<h1>Campaigns</h1>
${views.length === 0 ? invitation() : ""}
<ul class="goals" data-watches>${views.map((view) => {
      const line = campaignLineOf(view);
      const { campaignId, name, state } = line;
      const at = view.campaign.endedAt ?? view.campaign.updatedAt;
      return html`<li class="${state}" data-subject="${campaignId}"><a href="/campaigns/${campaignId}"><bdi>${firstLine(name, 140)}</bdi></a>
  <span class="state">${state}</span><span>${standingWords(line).join(" · ")}</span>${view.campaign.endReason === null ? "" : html`<span><bdi>${firstLine(view.campaign.endReason, 200)}</bdi></span>`}<span class="note">${campaignId} · ${drawTime(at, drawing.zone)}</span></li>`;
    })}</ul>`,
  );
}

function isOver(state: CampaignState): boolean {
  return state === "completed" || state === "failed";
}

function invitation(): Html {
  return html`<section class="empty">
  <p>A campaign is days of work towards one goal, with milestones and a budget. Write the plan as an outline, or let a model plan it (COS_MODEL); nothing runs before you start it.</p>
  <pre>npx cos campaign create --from plan.md --budget 20
npx cos campaign create "Take card payments" --days 5 --budget 50</pre>
  <p>docs/campaigns.md shows what an outline looks like.</p>
</section>`;
}

/** One campaign: its card, what it waits for, milestones, every day, what happened. Null when there is no such campaign. */
export async function campaignPage(
  deps: Deps,
  drawing: Drawing,
  campaignId: string,
  flash: Flash | null,
): Promise<Html | null> {
  const { db } = deps.database;
  const campaign = await getCampaign(db, campaignId);
  if (campaign === null) return null;
  const view = await viewCampaign(db, campaign);
  const next = await nextDayOf(deps, view);
  const costs = await costsOf(deps, view);
  const under = await messagesUnder(db, { platform: "console", channel: "main" }, campaignId);
  const replans = under.filter((message) => message.subject.startsWith(`${campaignId}.replan.`)).reverse();
  const rows = namingMilestones(await campaignTimeline(db, campaignId), view);
  const { milestones, days } = view;
  return page(
    firstLine(campaign.name, 60),
    "campaigns",
    html`<h1 class="visually-hidden">Campaign ${campaignId}</h1>
${flash === null ? "" : drawFlash(flash, drawing)}
<div class="campaign-page" data-watches>
${drawOne(campaignId, campaignCard(await gatherCampaignCard(db, deps, view)), campaign.createdAt, drawing)}
${(await openQuestions(deps, view)).map(({ id, card, at }) => drawOne(id, card, at, drawing))}
${next === null ? "" : html`<p>Its next day begins ${drawTime(next, drawing.zone)}.</p>`}
${drawAim(campaign)}
${milestones.length === 0 ? "" : html`<section><h2>Milestones</h2><ul class="goals">${milestones.map((each) => drawMilestone(each, drawing))}</ul></section>`}
${days.length === 0 ? "" : html`<section><h2>Days</h2><ol class="days">${days.map((day) => drawDay(day, view, costs.get(day.dayNumber) ?? day.actualCostMicroUsd))}</ol></section>`}
${drawNotes(campaign)}
${replans.length === 0 ? "" : html`<section><h2>Planned anew</h2>${replans.map((message) => drawCard({ ...drawnOf(message), isReply: false, isBrief: false }, drawing))}</section>`}
<section><h2>What happened</h2><ol class="timeline">${rows.map((row, index) => drawRow(row, rows[index - 1], drawing))}</ol></section>
</div>`,
  );
}

/** What it is for, where its name does not say it all. */
function drawAim({ name, goal }: CampaignRow): Html | "" {
  const aim = goal.startsWith(`${name}\n`) ? goal.slice(name.length) : goal;
  return aim.trim() === name.trim() ? "" : html`<p class="words"><bdi>${aim.trim()}</bdi></p>`;
}

function drawOne(elementId: string, card: Card, at: Date, drawing: Drawing): Html {
  return drawCard({ elementId, card, changed: 0, at, isReply: false, isBrief: false }, drawing);
}

/** What a person may answer now: about the campaign, then about its goals. */
async function openQuestions(
  deps: Deps,
  { campaign, goals }: CampaignView,
): Promise<{ readonly id: string; readonly card: Card; readonly at: Date }[]> {
  const { db } = deps.database;
  const pending = await listPending(db);
  const ofCampaign = pending.filter((each) => each.campaignId === campaign.campaignId);
  const ofGoals = pending.filter((each) => goals.some((goal) => goal.goalId === each.goalId));
  const drawn = [];
  for (const checkpoint of [...ofCampaign, ...ofGoals]) {
    const card = await gatherCheckpointCard(db, deps, checkpoint);
    if (card !== null) drawn.push({ id: checkpoint.checkpointId, card, at: checkpoint.askedAt });
  }
  return drawn;
}

/** What the days that are not over have cost so far, by their numbers. */
async function costsOf(deps: Deps, { campaign, days }: CampaignView): Promise<ReadonlyMap<number, number>> {
  const costs = new Map<number, number>();
  for (const { dayNumber, status } of days) {
    if (status !== "in_progress") continue;
    const total = await campaignDayTotal(deps.database.db, campaign.campaignId, dayNumber);
    costs.set(dayNumber, total.spentMicroUsd);
  }
  return costs;
}

/** Rows know a milestone by its id; people by its name. */
function namingMilestones(rows: readonly TimelineRow[], { milestones }: CampaignView): TimelineRow[] {
  return rows.map((row) => {
    if (row.event !== "campaign.milestone-done") return row;
    const { milestoneId } = row.detail;
    const name = milestones.find((each) => each.milestoneId === milestoneId)?.name;
    return { ...row, detail: { milestoneId: name ?? milestoneId } };
  });
}

function drawMilestone(milestone: MilestoneRow, drawing: Drawing): Html {
  const { milestoneId, name, description, status, targetDay, successCriteria, completedAt, completedBy } = milestone;
  const by = completedBy === null ? "its goals are verified" : html`on <bdi>${completedBy}</bdi>'s word`;
  const done = completedAt === null ? "" : html` · done ${drawTime(completedAt, drawing.zone)}, ${by}`;
  return html`<li class="${status}"><strong><bdi>${name}</bdi></strong>
  <span class="state">${milestoneWords(status)}</span><span class="note">${milestoneId} · by day ${targetDay}${done}</span>
  ${description === "" ? "" : html`<p><bdi>${description}</bdi></p>`}
  ${successCriteria.length === 0 ? "" : html`<div class="criteria"><span class="note">Done when</span><ul>${successCriteria.map((each) => html`<li><bdi>${each}</bdi></li>`)}</ul></div>`}</li>`;
}

function drawDay(day: DayRow, view: CampaignView, costMicroUsd: number): Html {
  const { dayNumber, date, status, budgetMicroUsd, notes } = day;
  const money =
    status === "pending"
      ? `up to ${formatUsd(budgetMicroUsd)}`
      : `${formatUsd(costMicroUsd)} of ${formatUsd(budgetMicroUsd)}`;
  return html`<li class="${status}"><h3>Day ${dayNumber}</h3><span class="state">${dayWords(status)}</span>
  <span class="note">${date === null ? "" : html`<time datetime="${date}" data-date>${date}</time> · `}${money}</span>
  ${notes === "" ? "" : html`<p class="note"><bdi>${notes}</bdi></p>`}
  ${day.goals.length === 0 ? html`<p class="note">No goals.</p>` : html`<ul>${day.goals.map((goal) => drawGoal(goal, day, view))}</ul>`}</li>`;
}

/** A planned goal; one that has been made leads to its page. */
function drawGoal({ goalId, request }: PlannedGoal, { dayNumber, status }: DayRow, { goals }: CampaignView): Html {
  const row = goals.find((goal) => goal.goalId === goalId);
  if (row === undefined) return html`<li><bdi>${firstLine(request.content, 140)}</bdi></li>`;
  const tag = row.status === "complete" ? html` <span class="note">[${row.tag}]</span>` : "";
  if (status === "done" && row.campaignDay !== null && row.campaignDay > dayNumber)
    return html`<li><strong>again on day ${row.campaignDay}:</strong> <a href="/goals/${goalId}"><bdi>${firstLine(row.content, 140)}</bdi></a></li>`;
  return html`<li data-subject="${goalId}"><strong>${statusWords(row.status)}:</strong> <a href="/goals/${goalId}"><bdi>${firstLine(row.content, 140)}</bdi></a>${tag}</li>`;
}

function drawNotes({ planNotes, plannedBy }: CampaignRow): Html {
  return html`<section><h2>The plan</h2><p>Planned by <bdi>${plannedBy}</bdi>.</p>${planNotes.length === 0 ? "" : html`<ul>${planNotes.map((each) => html`<li><bdi>${each}</bdi></li>`)}</ul>`}</section>`;
}
