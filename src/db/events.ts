import { lt } from "drizzle-orm";
import type { Database, Db } from "./connection/client.ts";
import { seenEvents } from "./schema/index.ts";

/** Thrown when the platform delivered this event before and its effect is committed. */
export class RepeatedEvent extends Error {}

export interface Once {
  readonly database: Database;
  /** Commits the event's id when no transaction has done so: a refusal, too, is sent only once. */
  settle(): Promise<void>;
}

/**
 * Wraps a database so that its first transaction also commits the event's id. The event has its effect once, however often it is
 * delivered, and a delivery that was not committed can be tried again (D13). That transaction rejects with RepeatedEvent when the id is
 * already stored.
 */
export function once(database: Database, eventId: string, now: Date): Once {
  let isCommitted = false;

  const transaction: Database["transaction"] = async (work, limits) => {
    if (isCommitted) return await database.transaction(work, limits);
    const result = await database.transaction(async (tx) => {
      await claim(tx, eventId, now);
      return await work(tx);
    }, limits);
    isCommitted = true;
    return result;
  };

  return {
    database: { ...database, transaction },
    async settle() {
      if (!isCommitted) await transaction(async () => undefined);
    },
  };
}

async function claim(tx: Db, eventId: string, now: Date): Promise<void> {
  const claimed = await tx
    .insert(seenEvents)
    .values({ eventId, at: now })
    .onConflictDoNothing()
    .returning({ eventId: seenEvents.eventId });
  if (claimed.length === 0) throw new RepeatedEvent(`event ${eventId} was handled before`);
}

/** Deletes events that no platform delivers again (D13: 24 h). */
export async function forgetEvents(db: Db, before: Date): Promise<void> {
  await db.delete(seenEvents).where(lt(seenEvents.at, before));
}
