import type { CampaignCheckpoint, CampaignQuestion, CheckpointOption } from "../checkpoints/checkpoint.ts";
import { formatUsd } from "../money.ts";
import { count, firstLine, shorten } from "../text.ts";
import { type Brought, saidBlocks } from "./answered-words.ts";
import { briefPair, type LineWidth } from "./brief-pair.ts";
import { type Card, type CardBlock, note, type Span, text } from "./card.ts";
import { withoutAnswer } from "./checkpoint-consequences.ts";
import {
  actionOf,
  checkpointState,
  consequenceLine,
  noAnswerHint,
  pausedLine,
  plainSettled,
  settledLine,
} from "./question-parts.ts";
import { momentText } from "./times-in.ts";

export interface CampaignQuestionFacts {
  readonly checkpoint: CampaignCheckpoint;
  readonly campaign: { readonly campaignId: string; readonly name: string; readonly totalBudgetMicroUsd: number };
  /** What its answer changed and noted. Null when it is not answered, or when the answer was only a choice. */
  readonly brought: Brought | null;
}

/** A question about a campaign, or how it was settled. It has the same shape as every question. S4-CX-03, C-83, C-87, C-89. */
export function campaignQuestionCard({ checkpoint, campaign, brought }: CampaignQuestionFacts): Card {
  const title = titleOf(checkpoint.kind);
  const what = firstLine(campaign.name, 100);
  const link = { link: what, to: `/campaigns/${campaign.campaignId}` };
  const about: CardBlock = text(link);
  const milestone = milestoneNamed(checkpoint);
  const lead = milestone === null ? link : { ...link, link: milestone };
  const reasons: CardBlock = {
    type: "list",
    items: checkpoint.reasons.map((each) => [shorten(beside(each.context, campaign), 700)]),
  };
  if (checkpoint.status !== "pending") {
    const settled = [endedLine(checkpoint), ...saidBlocks(checkpoint.humanNotes, brought)];
    return {
      kind: "checkpoint",
      tone: checkpoint.status === "approved" ? "good" : "neutral",
      title,
      summary: `${title}: ${what}. ${plainSettled(checkpoint)}`,
      lead: [lead],
      blocks: [about, reasons, ...settled],
      brief: [...settled, reasons],
      actions: [],
      state: checkpointState(checkpoint),
    };
  }
  return {
    kind: "checkpoint",
    tone: "asking",
    title,
    summary: `${title}: ${what}. ${aboutWords(checkpoint)}Answer by ${momentText(checkpoint.expiresAt)}, or ${withoutAnswer(checkpoint.kind)}.`,
    lead: [lead, ". Answer by ", { at: checkpoint.expiresAt.toISOString() }, "."],
    blocks: [
      about,
      ...(checkpoint.changed === null ? [] : [text({ strong: "Changed since you were asked: " }, checkpoint.changed)]),
      reasons,
      ...detailBlocks(checkpoint),
      factFields(checkpoint, campaign.totalBudgetMicroUsd),
      {
        type: "list",
        items: [
          ...checkpoint.options.map((option): Span[] => [
            { strong: option.isRecommended ? `${option.label} (recommended): ` : `${option.label}: ` },
            consequenceOf(checkpoint.kind, option),
          ]),
          [{ strong: "No answer: " }, `${withoutAnswer(checkpoint.kind)}.`],
        ],
      },
      note(checkpoint.recommendation),
      ...(checkpoint.pausedBy === null
        ? []
        : [text({ strong: `Campaign paused by ${checkpoint.pausedBy}; answering resumes it.` })]),
    ],
    ...briefPair((width) => openBrief(checkpoint, campaign, width)),
    actions: checkpoint.options.map((option) => actionOf(checkpoint, option, what)),
    state: checkpoint.pausedBy === null ? checkpointState(checkpoint) : "campaign paused",
  };
}

/** The reason, what the recommended choice does, and the money (F-407). */
function openBrief(
  checkpoint: CampaignCheckpoint,
  campaign: CampaignQuestionFacts["campaign"],
  width: LineWidth,
): CardBlock[] {
  const { totalBudgetMicroUsd: totalMicroUsd } = campaign;
  const { facts, options, kind, pausedBy, changed } = checkpoint;
  const milestone = milestoneNamed(checkpoint);
  const recommended = options.find(({ isRecommended }) => isRecommended);
  const spent = `${formatUsd(facts.costMicroUsd)} of ${formatUsd(totalMicroUsd)}${facts.costIsEstimated ? " (estimated)" : ""}`;
  return [
    ...pausedLine("Campaign", pausedBy, width),
    ...(changed === null ? [] : [text({ strong: "Changed: " }, firstLine(changed, 60 * width))]),
    text(
      firstLine(
        milestone === null ? beside(checkpoint.context, campaign) : ofMilestone(checkpoint, campaign.name),
        70 * width,
      ),
    ),
    consequenceLine(
      recommended ?? null,
      recommended === undefined ? `${withoutAnswer(kind)}.` : consequenceOf(kind, recommended),
    ),
    text(`Spent ${spent}; ${count(facts.goalsWaiting, "goal")} behind this`),
    ...noAnswerHint(recommended ?? null, kind),
  ];
}

/** The context without the campaign's name at its start, for places that show the name already. A campaign may be named after its aim. */
function beside(context: string, { name }: { readonly name: string }): string {
  const named = `${firstLine(name, 300)}: `;
  return context.startsWith(named) ? context.slice(named.length) : context;
}

