import type { Backing } from "../acceptance/backing.ts";
import { groupsOf } from "../checkpoints/batch.ts";
import type { Checkpoint } from "../checkpoints/checkpoint.ts";
import type { GoalStatus } from "../goals/goal.ts";
import { formatUsd } from "../money.ts";
import type { ReportPart } from "../reports/parts.ts";
import type { Recommendation } from "../reports/recommendation.ts";
import { count, firstLine } from "../text.ts";
import { type Card, type CardAction, type CardBlock, type CardTone, note, type Span, text } from "./card.ts";
import { alikeSpans } from "./night-card.ts";
import { actionFor } from "./question-parts.ts";
import { headline, recommendationWords } from "./recommendation-words.ts";
import { adviceSpans } from "./standup-lines.ts";
import { statusWords } from "./status-words.ts";
import { countVerified, tagWords, verifiedCount } from "./tag-words.ts";

/** A goal of the night with the facts that the card shows. */
export interface NightGoal extends Backing {
  readonly goalId: string;
  readonly content: string;
  readonly status: GoalStatus;
  readonly outcome: string | null;
  /** The command that runs instead of an agent. Null when an agent works the goal. */
  readonly runCommand: string | null;
  /** The section of the report that the goal belongs to. */
  readonly part: ReportPart | null;
  /** True for a complete goal whose branch nobody has decided about. */
  readonly isUndecided: boolean;
}

export interface MorningFacts {
  readonly nightId: string;
  /** Why the night ended, as a sentence. */
  readonly endReason: string;
  readonly goals: readonly NightGoal[];
  /** The open questions of the night, in the order in which they were asked. */
  readonly decisions: readonly Checkpoint[];
  /** The most urgent thing about its goals. */
  readonly first: Recommendation;
  readonly cleared: number;
  readonly spentMicroUsd: number;
  readonly spentIsEstimated: boolean;
  readonly budgetMicroUsd: number;
}

/**
 * The morning report: the most urgent thing, what was achieved with its evidence, and the open decisions. The first open decision has its
 * buttons here. Each answer brings up the next one, so that they are cleared one by one.
 */
export function morningCard(facts: MorningFacts): Card {
  const { decisions, goals } = facts;
  const [first, ...later] = decisions;
  const complete = goals.filter((goal) => goal.status === "complete");
  const urgent = headline(facts.first);
  const title = `Good morning: ${urgent ?? "nothing waits for you"}`;
  const spent = `${formatUsd(facts.spentMicroUsd)} of ${formatUsd(facts.budgetMicroUsd)}${facts.spentIsEstimated ? " (estimated)" : ""}`;
  const achieved = `${complete.length} of ${count(goals.length, "goal")} complete, ${verifiedCount(countVerified(complete))}`;
  return {
    kind: "report",
    tone: morningTone(first !== undefined, urgent),
    title,
    summary: `${title}. ${achieved}, ${spent} spent. ${facts.endReason}`,
    blocks: [
      // The text and buttons of a decision are below.
      ...(first !== undefined || urgent === null
        ? []
        : [text({ strong: "First: " }, ...adviceSpans(recommendationWords(facts.first)))]),
      text({ strong: achieved }, `; ${spent} spent. ${facts.endReason}`),
      goalList(goals),
      ...(goals.length > 20 ? [text(`and ${goals.length - 20} more`)] : []),
      ...(facts.cleared === 0 ? [] : [note(`${count(facts.cleared, "decision")} cleared.`)]),
      ...(later.length === 0
        ? []
        : [
            text({ strong: "After the next one" }),
            { type: "list" as const, items: later.slice(0, 10).map((each) => laterLine(each, goals)) },
          ]),
      ...alikeBlocks(decisions),
      ...(first === undefined ? [] : decisionBlocks(first, goals)),
    ],
    ...(first === undefined
      ? {}
      : {
          brief: [
            ...decisionBrief(first, goals),
            ...alikeBlocks(decisions),
            text({ strong: achieved }, `; ${spent} spent`),
          ],
        }),
    actions: first === undefined ? [] : decisionActions(first, goals),
    state: first === undefined ? "cleared" : `${decisions.length} to make`,
  };
}

function alikeBlocks(decisions: readonly Checkpoint[]): CardBlock[] {
  return groupsOf(decisions).some(({ choices }) => choices.length > 0) ? [text(...alikeSpans)] : [];
}

function morningTone(isAsking: boolean, urgent: string | null): CardTone {
  if (isAsking) return "asking";
  return urgent === null ? "good" : "neutral";
}

/** The state of a goal after its night. */
function standingWords({ part, status, isUndecided }: NightGoal): string {
  if (status === "complete" && isUndecided) return "complete, not merged";
  if (part === "waits") return "waits for your answer";
  return part === "parked" ? "parked" : statusWords(status);
}

function goalList(goals: readonly NightGoal[]): CardBlock {
  const items = goals
    .slice(0, 20)
    .map((goal): Span[] => [
      tagWords(goal),
      { link: firstLine(goal.content, 80), to: `/goals/${goal.goalId}` },
      `: ${standingWords(goal)}${goal.status === "failed" && goal.outcome !== null ? `, ${firstLine(goal.outcome, 100)}` : ""}`,
    ]);
  return { type: "list", items };
}

/** The decision whose buttons are on the card: its goal, the reasons, and what each choice does. */
function decisionBlocks(checkpoint: Checkpoint, goals: readonly NightGoal[]): CardBlock[] {
  return [
    text({ strong: "The next decision: " }, aboutLink(checkpoint, goals)),
    {
      type: "list",
      items: checkpoint.reasons.slice(0, 6).map((each) => [firstLine(each.context, 300)]),
    },
    {
      type: "list",
      items: checkpoint.options.map((option) => [
        { strong: option.isRecommended ? `${option.label} (recommended): ` : `${option.label}: ` },
        `${option.description}.`,
      ]),
    },
    note(checkpoint.recommendation),
  ];
}

/** Like `decisionBlocks`, in few lines (F-407). */
function decisionBrief(checkpoint: Checkpoint, goals: readonly NightGoal[]): CardBlock[] {
  const recommended = checkpoint.options.find(({ isRecommended }) => isRecommended);
  return [
    text({ strong: "Next: " }, aboutLink(checkpoint, goals)),
    text(firstLine(checkpoint.context, 80)),
    ...(recommended === undefined
      ? []
      : [text({ strong: `${recommended.label}: ` }, `${firstLine(recommended.description, 60)}.`)]),
  ];
}

/** Its buttons. For a goal's question they equal those of the question's own card. */
function decisionActions(checkpoint: Checkpoint, goals: readonly NightGoal[]): CardAction[] {
  const what = firstLine(checkpoint.context, 100);
  const goal = goals.find((each) => each.goalId === checkpoint.subject) ?? { runCommand: null };
  return checkpoint.options.map((option) => actionFor({ checkpoint, goal }, option, what));
}

function laterLine(checkpoint: Checkpoint, goals: readonly NightGoal[]): Span[] {
  return [aboutLink(checkpoint, goals), `: ${firstLine(checkpoint.context, 160)}`];
}

/** A link to the question, named after its goal. For a question about a session, named by the question's id. */
function aboutLink({ checkpointId, subject }: Checkpoint, goals: readonly NightGoal[]): Span {
  const goal = goals.find((each) => each.goalId === subject);
  return { link: goal === undefined ? checkpointId : firstLine(goal.content, 80), to: `/#${checkpointId}` };
}
