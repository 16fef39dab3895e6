import {
  type Campaign,
  type CampaignState,
  type DayPlan,
  doneOnWord,
  isCampaignOver,
  type Milestone,
  type MilestoneStatus,
  neverBegan,
} from "../campaigns/campaign.ts";
import type { Backing } from "../acceptance/backing.ts";
import type { GoalStatus } from "../goals/goal.ts";
import { formatUsd } from "../money.ts";
import type { Recommendation } from "../reports/recommendation.ts";
import { count, firstLine } from "../text.ts";
import { type Card, type CardAction, type CardBlock, note, type Span, text } from "./card.ts";
import { campaignOwnStateWords } from "./campaign-list-card.ts";
import { awaitedUntil, awaitedWords, type AwaitingGoal, backedStateWords } from "./status-words.ts";
import { adviceSpans } from "./standup-lines.ts";
import { onWord } from "./on-word.ts";
import { headline, recommendationWords } from "./recommendation-words.ts";
import { pausedByWords } from "./paused-words.ts";

export interface CampaignCardFacts {
  readonly campaign: Pick<
    Campaign,
    | "campaignId"
    | "name"
    | "state"
    | "startedAt"
    | "endedBy"
    | "currentDay"
    | "totalBudgetMicroUsd"
    | "replanCount"
    | "pausedBy"
  > & { readonly endReason: string | null };
  readonly repositoryName: string;
  readonly milestones: readonly Pick<Milestone, "milestoneId" | "name" | "status" | "targetDay" | "completedBy">[];
  readonly days: readonly Pick<DayPlan, "dayNumber" | "date" | "status" | "goals">[];
  /** The goals of the current day, or of the next one if none is being worked. */
  readonly today: readonly {
    readonly goalId: string;
    readonly content: string;
    readonly status: GoalStatus | null;
    /** Null when the goal does not exist yet. */
    readonly backing: Backing | null;
  }[];
  /** Its goals that wait for their provider, or for their push. */
  readonly awaiting: readonly AwaitingGoal[];
  readonly daysBehind: number;
  readonly spentMicroUsd: number;
  readonly spentIsEstimated: boolean;
  /** The open question that holds the campaign; else another open question about it. */
  readonly waitsFor: string | null;
  /** The date whose daily ceiling left no money for the next day. Null when no date did. */
  readonly withoutMoneyOn: string | null;
  /** The most urgent thing about the campaign's goals. */
  readonly first: Recommendation;
}

/** A campaign's card: its progress, the goals of today, its cost. */
export function campaignCard(facts: CampaignCardFacts): Card {
  const { campaign, milestones, days } = facts;
  const done = milestones.filter((each) => each.status === "done").length;
  const word = onWord(doneOnWord(milestones));
  const title = `Campaign: ${campaign.name}`;
  const day = dayWords(facts);
  const spent = `${formatUsd(facts.spentMicroUsd)} of ${formatUsd(campaign.totalBudgetMicroUsd)}${facts.spentIsEstimated ? " (estimated)" : ""}`;
  const behind = facts.daysBehind === 0 ? "" : `, ${count(facts.daysBehind, "day")} behind`;
  return {
    kind: "campaign",
    tone: campaign.endedBy !== null || neverBegan(campaign) ? "neutral" : toneOf(campaign.state),
    title,
    summary: `${title}: ${day}, ${done} of ${count(milestones.length, "milestone")} done${word}${behind}, ${spent} spent.${campaign.endReason === null ? "" : ` ${campaign.endReason}`}`,
    blocks: [
      ...(milestones.length === 0 ? [] : [milestoneList(milestones, campaign.state)]),
      ...todayBlocks(facts),
      {
        type: "fields",
        fields: [
          { label: campaign.state === "planning" || neverBegan(campaign) ? "Plan" : "Day", value: [dayFact(day)] },
          { label: "Milestones", value: [`${done} of ${milestones.length} done${word}${behind}`] },
          { label: "Spent", value: [spent] },
          { label: "Repository", value: [facts.repositoryName] },
          ...(campaign.replanCount === 0 ? [] : [{ label: "Replanned", value: [count(campaign.replanCount, "time")] }]),
          { label: "Campaign", value: [{ link: campaign.campaignId, to: `/campaigns/${campaign.campaignId}` }] },
        ],
      },
      ...moneyBlocks(facts),
      ...waitingBlocks(facts),
      ...(campaign.pausedBy === null || campaign.state !== "paused"
        ? []
        : [text({ strong: `Paused ${pausedByWords(campaign.pausedBy)}.` })]),
      ...(campaign.endReason === null ? [] : [text(campaign.endReason)]),
      ...(days.length === 0 ? [note("There is no plan yet.")] : []),
    ],
    actions: actionsOf(campaign, days.length > 0, facts.waitsFor !== null),
    state: campaignOwnStateWords(campaign),
  };
}

function moneyBlocks({ campaign, withoutMoneyOn }: CampaignCardFacts): CardBlock[] {
  if (withoutMoneyOn === null || campaign.state !== "active") return [];
  return [
    text(`The ceiling of ${withoutMoneyOn} left nothing for its day: it begins when days do, or with more money.`),
  ];
}

