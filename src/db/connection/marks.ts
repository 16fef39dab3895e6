import type { Notice, Subject, Urgency } from "../../core/cards/mark.ts";
import type { Db } from "./handle.ts";
import { lasting } from "./lasting.ts";

/*
 * Subjects whose card may have to change: remembered while a transaction runs and written once before its COMMIT, so that a mark is
 * stored exactly when the change is. The projection reads and deletes the marks (src/projection/).
 */

export interface NewMark {
  readonly subject: Subject;
  readonly id: string;
  readonly urgency: Urgency;
  /** The card of a notice; null for a subject that has rows of its own. */
  readonly notice: Notice | null;
}

const marksIn = lasting(() => new Map<string, NewMark>());

/**
 * Marks a subject whose rows this transaction has changed: its card is brought up to date after the COMMIT. `progress` may
 * wait (D17). Throws outside of a transaction.
 */
export function mark(tx: Db, subject: Exclude<Subject, "notice">, id: string, urgency: Urgency = "now"): void {
  keep(tx, { subject, id, urgency, notice: null });
}

/** Posts a card that has no row of its own once, under a name, in a thread or at top level. Idempotent. */
export function markNotice(tx: Db, id: string, notice: Notice): void {
  keep(tx, { subject: "notice", id, urgency: "now", notice });
}

/** Keeps the order in which subjects were first marked. A subject that was marked as urgent stays urgent. */
function keep(tx: Db, mark: NewMark): void {
  const marks = marksIn(tx);
  if (marks === undefined) throw new Error(`${mark.id} was marked outside of a transaction`);
  const key = `${mark.subject} ${mark.id}`;
  const urgency = marks.get(key)?.urgency === "now" ? "now" : mark.urgency;
  marks.set(key, { ...mark, urgency });
}

/** The marks of this transaction so far. */
export function markedBy(tx: Db): NewMark[] {
  return [...(marksIn(tx)?.values() ?? [])];
}