const namingMilestone = /^(?:Starting milestone|Is milestone) '([\s\S]*)'(?: done\?|:) /;

/** The milestone that a question is about. The lead names it, because it is what people judge by. Null for other questions. */
function milestoneNamed({ kind, context }: CampaignCheckpoint): string | null {
  if (kind !== "milestone" && kind !== "confirm") return null;
  const name = namingMilestone.exec(context)?.[1] ?? "";
  return name === "" ? null : firstLine(name, 100);
}

/** The rest of what is said about the milestone, and the name of its campaign. */
function ofMilestone({ context }: CampaignCheckpoint, campaignName: string): string {
  const said = context.replace(namingMilestone, "");
  return milestoneSays(context, said) ? `${said}; ${campaignName}` : campaignName;
}

/** False when the description only repeats the name: a milestone without a description is described by its name. */
function milestoneSays(context: string, said: string): boolean {
  return said !== "" && namingMilestone.exec(context)?.[1] !== said;
}

/** What is asked, for a lock screen. Empty for a plan, whose title says enough. */
function aboutWords({ kind, context }: CampaignCheckpoint): string {
  return kind === "plan" ? "" : `${firstLine(context, 200).replace(/\.$/, "")}. `;
}

/** The subject of a question about a campaign, in words. */
export const campaignQuestionNames: Readonly<Record<CampaignQuestion, string>> = {
  plan: "a campaign's plan",
  milestone: "the next milestone",
  confirm: "is this milestone done?",
  replan: "the campaign is late",
  money: "the campaign's money",
};

function titleOf(kind: CampaignQuestion): string {
  return `Checkpoint: ${campaignQuestionNames[kind]}`;
}

/** The details, such as a plan's days, a milestone's goals or the difference of a replan, within the limits of a card. */
function detailBlocks({ facts, kind, campaignId }: CampaignCheckpoint): CardBlock[] {
  const longest = kind === "plan" ? 30 : 15;
  const shown = facts.details.slice(0, longest);
  if (shown.length === 0) return [];
  const more = facts.details.length - shown.length;
  return [
    { type: "list", items: shown.map((each) => [shorten(each, 300)]) },
    ...(more > 0 ? [text(`and ${more} more: `, { command: `campaign status ${campaignId}` }, " shows all")] : []),
  ];
}

function factFields({ facts, expiresAt }: CampaignCheckpoint, totalMicroUsd: number): CardBlock {
  const spent = `${formatUsd(facts.costMicroUsd)} of ${formatUsd(totalMicroUsd)}${facts.costIsEstimated ? " (estimated)" : ""}`;
  return {
    type: "fields",
    fields: [
      { label: "Spent", value: [spent] },
      ...(facts.estimateMicroUsd === null ? [] : [{ label: "Estimate", value: [formatUsd(facts.estimateMicroUsd)] }]),
      {
        label: "Spent today",
        value: [`${formatUsd(facts.spentTodayMicroUsd)}${facts.spentTodayIsEstimated === true ? " (estimated)" : ""}`],
      },
      { label: "Answer by", value: [{ at: expiresAt.toISOString() }] },
      { label: "Waiting behind this", value: [count(facts.goalsWaiting, "goal")] },
    ],
  };
}

function consequenceOf(kind: CampaignQuestion, { effect }: CheckpointOption): string {
  switch (effect) {
    case "continue":
      return continuing(kind);
    case "modify":
      if (kind === "plan") return "you say what should be different or give a budget, and the plan is shown again.";
      if (kind === "money") return "you give another total budget, and the campaign goes on with it.";
      return "you add instructions; the milestone's goals get them, but no fixed command reads them.";
    case "skip":
      return skipping(kind);
    case "pause":
      return "the campaign pauses and this question stays open.";
    case "edit":
    case "retry":
    case "manual":
      return "";
  }
}

function continuing(kind: CampaignQuestion): string {
  switch (kind) {
    case "plan":
      return "the plan holds; its first day begins when it is time.";
    case "milestone":
      return "the milestone begins, and with it the day.";
    case "confirm":
      return "the milestone counts as done, on your word.";
    case "replan":
      return "the remaining days are replanned; the difference is shown.";
    case "money":
      return "the day may cost what is left in all, and goes on.";
  }
}

function skipping(kind: CampaignQuestion): string {
  switch (kind) {
    case "plan":
      return "the campaign is given up; nothing has run.";
    case "confirm":
      return "it stays open; the campaign ends as failed if nothing else finishes it.";
    case "replan":
      return "the campaign goes on as planned.";
    case "milestone":
    case "money":
      return "the campaign ends here.";
  }
}

function endedLine(checkpoint: CampaignCheckpoint): CardBlock {
  const { campaignId, kind, subject } = checkpoint;
  const milestone = subject.slice(`milestone-${campaignId}-`.length);
  const next: readonly Span[] =
    kind === "confirm"
      ? ["On your word: ", { command: `milestone done ${campaignId}/${milestone}` }]
      : ["Ask again with ", { command: `campaign ${kind === "plan" ? "start" : "resume"} ${campaignId}` }];
  return settledLine(checkpoint, {
    expired: [`${withoutAnswer(kind)}. `, ...next],
    withdrawn: "nobody needs this answer any more",
  });
}
