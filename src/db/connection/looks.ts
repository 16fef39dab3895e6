import type { Db } from "./handle.ts";
import { forgetAllHeld } from "./held.ts";
import { lasting } from "./lasting.ts";

/*
 * Sessions whose goals a transaction has changed, remembered while it runs. Just before the COMMIT it is decided once what each of them
 * does next, whoever changed it and how often (src/turns/shared/next.ts).
 */

/** Decides what these sessions do next. Returns true when a goal became ready. */
export type Look = (tx: Db, sessionIds: readonly string[]) => Promise<boolean>;

const changed = lasting(() => new Set<string>());

/** Sessions whose rows a transaction has locked or inserted, and turns whose lease it found live after locking their row. */
const locked = lasting(() => new Set<string>());

/** Records that this transaction holds the lock of this session, or of this turn, until it ends. */
export function noteLocked(tx: Db, id: string): void {
  locked(tx)?.add(id);
}

/** Records that this transaction has given up this session or turn itself. */
export function noteGivenUp(tx: Db, id: string): void {
  locked(tx)?.delete(id);
}

/** True when this transaction holds the session or turn with this id. */
export function isLocked(tx: Db, id: string): boolean {
  return locked(tx)?.has(id) === true;
}

/** Forgets all locks. Called when a part of the transaction was rolled back, with the locks that it took. */
export function forgetLocked(tx: Db): void {
  locked(tx)?.clear();
  forgetAllHeld(tx);
}

/** Records that this session or its goals have changed. The caller holds its lock. Null: no session. Throws outside of a transaction. */
export function lookAt(tx: Db, sessionId: string | null): void {
  if (sessionId === null) return;
  const sessions = changed(tx);
  if (sessions === undefined) throw new Error(`${sessionId} was changed outside of a transaction`);
  sessions.add(sessionId);
}

/** Runs `look` for the sessions that the transaction has changed. True when a goal became ready. */
export async function lookAtChanged(tx: Db, look: Look): Promise<boolean> {
  const sessions = [...(changed(tx) ?? [])];
  return sessions.length > 0 && (await look(tx, sessions));
}
