import { isEvent, type KnownEvent } from "../events/read.ts";
import type { GoalHistory, OutcomeEvent, HappeningType } from "./outcomes.ts";

/** The events that end a goal's work or its ladder. */
export const endings = [
  "goal.complete",
  "goal.failed",
  "goal.deferred",
  "goal.manual_followup",
  "recovery.escalated",
] as const;

/** The events before an end that explain it. */
export const between = [
  "recovery.retry",
  "checkpoint.answered",
  "goal.resumed",
  "goal.reworked",
  "goal.edited",
  "goal.rebased",
  "goal.ground-changed",
] as const;

/** A row of the timeline with the fields that a goal's history needs, and the question that it answers. */
export type HappenedRow = KnownEvent & {
  readonly goalId: string;
  readonly runId: string | null;
  readonly at: Date;
  /** Null when it happened without a person. */
  readonly actor: string | null;
  /** The kind of the question, the goal or session that it is about, and the effect of the answer. Null for other rows. */
  readonly question: { readonly kind: string; readonly about: string; readonly effect: string | null } | null;
};

/** The histories of goals, built from their rows, which must come oldest first. */
export function historiesOf(rows: readonly HappenedRow[]): GoalHistory[] {
  const byGoal = new Map<string, OutcomeEvent[]>();
  // Complete goals that were put on another base: their next completion only confirms the first one.
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
      // Without an actor, a campaign's day took the goal up again by itself.
      return actor === null ? ["again"] : ["helped", "again"];
    case "goal.edited":
      return isOnlyOrder(row.detail.fields) ? [] : ["helped"];
    case "checkpoint.answered": {
      if (question === null) return [];
      // A question about the session decides nothing about the goal, but may have let it go on.
      const decided: HappeningType[] = question.about === goalId ? ["decided"] : [];
      return isHelp(question) ? [...decided, "helped"] : decided;
    }
    case "goal.reworked":
    case "goal.rebased":
    case "goal.ground-changed":
      return ["again"];
  }
}

/** True for changes of when a goal is worked, not of what it is. */
function isOnlyOrder(fields: readonly string[]): boolean {
  return fields.every((field) => field === "priority" || field === "tags");
}

/**
 * True when an answer may have solved the problem. An approval that every goal needs (before the work, of its result, of an action of the
 * agent) does not; instructions, more money, an accepted proof and a Retry do.
 */
function isHelp({ kind, effect }: NonNullable<HappenedRow["question"]>): boolean {
  const isApproval = kind === "start" || kind === "diff" || kind === "permission";
  return !(isApproval && effect === "continue");
}
