import type { Checkpoint, CheckpointKind, CheckpointStatus } from "./checkpoint.ts";
import type { AnswerDecision } from "./answering.ts";
import type { Trigger } from "./triggers.ts";

/**
 * Many questions answered with one choice (F-411), held for a while in which all of it can be undone:
 *
 *   held ──undo──► undone: nothing was answered
 *     └──due──► begun ──one answer after the other──► settled
 *
 * Every answer is one person's answer to one question as they saw it: what changed meanwhile is left out and named.
 */

/** Which kinds of questions may be answered together. The others need a look at each: what was tried, a proof, one action (D26, D29). */
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

/** Whether it may be answered together with others: not where something went wrong either, which recommends Pause (C-65). */
export function mayJoin({ kind, reasons }: Pick<Checkpoint, "kind" | "reasons">): boolean {
  return together[kind] && reasons.every(({ trigger }) => trigger !== "hiccup");
}

/** Open questions that were asked for the same reason. */
export interface QuestionGroup {
  readonly trigger: Trigger;
  /** Oldest first. */
  readonly questions: readonly Checkpoint[];
  /** Those of them that may be answered together. */
  readonly joined: readonly Checkpoint[];
  /** What each of `joined` offers and what says everything by itself; none where there are fewer than two. */
  readonly choices: readonly string[];
}

/** Oldest first; of one moment by their ids, so that every list has the same order. */
export function oldestFirst(open: readonly Checkpoint[]): Checkpoint[] {
  return open.toSorted(
    (one, other) => one.askedAt.getTime() - other.askedAt.getTime() || (one.checkpointId < other.checkpointId ? -1 : 1),
  );
}

/** Open questions by their most important reason; the group with the oldest question first. */
export function groupsOf(open: readonly Checkpoint[]): QuestionGroup[] {
  const groups = new Map<Trigger, Checkpoint[]>();
  for (const each of oldestFirst(open)) groups.set(each.trigger, [...(groups.get(each.trigger) ?? []), each]);
  return [...groups].map(([trigger, questions]) => {
    const joined = questions.filter(mayJoin);
    return { trigger, questions, joined, choices: joined.length < 2 ? [] : commonChoices(joined) };
  });
}

/**
 * The choices that each of them offers: those that settle a question without anything to be filled in. Pause settles nothing
 * (D11).
 */
export function commonChoices(questions: readonly Pick<Checkpoint, "options">[]): string[] {
  const [first, ...others] = questions;
  if (first === undefined) return [];
  const offers = ({ options }: Pick<Checkpoint, "options">): string[] =>
    options.flatMap(({ label, effect }) => (effect === "continue" || effect === "skip" ? [label] : []));
  return offers(first).filter((label) => others.every((each) => offers(each).includes(label)));
}

/** What was seen of a question, in one text: another text, and the card shows something else than what was decided about. */
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

/** What became of one question of a batch. Answered: alone, or as one vote of several (COS_QUORUM); else why it was left out. */
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
  /** This person had voted, or their vote does not count. */
  "voted-before",
  "not-counted",
  "not-offered",
  /** Whoever asked for it may not decide any more. */
  "not-allowed",
  /** Recording it failed; the log says how. */
  "failed",
] as const;
export type Became = (typeof became)[number];

/** What an answer to a question of a batch came to; null: there is no such question any more. */
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

/** What became of a question that somebody chose in a list and that is open no more. */
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

/** Whether the question has this person's answer. */
export function hasAnswerOf(result: Became): boolean {
  return result === "answered" || result === "voted";
}
