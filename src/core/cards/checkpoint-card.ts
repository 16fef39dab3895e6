import type { Checkpoint, GoalCheckpoint } from "../checkpoints/checkpoint.ts";
import { acknowledgeLabel, editLabel } from "../checkpoints/options.ts";
import type { Trigger } from "../checkpoints/triggers.ts";
import { formatUsd } from "../money.ts";
import { firstLine, shorten } from "../text.ts";
import { saidBlocks } from "./answered-words.ts";
import { briefPair } from "./brief-pair.ts";
import { type Card, type CardAction, type CardBlock, note, text } from "./card.ts";
import { checkpointLead, openBrief } from "./checkpoint-brief.ts";
import { consequenceOf, noAnswerLine, withoutAnswer } from "./checkpoint-consequences.ts";
import type { CheckpointCardFacts } from "./checkpoint-facts.ts";
import { runBlocks, runsLine } from "./command-runs.ts";
import { approachesLine, approachItems, lastWordsBlocks } from "./escalation-card.ts";
import { answerHolds } from "./held-words.ts";
import { actionFor, checkpointState, plainSettled, settledLine } from "./question-parts.ts";
import { momentText } from "./times-in.ts";

/** The reasons for which somebody is asked, in words. */
export const triggerNames: Readonly<Record<Trigger, string>> = {
  hiccup: "something unexpected",
  ux_change: "user-facing change",
  cost_single: "cost above the threshold",
  cost_cumulative: "today's spend above the threshold",
  architecture: "architectural change",
  scope_change: "not in the plan",
};

/** The name of a trigger from a stored row, which may be one that this version does not know. */
export function triggerNameOf(trigger: string): string {
  const names: Readonly<Record<string, string>> = triggerNames;
  return (Object.hasOwn(names, trigger) ? names[trigger] : null) ?? trigger.replaceAll("_", " ");
}

/** The subject of a question about a ceiling. Its context says whose ceiling it is. */
export const ceilingName = "not enough money left";

/**
 * A question, or how it was settled. Open: reasons, facts, what each choice does and what happens without an answer. Settled: no buttons;
 * who decided, when, after how long. S4-CK-11…14, D10–D12, C-61.
 */
export function checkpointCard(facts: CheckpointCardFacts): Card {
  const { checkpoint, goal } = facts;
  const what = firstLine(goal.content, 100);
  const title = titleOf(facts);

  if (checkpoint.status !== "pending") {
    const settled = endedLine(checkpoint);
    return {
      kind: "checkpoint",
      tone: checkpoint.status === "approved" ? "good" : "neutral",
      title,
      summary: `${title}: ${what}. ${plainSettled(checkpoint)}`,
      lead: checkpointLead(facts),
      blocks: [goalLine(goal), ...reasonBlocks(facts), settled, ...broughtBlocks(facts)],
      brief: [settled, ...broughtBlocks(facts), ...reasonBlocks(facts)],
      actions: [],
      state: checkpointState(checkpoint),
      goalId: goal.goalId,
    };
  }

  const recommended = checkpoint.options.find(({ isRecommended }) => isRecommended) ?? null;
  const consequence = recommended === null ? noAnswerLine(facts) : consequenceOf(facts, recommended);
  return {
    kind: "checkpoint",
    tone: "asking",
    title,
    summary: `${title}: ${what}. Answer by ${momentText(checkpoint.expiresAt)}, or ${withoutAnswer(checkpoint.kind)}.`,
    lead: checkpointLead(facts),
    blocks: openBlocks(facts),
    ...briefPair((width) => openBrief(facts, recommended, consequence, width)),
    actions: [...checkpoint.options.map((option) => actionFor(facts, option, what)), ...acknowledgeAction(facts)],
    state: stateOf(checkpoint),
    goalId: goal.goalId,
  };
}

function titleOf({ checkpoint, attempts }: CheckpointCardFacts): string {
  switch (checkpoint.kind) {
    case "escalation": {
      const runs = runsLine(attempts);
      if (runs !== null) return `Escalation: ${runs}`;
      return attempts.length === 0 ? "Escalation" : `Escalation after ${approachesLine(attempts)}`;
    }
    case "clarify":
      return "A question before the last attempt";
    case "breaker":
      return "Session paused: something unexpected";
    case "ceiling":
      return `Checkpoint: ${ceilingName}`;
    case "start":
    case "continue":
    case "diff":
    case "permission":
    case "hiccup":
    case "critics":
    case "approval":
    case "proof": {
      const names = checkpoint.reasons.map((reason) => triggerNames[reason.trigger]);
      return `Checkpoint: ${fewNames([...new Set(names)])}`;
    }
  }
}

/** A heading has at most twelve words (F-407). The reasons below it name all of them. */
function fewNames(names: readonly string[]): string {
  const more = names.length - 2;
  return more < 1 ? names.join(", ") : `${names.slice(0, 1).join(", ")} and ${more + 1} more reasons`;
}

function stateOf(checkpoint: Checkpoint): string {
  const { pausedBy, acknowledgedBy } = checkpoint;
  if (pausedBy !== null) return "session paused";
  return acknowledgedBy === null ? checkpointState(checkpoint) : `seen by ${acknowledgedBy}`;
}

