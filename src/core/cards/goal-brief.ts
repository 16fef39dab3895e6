import { formatUsd } from "../money.ts";
import { type Untaken, untakenAdvice, untakenWords } from "../lacks.ts";
import { count, firstLine, shorten } from "../text.ts";
import { moneyNextBlocks } from "./again-words.ts";
import { type CardBlock, note, sentence, text } from "./card.ts";
import type { GoalCardFacts, MergeFacts } from "./goal-facts.ts";
import { ladderWords, runsWords } from "./goal-ladder-words.ts";
import { backingWords, criteriaWords } from "./goal-proof-words.ts";
import { leftOutBlocks } from "./left-out-words.ts";
import { pullInLine } from "./pull-words.ts";
import { lookBlocks, proofBlocks } from "./proof-words.ts";

/** The goal's result or state, the evidence for it, and the state of its branch (F-407). */
export function goalBrief(facts: GoalCardFacts): CardBlock[] {
  const { goal, stat, merge } = facts;
  const changes = stat === null ? "" : ` · ${count(stat.files, "file")}, +${stat.insertions} −${stat.deletions}`;
  const criteria = facts.criteria.length === 0 ? "" : ` · ${criteriaWords(facts.criteria)}`;
  const ladder = runsWords(facts) ?? ladderWords(facts);
  // The worth of the proof says more than the number of passed criteria.
  const proof = goal.status === "complete" ? [...proofBlocks(facts), ...lookBlocks(facts.noted, facts.trials)] : [];
  const isSaid = goal.outcome === null || proof.length > 0;
  const ended = isSaid ? [] : [text(...sentence(firstLine(goal.outcome, 100)))];
  const next = moneyNextBlocks(facts);
  const waiting = facts.onTopOf.filter((each) => !each.isReady);
  return [
    ...(merge === null ? [] : [mergeBlock(merge)]),
    ...proof,
    ...(facts.leftOut === undefined ? [] : leftOutBlocks(facts.leftOut)),
    // If more money is what it needs, the earlier attempts do not matter.
    ...(ladder === null || next.length > 0 ? [] : [text(ladder)]),
    ...ended,
    ...next,
    ...(waiting.length === 0 || facts.state !== "idle"
      ? []
      : [text({ strong: "Waits for " }, waiting.map((each) => each.goalId).join(" and "), ".")]),
    ...(facts.untaken === null ? [] : [untakenBlock(facts.untaken)]),
    ...(facts.refusedCalls.length === 0
      ? []
      : [
          text({ strong: "Refused: " }, "its own process called ", {
            code: firstLine(facts.refusedCalls.at(-1) ?? "", 30),
          }),
        ]),
    ...(goal.status === "complete" ? [note(backingWords(facts))] : []),
    text(`${facts.flat ?? costWords(facts)}${changes}${criteria}`),
    text(
      { link: goal.goalId, to: `/goals/${goal.goalId}` },
      ` · ${facts.repositoryName}`,
      ...(facts.pull === null ? [] : pullInLine(facts.pull)),
    ),
  ];
}

/** Says that no running worker may take the goal, and what to do. */
export function untakenBlock(untaken: Untaken): CardBlock {
  const advice = untakenAdvice(untaken);
  const next = advice === null ? "" : ` What to do: ${shorten(advice, 200)}.`;
  return text({ strong: "Waits: " }, `${shorten(untakenWords(untaken), 300)}.${next}`);
}

/** `$1.20 of $5.00`, followed by *(estimated)* when the agent did not report the cost. */
export function costWords({ costMicroUsd, ceilingMicroUsd, costIsEstimated }: GoalCardFacts): string {
  return `${formatUsd(costMicroUsd)} of ${formatUsd(ceilingMicroUsd)}${costIsEstimated ? " (estimated)" : ""}`;
}

/** The state of the goal's branch. */
export function mergeBlock(merge: MergeFacts): CardBlock {
  const { into, by } = merge;
  const at = { at: (merge.settledAt ?? merge.dueAt).toISOString() };
  switch (merge.status) {
    case "due":
      return text(
        { strong: `Merging into ${into}` },
        " at ",
        at,
        `, asked by ${by}. ${merge.outcome ?? "Undo stops it until then."}`,
      );
    case "merging":
      return text({ strong: `Merging into ${into}` }, merge.outcome === null ? " now." : `. ${merge.outcome}`);
    case "merged":
      return text(
        { strong: `Merged into ${into}` },
        `, by ${by}, `,
        at,
        " as ",
        { code: (merge.resultCommit ?? "").slice(0, 12) },
        ...(merge.outcome === null ? [] : [`. ${merge.outcome}.`]),
      );
    case "undone":
      return note(`The merge into ${into} was not done: ${merge.outcome ?? "undone"}.`);
    case "refused":
      return text({ strong: "Not merged. " }, ...sentence(merge.outcome ?? ""));
    case "discarded":
      return text(
        { strong: "Discarded" },
        `, by ${by}, `,
        at,
        ...(merge.outcome === null
          ? ["; its branch was gone, and its commit is not on this machine."]
          : ["; kept as ", { code: merge.outcome }, " for 30 days."]),
      );
  }
}
