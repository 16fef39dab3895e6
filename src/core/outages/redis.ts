import type { Trouble } from "./trouble.ts";

/**
 * What Redis' own words say of why it cannot be used now; null where they complain about one command. By its first word, which it
 * keeps from version to version: it answers and takes nothing, so whoever asks only whether it answers never finds out.
 */
export function redisTrouble(words: string): Trouble | null {
  // Before its seventh version a script's error was told by another one, with its own words behind it.
  const inScript = words.startsWith("ERR Error running script") ? words.lastIndexOf(": -") : -1;
  const [first = ""] = (inScript === -1 ? words : words.slice(inScript + 3)).split(" ", 1);
  const type = troubles.get(first) ?? (crowded.test(words) ? "crowded" : noDatabase.test(words) ? "no-database" : null);
  if (type === null) return null;
  return type === "read-only" ? { type } : { type, words };
}

const troubles: ReadonlyMap<string, "read-only" | "full" | "denied" | "starting" | "other"> = new Map(
  Object.entries({
    // A replica, since it was made one, or by the same word for who waits there just then.
    READONLY: "read-only",
    UNBLOCKED: "read-only",
    // Its memory; its disk, where it has to write what it knows.
    OOM: "full",
    MISCONF: "full",
    NOAUTH: "denied",
    WRONGPASS: "denied",
    NOPERM: "denied",
    LOADING: "starting",
    MASTERDOWN: "other",
    NOREPLICAS: "other",
    CLUSTERDOWN: "other",
    BUSY: "other",
  } as const),
);
const crowded = /^ERR max number of clients reached/;
const noDatabase = /^ERR (?:DB index is out of range|invalid DB index|SELECT is not allowed)/;

/**
 * The policy by which a Redis drops keys that have no end of their own when its memory is full, as all has that waits in a queue; null
 * where it drops none of them. `memory` is what it answers to `INFO memory`: only `allkeys-…` does so, and only where there is a limit.
 */
export function droppingPolicy(memory: string): string | null {
  if (/^maxmemory:0\s*$/m.test(memory)) return null;
  return /^maxmemory_policy:(allkeys-\S+)/m.exec(memory)?.[1] ?? null;
}
