import type { Db } from "./handle.ts";
import { lasting } from "./lasting.ts";

/*
 * What a transaction knows of rows that nobody else changes before its end, since it has them, or the row that comes before them in
 * the order of locks (D9). So it need not ask again, and what it writes of them can wait for its end.
 */

/** Rows that it has locked, by their ids, as they are now. */
const held = lasting(() => new Map<string, object>());

/** What it has read of several tables, by what that is about. */
const seen = lasting(() => new Map<string, object>());

/** This transaction has this row until it ends, and it is so. */
export function noteHeld(tx: Db, id: string, row: object): void {
  held(tx)?.set(id, row);
}

/** How a row is that this transaction holds; undefined where it has not locked it. */
export function heldRow<Row extends object>(tx: Db, id: string): Row | undefined {
  return held(tx)?.get(id) as Row | undefined;
}

/** It has changed this row in a way that only the database knows. */
export function forgetHeld(tx: Db, id: string): void {
  held(tx)?.delete(id);
}

/** This is what it has read about this, and only itself can change it now. Good until it writes a goal, a session or a question. */
export function noteSeen(tx: Db, about: string, rows: object): void {
  seen(tx)?.set(about, rows);
}

/** What this transaction has kept under `about`, undefined where it has kept nothing. */
export function seenOf<Rows extends object>(tx: Db, about: string): Rows | undefined {
  return seen(tx)?.get(about) as Rows | undefined;
}

/** Called before each statement of a transaction. */
export function forgetChanged(tx: Db, text: string): void {
  const read = seen(tx);
  if (read !== undefined && read.size > 0 && writes.test(text)) read.clear();
}

const writes = /\b(?:insert into|update|delete from) "?cos"?\."?(?:goals|sessions|checkpoints)\b/i;

/** A part of the transaction was taken back. */
export function forgetAllHeld(tx: Db): void {
  held(tx)?.clear();
  seen(tx)?.clear();
}
