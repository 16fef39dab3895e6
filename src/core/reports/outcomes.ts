/**
 * The outcomes of goals in a time span. They are derived from events and never from the status, which shows only the last one:
 *
 *   ended      complete · failed (its money, its setup, refused) · deferred (Skip) · manual (left to a person)
 *   confirmed  complete again, on another base: it was complete before, so this is no second achieved goal (D24, D37)
 *   again      taken up again after its end: resumed, given back, or to be verified on another base
 *   ladder     escalated: recovery came to its end, and a person was asked (D20: the goal counts as failed)
 *   trouble    failure: an attempt that failed
 *   persons    decided: a question about it was answered · helped: a person did something that may have solved it
 *
 * Whatever costs no attempt is no trouble: a provider's limit, a missing login, an interruption (D8, D18).
 */
export type HappeningType =
  | "complete"
  | "confirmed"
  | "again"
  | "failed"
  | "deferred"
  | "manual"
  | "escalated"
  | "failure"
  | "decided"
  | "helped";

export interface OutcomeEvent {
  readonly type: HappeningType;
  readonly at: Date;
  readonly runId: string | null;
  /** The text of an end, or of the failure that ended the ladder. Null for events without a text. */
  readonly words: string | null;
}

/** A goal with all its events of these types before the end of the time span, oldest first. */
export interface GoalHistory {
  readonly goalId: string;
  readonly happened: readonly OutcomeEvent[];
}

/** Includes `from`, excludes `to`. */
export interface TimeSpan {
  readonly from: Date;
  readonly to: Date;
}

/** The outcome of a goal in a time span: at most one for each goal, however often it was retried or resumed. */
export interface GoalOutcome {
  readonly goalId: string;
  /** Also `failed` when its ladder ended, whatever was decided then: skipped, done by hand, expired, given up. */
  readonly type: "complete" | "failed" | "deferred" | "manual";
  /** When it was completed, failed or set aside. */
  readonly at: Date;
  /** The run that ended this way. Null when it had none. */
  readonly runId: string | null;
  /** True when it failed because its ladder ended, and a person was asked. */
  readonly wasEscalated: boolean;
  /** How it ended. For a failed goal, what went wrong. */
  readonly words: string | null;
  /** True when a person answered a question about it since it was last complete. */
  readonly wasDecided: boolean;
}

/**
 * The outcome in a time span. Null when nothing ended, or when the goal is worked again at the end of the span; it then counts when it ends
 * anew. A failure counts even then. `history` may reach beyond the span.
 */
export function outcomeIn({ goalId, happened }: GoalHistory, { from, to }: TimeSpan): GoalOutcome | null {
  const before = happened.filter(({ at }) => at < to);
  const wasAgain = isAgain(before.filter(({ at }) => at < from));
  // If the goal was being worked again at the start, completing it again is its outcome.
  const counts = (type: HappeningType): boolean => settles(type) || (type === "confirmed" && wasAgain);
  const inTime = before.filter(({ at, type }) => at >= from && counts(type));
  const last = inTime.at(-1);
  if (last === undefined) return null;
  const completeAt = inTime.findLastIndex(({ type }) => type === "complete" || type === "confirmed");
  // If it was set aside after a failure, the failure is its outcome.
  const failed = inTime.slice(completeAt + 1).findLast(({ type }) => type === "failed" || type === "escalated");
  if (failed === undefined && isAgain(before)) return null;
  const { type, at, runId, words } = failed ?? last;
  const earlier = before.slice(0, before.lastIndexOf(last));
  const sinceComplete = earlier.slice(earlier.findLastIndex((each) => each.type === "complete") + 1);
  return {
    goalId,
    type: outcomeOf(type),
    at,
    runId,
    wasEscalated: type === "escalated",
    words,
    wasDecided: sinceComplete.some((each) => each.type === "decided"),
  };
}

function outcomeOf(type: HappeningType): GoalOutcome["type"] {
  if (type === "confirmed") return "complete";
  return type === "complete" || type === "deferred" || type === "manual" ? type : "failed";
}

/** True when it was taken up again and has not ended since. */
function isAgain(happened: readonly OutcomeEvent[]): boolean {
  return happened.findLast(({ type }) => type === "again" || isOver(type))?.type === "again";
}

/**
 * Whether the trouble of a goal that ended in a time span was solved without a person. Null when it had no trouble, or the trouble is not
 * over (the ladder is still being climbed, or the goal was parked). Trouble is over when the goal or its ladder ends, and counts in the
 * span of that moment. Whatever a person did between the first failure and the completion is help.
 */
export function troubleIn({ happened }: GoalHistory, { from, to }: TimeSpan): { readonly wasMended: boolean } | null {
  const before = happened.filter(({ at }) => at < to);
  const over = before.filter(({ type, at }) => at >= from && isOver(type)).at(-1);
  if (over === undefined) return null;
  const earlierEnd = before.findLastIndex(({ type, at }) => at < from && isOver(type));
  const since = before.slice(earlierEnd + 1, before.lastIndexOf(over) + 1);
  const failure = since.findIndex(({ type }) => type === "failure" || type === "failed" || type === "escalated");
  if (failure === -1) return null;
  const wasHelped = since.slice(failure).some(({ type }) => type === "helped");
  return { wasMended: (over.type === "complete" || over.type === "confirmed") && !wasHelped };
}

function isOver(type: HappeningType): boolean {
  return type === "confirmed" || settles(type);
}

function settles(type: HappeningType): boolean {
  switch (type) {
    case "complete":
    case "failed":
    case "deferred":
    case "manual":
    case "escalated":
      return true;
    case "confirmed":
    case "again":
    case "failure":
    case "decided":
    case "helped":
      return false;
  }
}
