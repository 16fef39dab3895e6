import { formatUsd } from "../money.ts";
import { count, firstLine } from "../text.ts";
import { briefPair } from "./brief-pair.ts";
import { type Card, note, type Span, text } from "./card.ts";
import { goalsBrief, type SessionCardGoal, sessionGoalLine } from "./session-card.ts";
import { momentText } from "./times-in.ts";

export interface EveningFacts {
  readonly nightId: string;
  readonly startedBy: string;
  readonly budgetMicroUsd: number;
  readonly untilAt: Date;
  /** Classes of action that are allowed without asking, in words. Empty when none is. */
  readonly allowed: readonly string[];
  /** The goals of the contract, and goals that joined later. */
  readonly goals: readonly SessionCardGoal[];
  /** Number of questions that are asked before the night. */
  readonly questions: number;
  readonly spentMicroUsd: number;
  readonly spentIsEstimated: boolean;
  readonly isOpen: boolean;
}

/**
 * The single message of a night: its goals with their states, and the contract: money, end, what may be done without asking, and when it
 * stops.
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
    summary: `${title}, until ${momentText(facts.untilAt)}. Allowed without asking: ${allowed}.${facts.isOpen ? ` ${asked}` : ""}`,
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
    ...briefPair((width) => [
      ...goalsBrief(facts.goals, spent, width),
      text("Until ", until, ", without asking: ", firstLine(allowed, 30 * width)),
    ]),
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

/** The night under contract, in one line. */
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

/** Points to the place where one choice answers several questions (F-411). */
export const alikeSpans: readonly Span[] = ["Several alike: ", { command: "checkpoints" }];
