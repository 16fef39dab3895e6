import { setTimeout as sleep } from "node:timers/promises";
import { lockHolderWords } from "./core/cards/outage-words.ts";
import { type LockHolder, longestLockMs } from "./core/outages/lock-holder.ts";
import type { Database } from "./db/connection/client.ts";
import { lockHolders, lockHoldersAt } from "./db/lock-holders.ts";
import type { Outage } from "./outage.ts";

/** The health of the database, for a process that works with it. */
export interface DatabaseHealth {
  /** "ok", or what is wrong in words. */
  readonly db: string;
  /** True when the database does not answer. When it answers, another session's lock may still block our statements. */
  readonly isDatabaseAway: boolean;
}

/** Time limit of a health check for a statement of this process. */
const longestHealthMs = 5_000;

/** Checks by a statement of this process, and by a separate connection when none of its own is free. */
export async function databaseHealth(pool: Database["pool"], url: string, outage: Outage): Promise<DatabaseHealth> {
  const known = outage.words();
  if (known !== null) return { db: known, isDatabaseAway: true };
  const asked = lockHolders(pool, longestLockMs).catch(() => null);
  const holders = await Promise.race([asked, sleep(longestHealthMs, null, { ref: false })]);
  if (holders !== null) return heldBy(holders) ?? { db: "ok", isDatabaseAway: false };
  const away = await outage.look();
  if (away !== null) return { db: away, isDatabaseAway: true };
  const crowded = { db: `no connection was free within ${longestHealthMs / 1000} s`, isDatabaseAway: true };
  return heldBy(await lockHoldersAt(url, longestLockMs)) ?? crowded;
}

function heldBy([first]: readonly LockHolder[]): DatabaseHealth | null {
  return first === undefined ? null : { db: lockHolderWords(first), isDatabaseAway: false };
}

/** Interval of the checks for what a start waits for. */
const lookEveryMs = 3_000;

/**
 * Resolves or rejects like `work`, which migrates the database at a start. Meanwhile it reports each holder of a lock for which `work`
 * waits, once: another start of ours, or a program that uses our tables.
 */
export async function tellingWhoHolds(
  url: string,
  work: Promise<void>,
  onProgress: (text: string) => void,
): Promise<void> {
  const told = new Set<number>();
  let isOver = false;
  const look = async (): Promise<void> => {
    for (const holder of await lockHoldersAt(url, longestLockMs, { agreed: true })) {
      if (isOver || told.has(holder.pid)) continue;
      told.add(holder.pid);
      onProgress(`The database is not brought up to date yet: ${lockHolderWords(holder)}`);
    }
  };
  const timer = setInterval(() => void look(), lookEveryMs);
  try {
    await work;
  } finally {
    isOver = true;
    clearInterval(timer);
  }
}
