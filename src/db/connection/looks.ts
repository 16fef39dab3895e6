import type { Db } from "./handle.ts";
import { forgetAllHeld } from "./held.ts";
import { lasting } from "./lasting.ts";

/*
 * Sessions whose goals a transaction has changed: kept while it lasts. What each does next is decided once, as the last thing
 * before the COMMIT, whoever changed it and how often (src/turns/shared/next.ts).
 */

/** Decides what these sessions do next; true when a goal became ready. */
export type Look = (tx: Db, sessionIds: readonly string[]) => Promise<boolean>;

const changed = lasting(() => new Set<string>());

/** Sessions whose rows a transaction has locked, or written itself, and turns whose lease it has seen live under its lock. */
const locked = lasting(() => new Set<string>());

/** This transaction has this session's row, or this turn's, until it ends. */
export function noteLocked(tx: Db, id: string): void {
  locked(tx)?.add(id);
}

/** It has given this one up itself. */
export function noteGivenUp(tx: Db, id: string): void {
  locked(tx)?.delete(id);
}

/** Whether this transaction holds the lock of the row with this ID. */
export function isLocked(tx: Db, id: string): boolean {
  return locked(tx)?.has(id) === true;
}

/** A part of the transaction was taken back, with the locks that it took. */
export function forgetLocked(tx: Db): void {
  locked(tx)?.clear();
  forgetAllHeld(tx);
}

/** This session's goals, or itself, have changed. The caller holds its lock; null: it is about none. Throws outside of a transaction. */
export function lookAt(tx: Db, sessionId: string | null): void {
  if (sessionId === null) return;
  const sessions = changed(tx);
  if (sessions === undefined) throw new Error(`${sessionId} was changed outside of a transaction`);
  sessions.add(sessionId);
}

/** Looks at each session that it has changed; whether a goal became ready by that. */
export async function lookAtChanged(tx: Db, look: Look): Promise<boolean> {
  const sessions = [...(changed(tx) ?? [])];
  return sessions.length > 0 && (await look(tx, sessions));
}
