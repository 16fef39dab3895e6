import type { Checkpoint, CheckpointKind, CheckpointStatus } from "./checkpoint.ts";
import type { AnswerDecision } from "./answering.ts";
import type { Trigger } from "./triggers.ts";

/**
 * Many questions answered with one choice (F-411). The answers are held for a time in which all of them can be undone:
 *
 *   held ──undo──► undone: nothing was answered
 *     └──due──► begun ──one answer after the other──► settled
 *
 * Each answer is one person's answer to one question as they saw it. Questions that changed since then are left out and listed.
 */

/** Kinds of questions that may be answered together. The others need a closer look: attempts, a proof, one action (D26, D29). */
const together: Readonly<Record<CheckpointKind, boolean>> = {
  start: true,
  continue: true,
  diff: true,
  permission: false,
  hiccup: false,
  proof: false,
  critics: false,
  approval: false,
  clarify: false,
  escalation: false,
  breaker: false,
  ceiling: false,
  plan: false,
  milestone: false,
  confirm: false,
  replan: false,
  money: false,
  tuning: false,
};

/** True when the question may be answered with others. False also after a failure, where Pause is recommended (C-65). */
export function mayJoin({ kind, reasons }: Pick<Checkpoint, "kind" | "reasons">): boolean {
  return together[kind] && reasons.every(({ trigger }) => trigger !== "hiccup");
}

/** Open questions that were asked for the same reason. */
export interface QuestionGroup {
  readonly trigger: Trigger;
  /** Oldest first. */
  readonly questions: readonly Checkpoint[];
  /** The questions of the group that may be answered together. */
  readonly joined: readonly Checkpoint[];
  /** Choices that all of `joined` offer and that need no further input. Empty for fewer than two questions. */
  readonly choices: readonly string[];
}

/** Sorts by age, oldest first, then by id, so that every list has the same order. */
export function oldestFirst(open: readonly Checkpoint[]): Checkpoint[] {
  return open.toSorted(
    (one, other) => one.askedAt.getTime() - other.askedAt.getTime() || (one.checkpointId < other.checkpointId ? -1 : 1),
  );
}

/** Groups open questions by their most important reason; the group with the oldest question comes first. */
export function groupsOf(open: readonly Checkpoint[]): QuestionGroup[] {
  const groups = new Map<Trigger, Checkpoint[]>();
  for (const each of oldestFirst(open)) groups.set(each.trigger, [...(groups.get(each.trigger) ?? []), each]);
  return [...groups].map(([trigger, questions]) => {
    const joined = questions.filter(mayJoin);
    return { trigger, questions, joined, choices: joined.length < 2 ? [] : commonChoices(joined) };
  });
}

/**
 * Returns the choices that all questions offer, of those that settle a question without further input. Pause settles nothing
 * (D11).
 */
export function commonChoices(questions: readonly Pick<Checkpoint, "options">[]): string[] {
  const [first, ...others] = questions;
  if (first === undefined) return [];
  const offers = ({ options }: Pick<Checkpoint, "options">): string[] =>
    options.flatMap(({ label, effect }) => (effect === "continue" || effect === "skip" ? [label] : []));
  return offers(first).filter((label) => others.every((each) => offers(each).includes(label)));
}

/** Returns one text for everything that a card shows about a question. When this text differs, the person saw another card. */
export function seenWords(checkpoint: Checkpoint): string {
  const { version, kind, reasons, context, options, recommendation, facts, changed, pausedBy, contentHash } =
    checkpoint;
  return JSON.stringify([
    version,
    kind,
    reasons,
    context,
    options,
    recommendation,
    facts,
    changed,
    pausedBy,
    contentHash,
  ]);
}

/** The result for one question of a batch: answered, voted (COS_QUORUM), or why it was left out. */
export const became = [
  "answered",
  "voted",
  /** It was asked, or changed, after the list was shown. */
  "newer",
  /** It changed while the batch was held. */
  "changed",
  "answered-before",
  "withdrawn",
  "expired",
  /** This person had already voted, or their vote does not count. */
  "voted-before",
  "not-counted",
  "not-offered",
  /** The person who started the batch may no longer decide. */
  "not-allowed",
  /** The answer could not be recorded; the log has the error. */
  "failed",
] as const;
export type Became = (typeof became)[number];

/** Returns the result of an answer to a question of a batch. `decision` is null when the question no longer exists. */
export function becameOf(decision: AnswerDecision | null): Became {
  if (decision === null) return "withdrawn";
  switch (decision.type) {
    case "recorded":
      return "answered";
    case "voted":
      return decision.isNew ? "voted" : "voted-before";
    case "not-counted":
      return "not-counted";
    case "already-answered":
      return decision.status === "superseded" ? "withdrawn" : "answered-before";
    case "expired":
      return "expired";
    case "changed":
    case "reopened":
      return "changed";
    case "paused":
    case "acknowledged":
    case "not-offered":
    case "instructions-needed":
    case "command-needed":
    case "fixed-command":
    case "not-taken":
    case "below-cost":
      return "not-offered";
  }
}

/** Returns the result for a question that a person chose in a list and that is no longer open. */
export function becameBefore(status: Exclude<CheckpointStatus, "pending">): Became {
  switch (status) {
    case "superseded":
      return "withdrawn";
    case "expired":
      return "expired";
    case "approved":
    case "rejected":
      return "answered-before";
  }
}

/** True when this person's answer was recorded. */
export function hasAnswerOf(result: Became): boolean {
  return result === "answered" || result === "voted";
}
