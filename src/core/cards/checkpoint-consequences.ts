import type { CheckpointKind, GoalQuestion, CheckpointOption } from "../checkpoints/checkpoint.ts";
import { offersCriterion } from "../checkpoints/find-option.ts";
import { formatUsd } from "../money.ts";
import type { HeldFacts } from "./held-words.ts";
import type { CheckpointCardFacts } from "./checkpoint-facts.ts";

/** What happens when nobody answers a question of this kind, as a part of a sentence. */
export function withoutAnswer(kind: CheckpointKind): string {
  switch (kind) {
    case "clarify":
      return "the next attempt runs without an answer";
    case "breaker":
      return "the session stays paused";
    case "start":
    case "continue":
    case "diff":
    case "permission":
    case "hiccup":
    case "proof":
    case "critics":
    case "approval":
    case "ceiling":
    case "escalation":
      return "the goal is parked";
    case "tuning":
      return "the policy stays as it is";
    case "plan":
      return "the campaign does not start";
    case "confirm":
      return "the milestone stays open";
    case "milestone":
    case "replan":
    case "money":
      return "the campaign stays paused";
  }
}

/** What happens when nobody answers, as a whole sentence that also mentions the session. */
export function noAnswerLine({ checkpoint: { kind }, held }: CheckpointCardFacts): string {
  if (kind === "clarify" || kind === "breaker") return `${withoutAnswer(kind)}.`;
  const next = holdsOthers(held) ? ", and the session goes on with the next goal" : "";
  return `the goal is parked; nothing is done for it${next}.`;
}

/** When a goal is given up, the goals that build on it are parked too (D37). */
function parksBuilders(held: HeldFacts | null): string {
  const builders = held?.builders ?? 0;
  if (builders === 0) return "";
  return builders === 1 ? "; 1 goal that builds on it is parked" : `; ${builders} goals that build on it are parked`;
}

/** True when the session works its goals in order, so that the next goal waits for this answer. */
function holdsOthers(held: HeldFacts | null): boolean {
  return held !== null && held.why === "order" && held.held.waits.length > 0;
}

/** What a choice does, in one line. */
export function consequenceOf(card: CheckpointCardFacts, option: CheckpointOption): string {
  const { checkpoint, ceilingMicroUsd, goal } = card;
  const next = `${holdsOthers(card.held) ? " and the next one starts" : ""}${parksBuilders(card.held)}`;
  switch (option.effect) {
    case "continue":
      if (checkpoint.kind === "escalation" && card.attempts.at(-1)?.end === "push") return "its work is pushed again.";
      if (checkpoint.kind === "escalation" && goal.runCommand !== null)
        return "the same command is run twice more, the second time in a fresh place.";
      if (offersCriterion(checkpoint))
        return "the work counts as it is, the goal is complete, and every report says that you accepted it.";
      return continuing(checkpoint.kind, ceilingMicroUsd);
    case "edit":
      return "you give another command, and the goal starts over with it.";
    case "skip":
      return checkpoint.kind === "breaker"
        ? "the session ends; its unfinished goals wait for another one."
        : `the goal ends as skipped${next}.`;
    case "manual":
      return `you do it yourself; the goal is left to you${next}.`;
    case "modify":
      if (checkpoint.kind === "clarify") return "the next attempt gets your words.";
      if (offersCriterion(checkpoint)) return "you give criteria that can fail, and the same work must pass them.";
      if (goal.runCommand !== null)
        return "you add criteria or a budget, and the goal runs with them; a fixed command takes no instructions.";
      return "you add instructions, criteria or a budget, and the goal runs with them.";
    case "pause":
      return "the session pauses and this question stays open.";
    case "retry":
      return checkpoint.kind === "proof" && !offersCriterion(checkpoint)
        ? "it is worked on, with those files as they were."
        : "it is worked on, with what was found.";
  }
}

function continuing(kind: GoalQuestion, ceilingMicroUsd: number): string {
  switch (kind) {
    case "ceiling":
      return "the goal may cost the same amount again, and goes on.";
    case "start":
    case "hiccup":
      return `the goal runs and may cost up to ${formatUsd(ceilingMicroUsd)}.`;
    case "diff":
      return "the work counts as it is, and the goal is complete.";
    case "permission":
      return "this one action is allowed, once.";
    case "continue":
      return `the goal goes on where it is and may cost up to ${formatUsd(ceilingMicroUsd)}.`;
    case "proof":
      return "the changed files count as they are, and the goal is complete.";
    case "critics":
      return "what the critics found counts as accepted, and the goal goes on.";
    case "approval":
      return "the spec counts as it is, and the goal is complete.";
    case "escalation":
      return `up to six more attempts with a fresh context; the goal may cost up to ${formatUsd(ceilingMicroUsd)}.`;
    case "clarify":
      return "the last attempt begins now.";
    case "breaker":
      return "the session goes on with what is next, and counts failures from zero.";
  }
}
