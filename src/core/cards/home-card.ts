import type { Checkpoint } from "../checkpoints/checkpoint.ts";
import type { Goal, GoalState } from "../goals/goal.ts";
import { formatUsd } from "../money.ts";
import type { Recommendation } from "../reports/recommendation.ts";
import { count, firstLine } from "../text.ts";
import { type Card, type CardBlock, note, plainCard, type Span, text } from "./card.ts";
import { stateWords } from "./goal-card.ts";
import { adviceSpans } from "./standup-lines.ts";
import { headline, recommendationWords } from "./standup-words.ts";

/** What one person sees at a glance: what is the most urgent, what waits for them, what runs, what today costs. */
export interface HomeFacts {
  readonly first: Recommendation;
  /** Open questions with their drawn cards, oldest first. */
  readonly waiting: readonly { readonly checkpoint: Checkpoint; readonly card: Card }[];
  readonly running: readonly { readonly goal: Goal; readonly state: GoalState }[];
  readonly spentMicroUsd: number;
  readonly spentIsEstimated: boolean;
  readonly dayCeilingMicroUsd: number;
}

const mostShown = 10;

/** One small card a waiting decision, with its buttons, then what runs and what it costs. */
export function homeCards(facts: HomeFacts): readonly Card[] {
  const { waiting } = facts;
  const shown = waiting.slice(0, mostShown);
  const urgent = headline(facts.first);
  const heading =
    waiting.length === 0
      ? upperFirst(urgent ?? "nothing waits for you")
      : `${count(waiting.length, "decision")} waiting for you`;
  const left = waiting.length - shown.length;
  const isSaid = waiting.length > 0 || urgent === null;
  const more = [
    ...(isSaid ? [] : [text({ strong: "First: " }, ...adviceSpans(recommendationWords(facts.first)))]),
    ...(left > 0 ? [text(`and ${left} more: `, { command: "checkpoints" })] : []),
  ];
  return [
    plainCard({ kind: "list", tone: "neutral", title: heading, summary: heading, blocks: more }),
    ...shown.map(({ checkpoint, card }) => waitingCard(checkpoint, card)),
    runningCard(facts),
  ];
}

function upperFirst(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

function waitingCard(checkpoint: Checkpoint, card: Card): Card {
  return {
    ...card,
    blocks: [
      text({ link: "Open the card", to: `/#${checkpoint.checkpointId}` }),
      note(firstLine(checkpoint.context, 300)),
      note(checkpoint.recommendation),
    ],
  };
}

function runningCard(facts: HomeFacts): Card {
  const spent = `${formatUsd(facts.spentMicroUsd)} of ${formatUsd(facts.dayCeilingMicroUsd)}${facts.spentIsEstimated ? " (estimated)" : ""}`;
  const title =
    facts.running.length === 0 ? "No goal is being worked" : `${count(facts.running.length, "goal")} at work`;
  const items = facts.running
    .slice(0, mostShown)
    .map(({ goal, state }): Span[] => [
      { strong: stateWords({ goal, state }) },
      " ",
      { link: firstLine(goal.content, 100), to: `/goals/${goal.goalId}` },
    ]);
  const list: CardBlock[] = items.length === 0 ? [] : [{ type: "list", items }];
  const spend: CardBlock = { type: "fields", fields: [{ label: "Spent today", value: [spent] }] };
  return plainCard({
    kind: "list",
    tone: "neutral",
    title,
    summary: `${title}, ${spent} spent today`,
    blocks: [...list, spend],
  });
}
