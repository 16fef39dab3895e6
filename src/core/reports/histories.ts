import { isEvent, type KnownEvent } from "../events/read.ts";
import type { GoalHistory, OutcomeEvent, HappeningType } from "./outcomes.ts";

/** The events that end a goal's work, or its ladder. */
export const endings = [
  "goal.complete",
  "goal.failed",
  "goal.deferred",
  "goal.manual_followup",
  "recovery.escalated",
] as const;

/** Those before an end that tell how it came to it. */
export const between = [
  "recovery.retry",
  "checkpoint.answered",
  "goal.resumed",
  "goal.reworked",
  "goal.edited",
  "goal.rebased",
  "goal.ground-changed",
] as const;

/** A row of the timeline as far as it tells how a goal fared, with the question that it answers. */
export type HappenedRow = KnownEvent & {
  readonly goalId: string;
  readonly runId: string | null;
  readonly at: Date;
  /** Null: nobody, by itself. */
  readonly actor: string | null;
  /** Kind of question, the goal or session that it is about, and what the answer does; null for other rows. */
  readonly question: { readonly kind: string; readonly about: string; readonly effect: string | null } | null;
};

/** The histories of goals out of their rows, which come oldest first. */
export function historiesOf(rows: readonly HappenedRow[]): GoalHistory[] {
  const byGoal = new Map<string, OutcomeEvent[]>();
  // Complete, and put on another base: what its next end says of it.
  const movedOn = new Set<string>();
  for (const row of rows) {
    const { goalId, event, at, runId } = row;
    if (event === "goal.rebased" || event === "goal.ground-changed") movedOn.add(goalId);
    const happened = byGoal.get(goalId) ?? [];
    byGoal.set(goalId, happened);
    for (const found of typesOf(row)) {
      const type = found === "complete" && movedOn.has(goalId) ? "confirmed" : found;
      if (isEnd(found)) movedOn.delete(goalId);
      happened.push({ type, at, runId, words: wordsIn(row.detail) });
    }
  }
  return [...byGoal].map(([goalId, happened]) => ({ goalId, happened }));
}

function isEnd(type: HappeningType): boolean {
  return type !== "again" && type !== "failure" && type !== "decided" && type !== "helped";
}

function wordsIn(detail: HappenedRow["detail"]): string | null {
  if ("outcome" in detail) return detail.outcome;
  return "error" in detail ? detail.error : null;
}

function typesOf(row: HappenedRow): HappeningType[] {
  if (!isEvent(row, ...endings, ...between)) return [];
  const { goalId, actor, question } = row;
  switch (row.event) {
    case "goal.complete":
      return ["complete"];
    case "goal.failed":
      return ["failed"];
    case "goal.deferred":
      return ["deferred"];
    case "goal.manual_followup":
      return ["manual"];
    case "recovery.escalated":
      return ["escalated"];
    case "recovery.retry":
      return ["failure"];
    case "goal.resumed":
      // A campaign's day takes its goals up again by itself.
      return actor === null ? ["again"] : ["helped", "again"];
    case "goal.edited":
      return isOnlyOrder(row.detail.fields) ? [] : ["helped"];
    case "checkpoint.answered": {
      if (question === null) return [];
      // A question about its session decides nothing about the goal, but may have let it go on.
      const decided: HappeningType[] = question.about === goalId ? ["decided"] : [];
      return isHelp(question) ? [...decided, "helped"] : decided;
    }
    case "goal.reworked":
    case "goal.rebased":
    case "goal.ground-changed":
      return ["again"];
  }
}

/** Changes that say when a goal is worked, and not what it is. */
function isOnlyOrder(fields: readonly string[]): boolean {
  return fields.every((field) => field === "priority" || field === "tags");
}

/**
 * Whether an answer may have mended what went wrong. To approve what is asked about in any case (before the work, about its
 * result, about an action of the agent) does not; instructions, more money, an accepted proof and a Retry do.
 */
function isHelp({ kind, effect }: NonNullable<HappenedRow["question"]>): boolean {
  const isApproval = kind === "start" || kind === "diff" || kind === "permission";
  return !(isApproval && effect === "continue");
}
