import type { Notice, Subject, Urgency } from "../../core/cards/mark.ts";
import type { Db } from "./handle.ts";
import { lasting } from "./lasting.ts";

/*
 * Whose card may show something else now: kept while a transaction lasts, written once before its COMMIT, so that a mark is
 * there exactly when the change is. The projection reads and deletes them (src/projection/).
 */

export interface NewMark {
  readonly subject: Subject;
  readonly id: string;
  readonly urgency: Urgency;
  /** What is said once; null for what has rows of its own. */
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

/** Says something once, which has no row of its own: a card under a name, in a thread or by itself. Safe twice. */
export function markNotice(tx: Db, id: string, notice: Notice): void {
  keep(tx, { subject: "notice", id, urgency: "now", notice });
}

/** In the order in which they were marked first; what is urgent once is urgent. */
function keep(tx: Db, mark: NewMark): void {
  const marks = marksIn(tx);
  if (marks === undefined) throw new Error(`${mark.id} was marked outside of a transaction`);
  const key = `${mark.subject} ${mark.id}`;
  const urgency = marks.get(key)?.urgency === "now" ? "now" : mark.urgency;
  marks.set(key, { ...mark, urgency });
}

/** What it has marked so far. */
export function markedBy(tx: Db): NewMark[] {
  return [...(marksIn(tx)?.values() ?? [])];
}
