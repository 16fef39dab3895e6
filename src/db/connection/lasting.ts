import type { Db } from "./handle.ts";

/*
 * What a transaction remembers while it lasts: what it has marked, whose session it has changed, what it has locked and read, and what
 * it writes at its end. Each file of this folder that remembers something has a thing of its own here; all of them end at once.
 */

const open = new WeakMap<Db, Map<object, unknown>>();

/** The transaction of this handle begins to remember. */
export function beginRemembering(tx: Db): void {
  open.set(tx, new Map());
}

/** It remembers nothing any more. */
export function endRemembering(tx: Db): void {
  open.delete(tx);
}

/** A thing that every transaction has: answers the one of a handle, made when it is first asked for; undefined outside of a transaction. */
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
