import type { Db } from "./handle.ts";

/*
 * What a transaction remembers while it runs: its marks, the sessions that it has changed, what it has locked and read, and what it
 * writes at its end. Each file of this folder that remembers something has its own state here. All of it ends together.
 */

const open = new WeakMap<Db, Map<object, unknown>>();

/** Starts remembering for the transaction of this handle. */
export function beginRemembering(tx: Db): void {
  open.set(tx, new Map());
}

/** Forgets everything that the transaction has remembered. */
export function endRemembering(tx: Db): void {
  open.delete(tx);
}

/**
 * Declares state that every transaction has. The result returns the state of a handle's transaction, made on first use. Undefined
 * outside of a transaction.
 */
export function lasting<Thing>(make: () => Thing): (tx: Db) => Thing | undefined {
  const key = {};
  return (tx) => {
    const things = open.get(tx);
    if (things === undefined) return undefined;
    const found = things.get(key) as Thing | undefined;
    if (found !== undefined) return found;
    const made = make();
    things.set(key, made);
    return made;
  };
}