/** The button that says "seen, not decided". Only on an escalation that nobody has acknowledged. */
function acknowledgeAction({ checkpoint, goal }: CheckpointCardFacts): CardAction[] {
  const { checkpointId, version } = checkpoint;
  if (checkpoint.kind !== "escalation" || checkpoint.acknowledgedBy !== null) return [];
  return [
    {
      choice: acknowledgeLabel.toLowerCase(),
      label: acknowledgeLabel,
      call: { command: "answer", id: { checkpointId, version }, choice: acknowledgeLabel },
      style: "default",
      about: firstLine(goal.content, 100),
      until: null,
    },
  ];
}

function openBlocks(card: CheckpointCardFacts): CardBlock[] {
  const { checkpoint, goal } = card;
  const { facts } = checkpoint;
  const blocks: CardBlock[] = [goalLine(goal)];
  if (checkpoint.changed !== null) blocks.push(text({ strong: "Changed since you were asked: " }, checkpoint.changed));
  blocks.push(...reasonBlocks(card));
  if (goal.runCommand !== null) blocks.push(text("Runs: ", { code: shorten(goal.runCommand, 300) }));
  blocks.push({
    type: "fields",
    fields: [
      {
        label: "Cost so far",
        value: [`${formatUsd(facts.costMicroUsd)}${facts.costIsEstimated ? " (estimated)" : ""}`],
      },
      {
        label: "Estimate",
        value: [facts.estimateMicroUsd === null ? "none given" : formatUsd(facts.estimateMicroUsd)],
      },
      {
        label: "Spent today",
        value: [`${formatUsd(facts.spentTodayMicroUsd)}${facts.spentTodayIsEstimated === true ? " (estimated)" : ""}`],
      },
      { label: "Answer by", value: [{ at: checkpoint.expiresAt.toISOString() }] },
    ],
  });
  if (card.held !== null) blocks.push(text(answerHolds(card.held)));
  blocks.push({
    type: "list",
    items: [
      ...checkpoint.options.map((option) => [
        { strong: option.isRecommended ? `${option.label} (recommended): ` : `${option.label}: ` },
        consequenceOf(card, option),
      ]),
      [{ strong: "No answer: " }, noAnswerLine(card)],
    ],
  });
  blocks.push(note(checkpoint.recommendation));
  if (checkpoint.kind === "escalation" || checkpoint.kind === "clarify") blocks.push(replyHint(card));
  if (checkpoint.acknowledgedBy !== null && checkpoint.acknowledgedAt !== null) {
    const at = { at: checkpoint.acknowledgedAt.toISOString() };
    blocks.push(text({ strong: `Seen by ${checkpoint.acknowledgedBy}` }, ", ", at, "; nothing is decided yet."));
  }
  if (checkpoint.pausedBy !== null) {
    blocks.push(text({ strong: `Session paused by ${checkpoint.pausedBy}; answering resumes it.` }));
  }
  return blocks;
}

function replyHint({ checkpoint: { kind, checkpointId }, goal }: CheckpointCardFacts): CardBlock {
  if (kind === "clarify") return note("Or reply in the thread: what you write is the answer.");
  return note(
    "Or reply in the thread, or with ",
    { command: `reply ${checkpointId} TEXT` },
    ", such as ",
    { code: goal.runCommand === null ? "retry: use the other file" : "edit: npm run fix" },
    "; it is read back first. ",
    { link: "As Markdown", to: `/escalations/${checkpointId}.md`, isFile: true },
    ": ",
    { command: `escalation ${checkpointId} --markdown` },
  );
}

function goalLine(goal: CheckpointCardFacts["goal"]): CardBlock {
  return text({ link: shorten(goal.content.trim(), 600), to: `/goals/${goal.goalId}` });
}

function reasonBlocks({ checkpoint, attempts }: CheckpointCardFacts): CardBlock[] {
  const items = checkpoint.reasons.map((reason) => [shorten(reason.context, 700)]);
  const blocks: CardBlock[] = [{ type: "list", items }];
  const { details } = checkpoint.facts;
  if (checkpoint.kind === "escalation") {
    blocks.push({ type: "list", items: details.map((each) => [shorten(each, 500)]) });
    if (runsLine(attempts) !== null) return [...blocks, ...runBlocks(attempts)];
    if (attempts.length > 0) {
      blocks.push(text({ strong: "What was tried" }), { type: "list", items: approachItems(attempts).slice(0, 12) });
      blocks.push(...lastWordsBlocks(attempts));
    }
    return blocks;
  }
  if (details.length > 0) blocks.push({ type: "code", text: shorten(details.join("\n"), 1500) });
  const { diff } = checkpoint.facts;
  if (diff !== undefined) blocks.push({ type: "code", text: shorten(diff, 2500), isDiff: true });
  return blocks;
}

/** What an answer contained: the new command, or what it changed and what the person wrote. */
function broughtBlocks({ checkpoint: { chosenOption, humanNotes }, brought }: CheckpointCardFacts): CardBlock[] {
  const command = chosenOption === editLabel ? (humanNotes?.trim() ?? "") : "";
  if (command === "") return saidBlocks(humanNotes, brought);
  return [text("It runs this now: ", { code: shorten(command, 300) })];
}

function endedLine(checkpoint: GoalCheckpoint): CardBlock {
  const again = `goal resume ${checkpoint.goalId ?? checkpoint.subject}`;
  const isOnlyWaiting = checkpoint.kind === "clarify" || checkpoint.kind === "breaker";
  return settledLine(checkpoint, {
    expired: isOnlyWaiting
      ? [`${withoutAnswer(checkpoint.kind)}.`]
      : ["the goal is parked. Ask again with ", { command: again }],
    withdrawn: "the goal does not need this answer any more",
  });
}
