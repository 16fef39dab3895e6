import type { Checkpoint } from "../checkpoints/checkpoint.ts";
import { groupsOf, type QuestionGroup } from "../checkpoints/batch.ts";
import type { Goal, GoalState } from "../goals/goal.ts";
import { formatUsd } from "../money.ts";
import type { Recommendation } from "../reports/recommendation.ts";
import { capitalised, count, firstLine } from "../text.ts";
import { batchActions, groupTitle } from "./batch-actions.ts";
import { type Card, type CardBlock, note, plainCard, type Span, text } from "./card.ts";
import { stateWords } from "./goal-card.ts";
import { adviceSpans } from "./standup-lines.ts";
import { headline, recommendationWords } from "./recommendation-words.ts";
import { withTimes } from "./times-in.ts";

/** One person's overview: the most urgent thing, the open questions, the running goals, today's cost. */
export interface HomeFacts {
  readonly first: Recommendation;
  /** Every open question. Those that `drawnAtHome` returns have their cards. */
  readonly waiting: readonly { readonly checkpoint: Checkpoint; readonly card: Card | null }[];
  /** When the questions were read. The person has not seen later ones. */
  readonly shownAt: Date;
  /** Cards of recent answers to many questions at once. */
  readonly batches: readonly Card[];
  readonly running: readonly { readonly goal: Goal; readonly state: GoalState }[];
  readonly spentMicroUsd: number;
  readonly spentIsEstimated: boolean;
  readonly dayCeilingMicroUsd: number;
}

const mostShown = 10;

/** With this limit, the headings of all groups and the running goals, Slack's 100 blocks are never exceeded. */
const mostQuestions = 8;

/** The ids of the questions that are drawn whole: the oldest of every group, then the second oldest, and so on up to the limit. */
export function drawnAtHome(open: readonly Checkpoint[]): ReadonlySet<string> {
  const groups = groupsOf(open);
  const longest = Math.max(0, ...groups.map(({ questions }) => questions.length));
  const inTurn = Array.from({ length: Math.min(longest, mostQuestions) }, (_, place) =>
    groups.flatMap(({ questions }) => questions[place] ?? []),
  ).flat();
  return new Set(inTurn.slice(0, mostQuestions).map(({ checkpointId }) => checkpointId));
}

/**
 * The open questions grouped by reason, oldest first (F-411): each a small card with its buttons, below the buttons that answer the whole
 * group. Then the running goals and their cost.
 */
export function homeCards(facts: HomeFacts): readonly Card[] {
  const { waiting } = facts;
  const urgent = headline(facts.first);
  const heading =
    waiting.length === 0
      ? capitalised(urgent ?? "nothing waits for you")
      : `${count(waiting.length, "decision")} waiting for you`;
  const isSaid = waiting.length > 0 || urgent === null;
  const more = isSaid ? [] : [text({ strong: "First: " }, ...adviceSpans(recommendationWords(facts.first)))];
  const cards = new Map(waiting.map(({ checkpoint, card }) => [checkpoint.checkpointId, card]));
  const groups = groupsOf(waiting.map(({ checkpoint }) => checkpoint));
  return [
    plainCard({ kind: "list", tone: "neutral", title: heading, summary: heading, blocks: more }),
    ...facts.batches,
    ...groups.flatMap((group) => groupCards(group, cards, facts.shownAt)),
    runningCard(facts),
  ];
}

/**
 * The home page for a platform with a maximum number of cards. Keeps the first cards and the last one, which shows what runs. A card before
 * the last names what was left out, with the command that shows it.
 */
export function homeWithin(cards: readonly Card[], most: number): readonly Card[] {
  if (cards.length <= most) return cards;
  const left = cards.slice(most - 2, -1);
  const title = "More decisions wait than are shown here";
  const items = left.slice(0, mostShown).map((card): Span[] => withTimes(firstLine(card.summary, 200)));
  const more = left.length > mostShown ? `and ${left.length - mostShown} more. ` : "";
  const blocks: CardBlock[] = [{ type: "list", items }, text(more, "All of it: ", { command: "checkpoints" })];
  const leftOut = plainCard({ kind: "list", tone: "neutral", title, summary: title, blocks });
  return [...cards.slice(0, most - 2), leftOut, ...cards.slice(-1)];
}

function groupCards(group: QuestionGroup, cards: ReadonlyMap<string, Card | null>, shownAt: Date): Card[] {
  const drawn = group.questions.flatMap((checkpoint) => {
    const card = cards.get(checkpoint.checkpointId) ?? null;
    return card === null ? [] : [waitingCard(checkpoint, card)];
  });
  const left = group.questions.length - drawn.length;
  return group.questions.length === 1 && left === 0 ? drawn : [groupCard(group, left, shownAt), ...drawn];
}

/** The heading of a group. `left`: how many of its questions are not shown below. */
function groupCard(group: QuestionGroup, left: number, shownAt: Date): Card {
  const title = groupTitle(group);
  const [oldest] = group.questions;
  const since: Span[] =
    oldest === undefined ? [] : ["The oldest has waited since ", { at: oldest.askedAt.toISOString() }];
  const more: Span[] = left > 0 ? [`; ${left} more than are shown here: `, { command: "checkpoints" }] : [];
  return {
    ...plainCard({ kind: "list", tone: "neutral", title, summary: title, blocks: [text(...since, ...more)] }),
    actions: batchActions(group, shownAt),
  };
}

function waitingCard(checkpoint: Checkpoint, card: Card): Card {
  const does = (card.brief ?? []).flatMap((block) => (block.type === "text" && block.isKept ? block.text : []));
  return {
    ...card,
    blocks: [
      text(...does, does.length === 0 ? "" : " ", { link: "Open the card", to: `/#${checkpoint.checkpointId}` }),
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
