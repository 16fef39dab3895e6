import { html } from "hono/html";
import { dayWords } from "../core/cards/campaign-list-card.ts";
import { awaitedUntil, awaitedWords, type AwaitingGoal, backedStateWords } from "../core/cards/status-words.ts";
import { isCampaignOver, type PlannedGoal } from "../core/campaigns/campaign.ts";
import { formatUsd } from "../core/money.ts";
import { firstLine } from "../core/text.ts";
import type { CampaignRow, DayRow } from "../db/campaigns.ts";
import type { CampaignView } from "../facts/campaign.ts";
import type { DayCost } from "../facts/campaign-costs.ts";
import { drawText } from "./draw.ts";
import type { Html } from "./layout.ts";

const daysPerPage = 14;

/** The state of its campaign and the cost of the day. */
interface DayState extends DayCost {
  readonly state: CampaignRow["state"];
}

type Goals = ReadonlyMap<string, CampaignView["goals"][number]>;

/** The days to show, and the goals in them that wait for others. */
interface DaysShown {
  readonly path: string;
  /** The first day to show; null for the part with the current day. */
  readonly from: number | null;
  readonly awaiting: readonly AwaitingGoal[];
  readonly zone: string;
}

type Awaits = Pick<DaysShown, "awaiting" | "zone">;

/** Draws two weeks of a campaign's days, with links to the others. */
export function drawDays(
  { days, goals, campaign }: CampaignView,
  costOf: (day: DayRow) => DayCost,
  { path, from, ...awaits }: DaysShown,
): Html | "" {
  if (days.length === 0) return "";
  const wanted = days.findIndex((day) => day.dayNumber >= (from ?? campaign.currentDay));
  const place = wanted === -1 ? days.length - 1 : wanted;
  const first = place - (place % daysPerPage);
  const byId: Goals = new Map(goals.map((goal) => [goal.goalId, goal]));
  const shown = days.slice(first, first + daysPerPage);
  return html`<section id="days"><h2>Days</h2><ol class="days">${shown.map((day) => drawDay(day, byId, { state: campaign.state, ...costOf(day) }, awaits))}</ol>${drawPaging(days, first, path)}</section>`;
}

function drawPaging(days: readonly DayRow[], first: number, path: string): Html | "" {
  const [before, after] = [days[first - daysPerPage], days[first + daysPerPage]];
  if (before === undefined && after === undefined) return "";
  const link = (to: DayRow | undefined, rel: string, words: string): Html | "" =>
    to === undefined ? "" : html`<a href="${path}?days=${to.dayNumber}#days" rel="${rel}">${words}</a>`;
  const last = Math.min(first + daysPerPage, days.length);
  return html`<nav class="paging" aria-label="Parts of the days">${link(before, "prev", "Earlier days")}<span>${first + 1} to ${last} of ${days.length} days</span>${link(after, "next", "Later days")}</nav>`;
}

function drawDay(day: DayRow, goals: Goals, standing: DayState, awaits: Awaits): Html {
  const { state, costMicroUsd, isEstimated } = standing;
  const { dayNumber, date, status, budgetMicroUsd, notes } = day;
  const money =
    status === "pending" && !isCampaignOver(state)
      ? `up to ${formatUsd(budgetMicroUsd)}`
      : `${formatUsd(costMicroUsd)} of ${formatUsd(budgetMicroUsd)}${isEstimated ? " (estimated)" : ""}`;
  return html`<li class="${status}"><h3>Day ${dayNumber}</h3><span class="state">${dayWords(status, state)}</span>
  <span class="note">${date === null ? "" : html`<time datetime="${date}" data-date>${date}</time> · `}${money}</span>
  ${notes === "" ? "" : html`<p class="note"><bdi>${notes}</bdi></p>`}
  ${day.goals.length === 0 ? html`<p class="note">No goals.</p>` : html`<ul>${day.goals.map((goal) => drawGoal(goal, day, goals, awaits))}</ul>`}</li>`;
}

/** Draws a planned goal; one that was already created links to its page. */
function drawGoal(
  { goalId, request }: PlannedGoal,
  { dayNumber, status }: DayRow,
  goals: Goals,
  { awaiting, zone }: Awaits,
): Html {
  const row = goals.get(goalId);
  if (row === undefined) return html`<li><bdi>${firstLine(request.content, 140)}</bdi></li>`;
  if (status === "done" && row.campaignDay !== null && row.campaignDay > dayNumber)
    return html`<li><strong>again on day ${row.campaignDay}:</strong> <a href="/goals/${goalId}"><bdi>${firstLine(row.content, 140)}</bdi></a></li>`;
  const awaits = awaiting.find((each) => each.goalId === goalId);
  const words = awaits === undefined ? backedStateWords(row.status, row) : awaitedWords(awaits);
  const until = awaits === undefined ? "" : drawText(awaitedUntil(awaits), zone);
  return html`<li data-subject="${goalId}"><strong>${words}:</strong> <a href="/goals/${goalId}"><bdi>${firstLine(row.content, 140)}</bdi></a>${until}</li>`;
}
