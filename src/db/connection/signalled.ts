import type { Db } from "./handle.ts";
import { lasting } from "./lasting.ts";

/* Changes in a transaction that somebody waits for: remembered while it runs, reported after its COMMIT (`signals.ts`). */

/** A change that is reported. It is only a reason to look sooner. */
export type Signal =
  | { readonly type: "messages" }
  | { readonly type: "stop"; readonly goalId: string }
  | { readonly type: "answered"; readonly checkpointId: string };

/** Reports changes to all listeners. Must not throw. */
export type Tell = (signals: readonly Signal[]) => void;

const signalsIn = lasting(() => [] as Signal[]);

const tellers = new WeakMap<Db, Tell>();

/** Sets how changes are reported for a handle that is not a transaction. */
export function tellBy(db: Db, tell: Tell): void {
  tellers.set(db, tell);
}

/** Reports a change that this handle has made: after the COMMIT of its transaction, or at once. */
export function signal(db: Db, what: Signal): void {
  const kept = signalsIn(db);
  if (kept === undefined) tellers.get(db)?.([what]);
  else kept.push(what);
}

/** The changes that are reported when the transaction has committed. */
export function signalledBy(tx: Db): readonly Signal[] {
  return signalsIn(tx) ?? [];
}
