/**
 * What became of goals in a time, from what happened to them and never from their status, which tells only the last thing:
 *
 *   ended      complete · failed (its money, its setup, refused) · deferred (Skip) · manual (left to a person)
 *   confirmed  complete again, on another base: it was complete before, and no second goal was achieved (D24, D37)
 *   again      taken up again after its end: resumed, given back, or to be verified on another base
 *   ladder     escalated: recovery came to its end, and a person was asked (D20: the goal counts as failed)
 *   trouble    failure: an attempt that failed
 *   persons    decided: a question about it was answered · helped: a person did what may have mended it
 *
 * What costs no attempt is no trouble: a provider's limit, a missing login, an interruption (D8, D18).
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
  /** What was said about an end or a ladder's; null for what says nothing. */
  readonly words: string | null;
}

/** A goal with everything of this kind that ever happened to it before the time's end, oldest first. */
export interface GoalHistory {
  readonly goalId: string;
  readonly happened: readonly OutcomeEvent[];
}

/** From the first moment to before the second. */
export interface TimeSpan {
  readonly from: Date;
  readonly to: Date;
}

/** What a goal came to in a time: at most one for each goal, however often it was retried or resumed. */
export interface GoalOutcome {
  readonly goalId: string;
  /** `failed` also when its ladder ended, whatever was decided then: skipped, done by hand, expired, given up. */
  readonly type: "complete" | "failed" | "deferred" | "manual";
  /** When it was completed, failed, or was set aside. */
  readonly at: Date;
  /** The run that ended so; null: it had none. */
  readonly runId: string | null;
  /** Failed because its ladder ended: a person was asked. */
  readonly wasEscalated: boolean;
  /** How it ended; of what failed, what went wrong. */
  readonly words: string | null;
  /** A person answered a question about it since it was last complete. */
  readonly wasDecided: boolean;
}

/**
 * The outcome within a time; null when nothing ended, or what did is worked again when the time is over: it counts when it ends anew.
 * What failed has failed all the same. `history` may reach beyond the time.
 */
export function outcomeIn({ goalId, happened }: GoalHistory, { from, to }: TimeSpan): GoalOutcome | null {
  const before = happened.filter(({ at }) => at < to);
  const wasAgain = isAgain(before.filter(({ at }) => at < from));
  // Where it was open before, to be complete again is what it came to.
  const counts = (type: HappeningType): boolean => settles(type) || (type === "confirmed" && wasAgain);
  const inTime = before.filter(({ at, type }) => at >= from && counts(type));
  const last = inTime.at(-1);
  if (last === undefined) return null;
  const completeAt = inTime.findLastIndex(({ type }) => type === "complete" || type === "confirmed");
  // Set aside after it had failed: that it failed is what it came to.
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

/** Whether it was taken up again, and has not ended since. */
function isAgain(happened: readonly OutcomeEvent[]): boolean {
  return happened.findLast(({ type }) => type === "again" || isOver(type))?.type === "again";
}

/**
 * A goal's trouble that was over within a time: whether it was mended without a person. Null: it had none, or it is not over
 * (a ladder that is being climbed, a goal that was parked meanwhile). Trouble is over when the goal ends or its ladder
 * does, and belongs to the time in which that is; what a person did between the first failure and the completion is help.
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
