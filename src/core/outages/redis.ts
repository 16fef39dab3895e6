import type { Trouble } from "./trouble.ts";

/**
 * Why Redis cannot be used now, read from the first word of its error, which stays the same in all versions. Null when the error is
 * about a single command. A Redis in such a state still answers PING.
 */
export function redisTrouble(words: string): Trouble | null {
  // Before version 7 Redis wrapped the error of a script in another one.
  const inScript = words.startsWith("ERR Error running script") ? words.lastIndexOf(": -") : -1;
  const [first = ""] = (inScript === -1 ? words : words.slice(inScript + 3)).split(" ", 1);
  const type = troubles.get(first) ?? (crowded.test(words) ? "crowded" : noDatabase.test(words) ? "no-database" : null);
  if (type === null) return null;
  return type === "read-only" ? { type } : { type, words };
}

const troubles: ReadonlyMap<string, "read-only" | "full" | "denied" | "starting" | "other"> = new Map(
  Object.entries({
    // It became a replica. UNBLOCKED goes to clients that are waiting at that moment.
    READONLY: "read-only",
    UNBLOCKED: "read-only",
    // OOM: no memory left. MISCONF: it cannot write its snapshot to the disk.
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
 * The eviction policy with which a Redis deletes keys without a time to live when its memory is full. The keys of a queue have none.
 * Null when it never does: only `allkeys-…` policies do, and only with a memory limit.
 * @param memory the answer to `INFO memory`
 */
export function droppingPolicy(memory: string): string | null {
  if (/^maxmemory:0\s*$/m.test(memory)) return null;
  return /^maxmemory_policy:(allkeys-\S+)/m.exec(memory)?.[1] ?? null;
}
