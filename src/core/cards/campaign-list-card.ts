import {
  type Campaign,
  type CampaignState,
  doneOnWord,
  isCampaignOver,
  type Milestone,
  neverBegan,
} from "../campaigns/campaign.ts";
import { dollars, formatUsd } from "../money.ts";
import { count, firstLine } from "../text.ts";
import { type Card, type CardBlock, plainCard, type Span, text, sentence } from "./card.ts";
import { onWord } from "./on-word.ts";

/** One day as `campaign status` shows it. Money in dollars, as in JSON. */
export interface DayLine {
  readonly day: number;
  readonly date: string | null;
  readonly status: "pending" | "in_progress" | "done";
  readonly goals: readonly {
    readonly content: string;
    readonly status: string;
    /** The day on which the goal was last worked: a goal that failed may be complete on a later day. */
    readonly workedOn: number | null;
  }[];
  readonly budgetUsd: number;
  readonly actualCostUsd: number;
  readonly costIsEstimated: boolean;
}

/** A campaign's card with all its days below. */
export function campaignStatusCard(
  card: Card,
  {
    days,
    next,
    asked,
    state,
  }: {
    readonly days: readonly DayLine[];
    /** When its next day begins, or why that is not known. Empty when the questions explain it. */
    readonly next: readonly Span[];
    /** The questions about the campaign and its goals, each with the command that answers it. */
    readonly asked: readonly (readonly Span[])[];
    readonly state: CampaignState;
  },
): Card {
  const blocks: CardBlock[] = [
    ...card.blocks,
    { type: "list", items: days.slice(0, 40).map((day) => dayLine(day, state)) },
    ...(next.length === 0 ? [] : [text(...next)]),
    ...(asked.length === 0 ? [] : [text({ strong: "Waits for you" }), { type: "list" as const, items: asked }]),
  ];
  return { ...card, kind: "list", blocks };
}

function dayLine(day: DayLine, state: CampaignState): Span[] {
  const complete = day.goals.filter((goal) => goal.status === "complete" && goal.workedOn === day.day).length;
  const money =
    day.status === "pending" && !isCampaignOver(state)
      ? `up to ${formatUsd(dollars(day.budgetUsd))}`
      : `${formatUsd(dollars(day.actualCostUsd))} of ${formatUsd(dollars(day.budgetUsd))}${day.costIsEstimated ? " (estimated)" : ""}`;
  const said = day.goals.slice(0, 3).map((goal) => firstLine(goal.content, 50));
  const more = day.goals.length > 3 ? ` and ${day.goals.length - 3} more` : "";
  return [
    { strong: `Day ${day.day}` },
    `${day.date === null ? "" : ` ${day.date}`}, ${dayWords(day.status, state)}: ${complete} of ${count(day.goals.length, "goal")}, ${money}. ${said.join("; ")}${more}`,
  ];
}

/** A day's status as people read it. In a campaign that is over, nothing is "to come". */
export function dayWords(status: DayLine["status"], campaign: CampaignState): string {
  switch (status) {
    case "pending":
      return isCampaignOver(campaign) ? "not worked" : "to come";
    case "in_progress":
      return isCampaignOver(campaign) ? "not finished" : "being worked";
    case "done":
      return "over";
  }
}

export interface CampaignLine {
  readonly campaignId: string;
  readonly name: string;
  readonly state: CampaignState;
  readonly startedAt: Date | null;
  readonly endedBy: string | null;
  readonly pausedBy: string | null;
  readonly currentDay: number;
  readonly days: readonly unknown[];
  readonly milestones: readonly Pick<Milestone, "status" | "completedBy">[];
  readonly daysBehind: number;
  readonly spentUsd: number;
  readonly spentIsEstimated: boolean;
  readonly totalBudgetUsd: number;
}

/** All campaigns, one line each. */
export function campaignListCard(campaigns: readonly CampaignLine[], open: number): Card {
  const isNone = campaigns.length === 0;
  const title = isNone ? "No campaign yet" : `${count(campaigns.length, "campaign")}, ${open} open`;
  const items = isNone ? [sentence("Plan one: cos campaign create TEXT")] : campaigns.slice(-40).map(campaignItem);
  return plainCard({
    kind: "list",
    tone: "neutral",
    title,
    summary: title,
    blocks: [{ type: "list", items }],
  });
}

/** Says that no session is open. Names the start command only if goals wait and no active campaign will open a session. */
export function noSessionItem(campaigns: readonly Pick<CampaignLine, "state">[], pendingGoals: number): Span[] {
  if (pendingGoals === 0 && campaigns.every(({ state }) => state !== "active")) return ["No session is open"];
  return campaigns.some(({ state }) => state === "active")
    ? ["No session is open: a campaign's next day opens one"]
    : ["No session is open: ", { command: "autopilot start" }];
}

/** A campaign's state as people read it: "stopped" instead of "failed" when a person ended it. */
export function campaignStateWords(campaign: Pick<Campaign, "state" | "startedAt" | "endedBy">): string {
  if (neverBegan(campaign)) return "stopped before its start";
  return campaign.endedBy === null ? campaign.state : "stopped";
}

/** Like `campaignStateWords`, for places that do not show its questions: a pause without a person is "waiting for an answer". */
export function campaignOwnStateWords(
  campaign: Pick<Campaign, "state" | "startedAt" | "endedBy" | "pausedBy">,
): string {
  const waits = campaign.state === "paused" && campaign.pausedBy === null;
  return waits ? "waiting for an answer" : campaignStateWords(campaign);
}

/** A campaign in one line: its id, its name, its progress. */
export function campaignItem(campaign: CampaignLine): Span[] {
  const { campaignId, name } = campaign;
  return [
    { link: campaignId, to: `/campaigns/${campaignId}` },
    ` ${firstLine(name, 80)}: ${[campaignOwnStateWords(campaign), ...campaignStandingWords(campaign)].join(", ")}`,
  ];
}

/** "day 2 of 5", "1 of 3 milestones done", "1 day behind", "$1.20 of $5.00": its progress, one text for each fact. */
export function campaignStandingWords(campaign: Omit<CampaignLine, "campaignId" | "name">): string[] {
  const { state, currentDay, milestones, daysBehind } = campaign;
  const days = campaign.days.length;
  const done = milestones.filter((milestone) => milestone.status === "done").length;
  const day =
    state === "planning" || neverBegan(campaign)
      ? `${count(days, "day")} planned`
      : `day ${Math.min(currentDay, days)} of ${days}`;
  return [
    ...(days === 0
      ? ["no plan yet"]
      : [day, `${done} of ${count(milestones.length, "milestone")} done${onWord(doneOnWord(milestones))}`]),
    ...(daysBehind === 0 ? [] : [`${count(daysBehind, "day")} behind`]),
    `${formatUsd(dollars(campaign.spentUsd))} of ${formatUsd(dollars(campaign.totalBudgetUsd))}${campaign.spentIsEstimated ? " (estimated)" : ""}`,
  ];
}
