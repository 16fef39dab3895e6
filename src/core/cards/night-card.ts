import { groupsOf } from "../checkpoints/batch.ts";
import type { Checkpoint } from "../checkpoints/checkpoint.ts";
import type { Backing } from "../acceptance/backing.ts";
import type { GoalStatus } from "../goals/goal.ts";
import { formatUsd } from "../money.ts";
import type { Part } from "../reports/parts.ts";
import type { Recommendation } from "../reports/recommendation.ts";
import { count, firstLine } from "../text.ts";
import { type Card, type CardBlock, type CardTone, note, type Span, text } from "./card.ts";
import { countVerified, tagWords, verifiedCount } from "./tag-words.ts";
import { actionOf } from "./question-parts.ts";
import { goalsBrief, type SessionCardGoal, sessionGoalLine } from "./session-card.ts";
import { statusWords } from "./status-words.ts";
import { adviceSpans } from "./standup-lines.ts";
import { headline, recommendationWords } from "./recommendation-words.ts";
import { moment } from "./times-in.ts";

/** A goal of the night, with what can be said of it. */
export interface NightGoal extends Backing {
  readonly goalId: string;
  readonly content: string;
  readonly status: GoalStatus;
  readonly outcome: string | null;
  /** Where it stands among the goals of the night. */
  readonly part: Part | null;
  /** Complete, and nobody has decided about its branch. */
  readonly isUndecided: boolean;
}

export interface EveningFacts {
  readonly nightId: string;
  readonly startedBy: string;
  readonly budgetMicroUsd: number;
  readonly untilAt: Date;
  /** Classes of action allowed without asking, in words; empty: none. */
  readonly allowed: readonly string[];
  /** Those of the contract, and those that joined. */
  readonly goals: readonly SessionCardGoal[];
  /** Questions that are asked before bed. */
  readonly questions: number;
  readonly spentMicroUsd: number;
  readonly spentIsEstimated: boolean;
  readonly isOpen: boolean;
}

/**
 * The one message of a night: its goals and where each stands, and the contract as it was made: dollars, hours, what may be
 * done without asking, and when it stops.
 */
export function eveningCard(facts: EveningFacts): Card {
  const until = { at: facts.untilAt.toISOString() };
  const allowed = facts.allowed.length === 0 ? "nothing" : facts.allowed.join(", ");
  const title = `Night contract: ${count(facts.goals.length, "goal")}, up to ${formatUsd(facts.budgetMicroUsd)}`;
  const complete = facts.goals.filter((goal) => goal.status === "complete").length;
  const spent = `${formatUsd(facts.spentMicroUsd)} of ${formatUsd(facts.budgetMicroUsd)}${facts.spentIsEstimated ? " (estimated)" : ""}`;
  const asked =
    facts.questions === 0 ? "No questions before you go." : `${count(facts.questions, "question")} before you go.`;
  return {
    kind: "session",
    tone: facts.isOpen ? "working" : "neutral",
    title,
    summary: `${title}, until ${moment(facts.untilAt)}. Allowed without asking: ${allowed}.${facts.isOpen ? ` ${asked}` : ""}`,
    blocks: [
      {
        type: "list",
        items: facts.goals.slice(0, 20).map(sessionGoalLine),
      },
      ...(facts.goals.length > 20 ? [text(`and ${facts.goals.length - 20} more`)] : []),
      {
        type: "fields",
        fields: [
          { label: "Spent", value: [spent] },
          { label: "Until", value: [until] },
          { label: "Without asking", value: [allowed] },
          { label: "Made by", value: [facts.startedBy] },
        ],
      },
      ...(facts.isOpen ? [text({ strong: asked }, ...(facts.questions > 1 ? [" ", ...alikeSpans] : []))] : []),
      note(
        "Anything else is parked with a recommendation, and the next goal starts. It stops at that hour, when the money is used up, after three failures in a row, or when an agent needs a login.",
      ),
    ],
    brief: [...goalsBrief(facts.goals, spent), text("Until ", until, ", without asking: ", firstLine(allowed, 30))],
    actions: facts.isOpen
      ? [
          {
            choice: "end",
            label: "End the night",
            call: { command: "night end" },
            style: "default",
            about: title,
            until: null,
          },
        ]
      : [],
    state: `${facts.isOpen ? "under way" : "over"}, ${complete} of ${facts.goals.length} complete`,
  };
}

/** The night under contract, in a line. */
export function nightItem(night: {
  readonly nightId: string;
  readonly untilAt: Date;
  readonly goals: number;
  readonly budgetMicroUsd: number;
  readonly spentMicroUsd: number;
}): Span[] {
  const money = `${formatUsd(night.spentMicroUsd)} of ${formatUsd(night.budgetMicroUsd)}`;
  const what = ` ${night.nightId} is under way: ${count(night.goals, "goal")}, ${money}, until `;
  return [{ strong: "Night" }, what, { at: night.untilAt.toISOString() }];
}

export interface MorningFacts {
  readonly nightId: string;
  /** Why it ended, in a sentence. */
  readonly endReason: string;
  readonly goals: readonly NightGoal[];
  /** Questions of the night that are open, in the order in which they were asked. */
  readonly decisions: readonly Checkpoint[];
  /** What is the most urgent about its goals. */
  readonly first: Recommendation;
  readonly cleared: number;
  readonly spentMicroUsd: number;
  readonly spentIsEstimated: boolean;
  readonly budgetMicroUsd: number;
}

/**
 * The morning: the most urgent thing, what was achieved with its evidence, and the parked decisions. The first open one has
 * its buttons here; each answer brings the next one up, so that they are cleared one by one.
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
      // A decision has its words and buttons below.
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
    actions:
      first === undefined ? [] : first.options.map((option) => actionOf(first, option, firstLine(first.context, 100))),
    state: first === undefined ? "cleared" : `${decisions.length} to clear`,
  };
}

/** Where several questions are answered with one choice (F-411). */
const alikeSpans: readonly Span[] = ["Several alike: ", { command: "checkpoints" }];

function alikeBlocks(decisions: readonly Checkpoint[]): CardBlock[] {
  return groupsOf(decisions).some(({ choices }) => choices.length > 0) ? [text(...alikeSpans)] : [];
}

function morningTone(isAsking: boolean, urgent: string | null): CardTone {
  if (isAsking) return "asking";
  return urgent === null ? "good" : "neutral";
}

/** How a goal stands after its night. */
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

/** The decision whose buttons are on the card: the goal, why it is asked, what each of them does. */
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

/** The same in few lines: what its buttons are about (F-407). */
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

function laterLine(checkpoint: Checkpoint, goals: readonly NightGoal[]): Span[] {
  return [aboutLink(checkpoint, goals), `: ${firstLine(checkpoint.context, 160)}`];
}

/** The goal a question is about, leading to the question; its id where it is about a session. */
function aboutLink({ checkpointId, subject }: Checkpoint, goals: readonly NightGoal[]): Span {
  const goal = goals.find((each) => each.goalId === subject);
  return { link: goal === undefined ? checkpointId : firstLine(goal.content, 80), to: `/#${checkpointId}` };
}
