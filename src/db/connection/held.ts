import type { Db } from "./handle.ts";
import { lasting } from "./lasting.ts";

/*
 * What a transaction knows about rows that nobody else can change before its end. It holds their locks, or a lock that comes before
 * theirs in the lock order (D9). So it need not read them again, and its writes to them can wait for its end.
 */

/** Rows that the transaction has locked, by id, in their current state. */
const held = lasting(() => new Map<string, object>());

/** Rows of several tables that it has read, by subject. */
const seen = lasting(() => new Map<string, object>());

/** Records that this transaction holds the lock of this row, and its current state. */
export function noteHeld(tx: Db, id: string, row: object): void {
  held(tx)?.set(id, row);
}

/** The current state of a row that this transaction holds. Undefined when it has not locked the row. */
export function heldRow<Row extends object>(tx: Db, id: string): Row | undefined {
  return held(tx)?.get(id) as Row | undefined;
}

/** Call this when the transaction changed the row in a way that only the database knows. */
export function forgetHeld(tx: Db, id: string): void {
  held(tx)?.delete(id);
}

/**
 * Records what the transaction has read about a subject that only it can change now. Valid until it writes a goal, a session or a
 * checkpoint.
 */
export function noteSeen(tx: Db, about: string, rows: object): void {
  seen(tx)?.set(about, rows);
}

/** What this transaction has recorded about a subject, or undefined. */
export function seenOf<Rows extends object>(tx: Db, about: string): Rows | undefined {
  return seen(tx)?.get(about) as Rows | undefined;
}

/** Forgets what was read, when this statement may change it. Called before each statement of a transaction. */
export function forgetChanged(tx: Db, text: string): void {
  const read = seen(tx);
  if (read !== undefined && read.size > 0 && writes.test(text)) read.clear();
}

const writes = /\b(?:insert into|update|delete from) "?cos"?\."?(?:goals|sessions|checkpoints)\b/i;

/** Forgets everything. Called when a part of the transaction was rolled back. */
export function forgetAllHeld(tx: Db): void {
  held(tx)?.clear();
  seen(tx)?.clear();
}
