import type { Db } from "./handle.ts";
import { forgetAllHeld } from "./held.ts";

/*
 * Sessions whose goals a transaction has changed: kept while it lasts. What each does next is decided once, as the last thing
 * before the COMMIT, whoever changed it and how often (src/turns/shared/next.ts).
 */

/** Decides what these sessions do next; true when a goal became ready. */
export type Look = (tx: Db, sessionIds: readonly string[]) => Promise<boolean>;

const kept = new WeakMap<Db, Set<string>>();

/** Sessions whose rows a transaction has locked, or written itself, and turns whose lease it has seen live under its lock. */
const locked = new WeakMap<Db, Set<string>>();

/** This transaction has this session's row, or this turn's, until it ends. */
export function noteLocked(tx: Db, id: string): void {
  locked.get(tx)?.add(id);
}

/** It has given this one up itself. */
export function noteGivenUp(tx: Db, id: string): void {
  locked.get(tx)?.delete(id);
}

export function isLocked(tx: Db, id: string): boolean {
  return locked.get(tx)?.has(id) === true;
}

/** A part of the transaction was taken back, with the locks that it took. */
export function forgetLocked(tx: Db): void {
  locked.get(tx)?.clear();
  forgetAllHeld(tx);
}

/** This session's goals, or itself, have changed. The caller holds its lock; null: it is about none. Throws outside of a transaction. */
export function lookAt(tx: Db, sessionId: string | null): void {
  if (sessionId === null) return;
  const sessions = kept.get(tx);
  if (sessions === undefined) throw new Error(`${sessionId} was changed outside of a transaction`);
  sessions.add(sessionId);
}

/** Does the work of a transaction, then looks at each session that it named; `isReady`: a goal became ready by it. */
export async function looking<Result>(
  tx: Db,
  work: () => Promise<Result>,
  look: Look,
): Promise<{ readonly result: Result; readonly isReady: boolean }> {
  const sessions = new Set<string>();
  kept.set(tx, sessions);
  locked.set(tx, new Set());
  try {
    const result = await work();
    return { result, isReady: sessions.size > 0 && (await look(tx, [...sessions])) };
  } finally {
    kept.delete(tx);
    locked.delete(tx);
  }
}
