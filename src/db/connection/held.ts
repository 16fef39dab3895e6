import type { Db } from "./handle.ts";

/*
 * What a transaction knows of rows that nobody else changes before its end, since it has them, or the row that comes before them in
 * the order of locks (D9). So it need not ask again, and what it writes of them can wait for its end.
 */

interface Known {
  /** Rows that it has locked, by their ids, as they are now. */
  readonly rows: Map<string, object>;
  /** What it has read of several tables, by what that is about. */
  readonly seen: Map<string, object>;
}

const known = new WeakMap<Db, Known>();

/** Does the work of a transaction. */
export async function holding<Result>(tx: Db, work: () => Promise<Result>): Promise<Result> {
  known.set(tx, { rows: new Map(), seen: new Map() });
  try {
    return await work();
  } finally {
    known.delete(tx);
  }
}

/** This transaction has this row until it ends, and it is so. */
export function noteHeld(tx: Db, id: string, row: object): void {
  known.get(tx)?.rows.set(id, row);
}

/** How a row is that this transaction holds; undefined where it has not locked it. */
export function heldRow<Row extends object>(tx: Db, id: string): Row | undefined {
  return known.get(tx)?.rows.get(id) as Row | undefined;
}

/** It has changed this row in a way that only the database knows. */
export function forgetHeld(tx: Db, id: string): void {
  known.get(tx)?.rows.delete(id);
}

/** This is what it has read about this, and only itself can change it now. Good until it writes a goal, a session or a question. */
export function noteSeen(tx: Db, about: string, rows: object): void {
  known.get(tx)?.seen.set(about, rows);
}

export function seenOf<Rows extends object>(tx: Db, about: string): Rows | undefined {
  return known.get(tx)?.seen.get(about) as Rows | undefined;
}

/** Called before each statement of a transaction. */
export function forgetChanged(tx: Db, text: string): void {
  const seen = known.get(tx)?.seen;
  if (seen !== undefined && seen.size > 0 && writes.test(text)) seen.clear();
}

const writes = /\b(?:insert into|update|delete from) "?cos"?\."?(?:goals|sessions|checkpoints)\b/i;

/** A part of the transaction was taken back. */
export function forgetAllHeld(tx: Db): void {
  known.get(tx)?.rows.clear();
  known.get(tx)?.seen.clear();
}
