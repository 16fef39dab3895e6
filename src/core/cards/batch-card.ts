import { type Became, hasAnswerOf } from "../checkpoints/batch.ts";
import type { Checkpoint } from "../checkpoints/checkpoint.ts";
import { count, firstLine, formatDuration } from "../text.ts";
import { placeWords } from "../chat-platforms.ts";
import { type Card, type CardBlock, type Span, type Text, text } from "./card.ts";
import { triggerNames } from "./checkpoint-card.ts";

/** What the card of one answer to many questions shows (F-411). */
export interface BatchFacts {
  readonly batchId: string;
  readonly choice: string;
  readonly status: "held" | "begun" | "settled" | "undone";
  readonly actor: string;
  readonly via: string;
  readonly askedAt: Date;
  readonly dueAt: Date;
  readonly undoneBy: string | null;
  /** In the order in which the list showed them. */
  readonly questions: readonly BatchedLine[];
}

export interface BatchedLine {
  readonly became: Became | null;
  readonly checkpoint: Pick<
    Checkpoint,
    "checkpointId" | "goalId" | "context" | "reasons" | "chosenOption" | "resolvedBy"
  >;
  /** The goal's text. Null when the question has no goal. */
  readonly content: string | null;
}

const mostShown = 10;

/** While it can be undone, shows what will be answered. Later shows how many were answered, and which were left out and why. */
export function batchCard(facts: BatchFacts): Card {
  const { batchId, choice, status, actor, via, dueAt } = facts;
  const title = titleOf(facts);
  const isHeld = status === "held";
  const who = text(`Asked for by ${actor} ${placeWords(via)}.`);
  const action = {
    choice: "undo",
    label: "Undo",
    call: { command: "batch undo" as const, id: batchId },
    style: "default" as const,
    about: `${choice} for ${count(meantOf(facts).length, "question")}`,
    until: null,
  };
  return {
    kind: "notice",
    tone: isHeld ? "working" : "neutral",
    title,
    summary: summaryOf(facts),
    blocks: [
      ...linesOf(facts),
      who,
      ...(isHeld
        ? [text("Undo all of it until ", { at: dueAt.toISOString() }, ": ", { command: `batch undo ${batchId}` })]
        : []),
    ],
    actions: isHeld ? [action] : [],
    state: null,
  };
}

/** The questions that are to be answered: all except those that came or changed after the list was shown. */
function meantOf({ questions }: BatchFacts): BatchedLine[] {
  return questions.filter(({ became }) => became !== "newer");
}

function titleOf(facts: BatchFacts): string {
  const { choice, status, undoneBy, askedAt, dueAt, questions } = facts;
  const meant = count(meantOf(facts).length, "question");
  switch (status) {
    case "held":
      return `${choice} for ${meant}, in ${formatDuration(dueAt.getTime() - askedAt.getTime())}`;
    case "begun":
      return `${choice} for ${meant}: under way`;
    case "undone":
      return `Undone by ${undoneBy ?? "somebody"}: ${choice} for ${meant}. Nothing was answered`;
    case "settled": {
      const taken = questions.filter(({ became }) => became !== null && hasAnswerOf(became)).length;
      return `${choice}: answered ${taken} of ${meantOf(facts).length}`;
    }
  }
}

/** "Answered 7 of 8: Proceed. goal-1a2b3c4d changed meanwhile and was left out." */
function summaryOf(facts: BatchFacts): string {
  const left = leftOut(facts).slice(0, 3);
  const more = leftOut(facts).length - left.length;
  const words = left.map((each) => ` ${nameOf(each)} ${leftOutWords(each)} and was left out.`).join("");
  return `${titleOf(facts)}.${words}${more > 0 ? ` So were ${more} more.` : ""}`;
}

function leftOut({ questions }: BatchFacts): BatchedLine[] {
  return questions.filter(({ became }) => became !== null && !hasAnswerOf(became));
}

function nameOf({ checkpoint: { goalId, checkpointId } }: BatchedLine): string {
  return goalId ?? checkpointId;
}

/** The questions that were left out come first, because the others were answered as asked. */
function linesOf(facts: BatchFacts): CardBlock[] {
  const left = leftOut(facts);
  const others = facts.questions.filter((each) => !left.includes(each));
  const leftItems = left
    .slice(0, mostShown)
    .map((each): Text => [...lineOf(each), ": ", { strong: "left out" }, `, it ${leftOutWords(each)}`]);
  const shown = others.slice(0, mostShown);
  const items = shown.map((each): Text => [...lineOf(each), votedWords(each)]);
  const more = left.length - leftItems.length + others.length - shown.length;
  return [
    ...(leftItems.length + items.length === 0 ? [] : [{ type: "list" as const, items: [...leftItems, ...items] }]),
    ...(more > 0 ? [text(`and ${more} more`)] : []),
  ];
}

/** The goal, and the question's other reasons: one answer settles all of them. */
function lineOf({ checkpoint, content }: BatchedLine): Span[] {
  const [, ...also] = [...new Set(checkpoint.reasons.map(({ trigger }) => triggerNames[trigger]))];
  const link = { link: firstLine(content ?? checkpoint.context, 80), to: `/#${checkpoint.checkpointId}` };
  return [link, ...(also.length === 0 ? [] : [` (also: ${also.join(", ")})`])];
}

function votedWords({ became }: BatchedLine): string {
  return became === "voted" ? ": your vote counts, others have to agree as well" : "";
}

/** Why the question was left out, worded to follow "it" or the question's name. */
function leftOutWords({ became, checkpoint: { chosenOption, resolvedBy } }: BatchedLine): string {
  switch (became) {
    case "newer":
      return "came or changed after the list was shown";
    case "changed":
      return "changed meanwhile";
    case "answered-before":
      return `was answered meanwhile (${chosenOption ?? "answered"} by ${resolvedBy ?? "somebody"})`;
    case "withdrawn":
      return "was withdrawn meanwhile";
    case "expired":
      return "waited for too long";
    case "voted-before":
      return "has this vote already";
    case "not-counted":
      return "needs the votes of others";
    case "not-offered":
      return "does not offer that any more";
    case "not-allowed":
      return "was asked by somebody who may not decide any more";
    case "failed":
      return "could not be answered: the log says why";
    case "answered":
    case "voted":
    case null:
      return "";
  }
}
