import type { Db } from "./handle.ts";
import { lasting } from "./lasting.ts";

/*
 * What a transaction has changed that somebody waits for: kept while it lasts, told after its COMMIT (`signals.ts`).
 */

/** What is told of a change; each is only a reason to look sooner. */
export type Signal =
  | { readonly type: "messages" }
  | { readonly type: "stop"; readonly goalId: string }
  | { readonly type: "answered"; readonly checkpointId: string };

/** Tells it to whoever listens. Must not throw. */
export type Tell = (signals: readonly Signal[]) => void;

const signalsIn = lasting(() => [] as Signal[]);

const tellers = new WeakMap<Db, Tell>();

/** Says for a handle that is no transaction's how its changes are told. */
export function tellBy(db: Db, tell: Tell): void {
  tellers.set(db, tell);
}

/** Tells of a change that this handle has made: with the end of its transaction, or at once. */
export function signal(db: Db, what: Signal): void {
  const kept = signalsIn(db);
  if (kept === undefined) tellers.get(db)?.([what]);
  else kept.push(what);
}

/** What is told when the transaction has committed. */
export function signalledBy(tx: Db): readonly Signal[] {
  return signalsIn(tx) ?? [];
}
