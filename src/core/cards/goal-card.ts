import type { Goal, GoalState } from "../goals/goal.ts";
import { formatUsd } from "../money.ts";
import { firstLine, shorten } from "../text.ts";
import { type Card, type CardBlock, type CardTone, note, type Text, text } from "./card.ts";

/** How a line is backed: run by the system, said by the executor, or neither (D27). */
export type EvidenceTag = "verified" | "claimed" | "not checked";

export interface GoalCardFacts {
  readonly goal: Goal;
  readonly state: GoalState;
  readonly repositoryName: string;
  readonly executor: string;
  readonly costMicroUsd: number;
  readonly costIsEstimated: boolean;
  readonly ceilingMicroUsd: number;
  readonly commit: string | null;
  readonly tag: EvidenceTag;
  /** What the goal's own processes tried to call and may not (D2), newest last. */
  readonly refusedCalls: readonly string[];
}

/** A goal's own card, edited in place: state, cost, branch, how it ended. */
export function goalCard(facts: GoalCardFacts): Card {
  const { goal } = facts;
  const state = stateWords(facts);
  const what = firstLine(goal.content, 100);
  return {
    kind: "goal",
    tone: toneOf(facts),
    title: what,
    summary: `Goal ${state}: ${what}${goal.outcome === null ? "" : `. ${firstLine(goal.outcome, 300)}`}`,
    blocks: goalBlocks(facts),
    actions: [],
    state,
    goalId: goal.goalId,
  };
}

function goalBlocks(facts: GoalCardFacts): CardBlock[] {
  const { goal } = facts;
  const cost = `${formatUsd(facts.costMicroUsd)} of ${formatUsd(facts.ceilingMicroUsd)}${facts.costIsEstimated ? " (estimated)" : ""}`;
  const fields: { label: string; value: Text }[] = [
    { label: "Goal", value: [{ link: goal.goalId, to: `/goals/${goal.goalId}` }] },
    { label: "Repository", value: [facts.repositoryName] },
    { label: "Worked by", value: [facts.executor] },
    { label: "Cost", value: [cost] },
  ];
  if (goal.branch !== null) fields.push({ label: "Branch", value: [{ code: goal.branch }] });
  if (facts.commit !== null) fields.push({ label: "Commit", value: [{ code: facts.commit.slice(0, 12) }] });
  const blocks: CardBlock[] = [{ type: "fields", fields }];
  if (goal.content.trim().includes("\n")) blocks.unshift(text(shorten(goal.content.trim(), 600)));
  if (goal.outcome !== null) blocks.push(text(shorten(goal.outcome, 1200)));
  if (facts.refusedCalls.length > 0) {
    const last = facts.refusedCalls.at(-1) ?? "";
    blocks.push(
      text(
        { strong: "Refused: " },
        "the goal's own process called ",
        { code: shorten(last, 100) },
        "; nothing was changed by it.",
      ),
    );
  }
  if (goal.status === "complete") {
    blocks.push(
      note(
        facts.tag === "claimed"
          ? "claimed: the executor says so; no acceptance criterion was run"
          : `${facts.tag}: by the evidence kept for this goal`,
      ),
    );
  }
  return blocks;
}

/** The state in words, for badges and lists. */
export function stateWords({ goal, state }: Pick<GoalCardFacts, "goal" | "state">): string {
  switch (state) {
    case "ended":
      return goal.status === "manual_followup" ? "manual follow-up" : goal.status;
    case "running":
      return goal.phase === "implement" ? "working" : "starting";
    case "waiting":
      return "waiting for an answer";
    case "parked":
      return "parked";
    case "retrying":
      return "retrying";
    case "ready":
      return "next";
    case "idle":
      return goal.status === "in_progress" ? "interrupted" : "pending";
  }
}

function toneOf({ goal, state }: GoalCardFacts): CardTone {
  if (goal.status === "complete") return "good";
  if (goal.status === "failed") return "bad";
  if (state === "running") return "working";
  if (state === "waiting") return "asking";
  return "neutral";
}