/** What the campaign waits for, unless a person paused it; else the most urgent thing about its goals. */
function waitingBlocks({ campaign, waitsFor, first }: CampaignCardFacts): CardBlock[] {
  if (waitsFor !== null) return [text("Waits for an answer to ", { link: waitsFor, to: `/#${waitsFor}` }, ".")];
  const open = first.type === "answer" ? questionLinks(first) : [];
  if (campaign.state === "paused" && campaign.pausedBy === null)
    return [
      text(
        "Waits for an answer about its day: ",
        { command: "checkpoints" },
        ...(open.length === 0 ? [] : [" · "]),
        ...open,
      ),
    ];
  if (open.length > 0) return [text("Its goals: ", ...open)];
  const urgent = headline(first);
  // A planned day begins by itself, so nobody has to start it.
  if (urgent === null || first.type === "start") return [];
  return [text({ strong: "First: " }, ...adviceSpans(recommendationWords(first)))];
}

/** "2 decisions to make: cp-1". The waiting time is left out, because the card would change every minute. */
function questionLinks(first: Extract<Recommendation, { type: "answer" }>): Span[] {
  const { checkpointId } = first.question;
  return [`${headline(first) ?? ""}: `, { link: checkpointId, to: `/#${checkpointId}` }];
}

/** The same words without "day", for a field whose label is "Day". */
function dayFact(words: string): string {
  return words.replace(/^day /, "");
}

/** "day 2 of 5 (2026-01-27)" */
function dayWords({ campaign, days }: CampaignCardFacts): string {
  if (campaign.state === "planning" || neverBegan(campaign))
    return days.length === 0 ? "no plan yet" : `${count(days.length, "day")} planned`;
  if (campaign.currentDay > days.length) return `${count(days.length, "day")}, all over`;
  const day = days.find((each) => each.dayNumber === campaign.currentDay);
  // A card is not redrawn as time passes, and nobody knows when a campaign that is held goes on.
  const isUnknown = day?.date == null || (campaign.state === "paused" && day.status === "pending");
  const date = isUnknown ? "" : ` (${day.date})`;
  return `day ${campaign.currentDay} of ${days.length}${date}`;
}

function toneOf(state: Campaign["state"]): Card["tone"] {
  switch (state) {
    case "planning":
    case "paused":
      return "neutral";
    case "active":
      return "working";
    case "completed":
      return "good";
    case "failed":
      return "bad";
  }
}

function milestoneList(milestones: CampaignCardFacts["milestones"], campaign: CampaignState): CardBlock {
  const items = milestones.slice(0, 20).map((each): Span[] => {
    const who = each.completedBy === null ? "" : `, said ${each.completedBy}`;
    return [
      { strong: `${milestoneWords(each.status, campaign)}: ` },
      `${firstLine(each.name, 90)} (day ${each.targetDay}${who})`,
    ];
  });
  return { type: "list", items };
}

/** A milestone's status as people read it. In a campaign that is over, nothing is "to come". */
export function milestoneWords(status: MilestoneStatus, campaign: CampaignState): string {
  switch (status) {
    case "pending":
      return isCampaignOver(campaign) ? "not begun" : "to come";
    case "in_progress":
      return isCampaignOver(campaign) ? "not done" : "begun";
    case "done":
      return "done";
    case "blocked":
      return isCampaignOver(campaign) ? "not done" : "held";
  }
}

function todayBlocks({ campaign, today, awaiting }: CampaignCardFacts): CardBlock[] {
  if (today.length === 0) return [];
  const unmade = isCampaignOver(campaign.state) ? "not worked" : "planned";
  const items = today.slice(0, 12).map(({ goalId, content, status, backing }): Span[] => {
    if (status === null || backing === null) return [{ strong: `${unmade}: ` }, firstLine(content, 90)];
    const awaits = awaiting.find((each) => each.goalId === goalId);
    return [
      { strong: `${awaits === undefined ? backedStateWords(status, backing) : awaitedWords(awaits)}: ` },
      { link: firstLine(content, 90), to: `/goals/${goalId}` },
      ...(awaits === undefined ? [] : awaitedUntil(awaits)),
    ];
  });
  const more = today.length > 12 ? [text(`and ${today.length - 12} more`)] : [];
  return [text({ strong: `Day ${campaign.currentDay}` }), { type: "list", items }, ...more];
}

function actionsOf(
  { campaignId, name, state, pausedBy }: CampaignCardFacts["campaign"],
  hasPlan: boolean,
  waits: boolean,
): CardAction[] {
  const action = (choice: "start" | "pause" | "resume", label: string, style: CardAction["style"]): CardAction => ({
    choice,
    label,
    call: { command: `campaign ${choice}`, id: campaignId },
    style,
    about: firstLine(name, 100),
    until: null,
  });
  switch (state) {
    case "planning":
      return hasPlan && !waits ? [action("start", "Start", "primary")] : [];
    case "active":
      return [action("pause", "Pause", "default")];
    case "paused":
      return pausedBy === null ? [action("pause", "Pause", "default")] : [action("resume", "Resume", "primary")];
    case "completed":
    case "failed":
      return [];
  }
}
