import { eq, sql } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { readers } from "./schema/index.ts";
import { type Place, type TimelineRow, timelineAfter } from "./timeline.ts";

/** Before everything that ever happened. */
const beginning: Place = { xid: "0", timelineId: 0 };

/** Locks a reader's row until the transaction ends, and says how far it has come. Its row is made first. */
export async function lockReader(tx: Db, reader: string): Promise<Place> {
  await tx
    .insert(readers)
    .values({ reader, ...beginning })
    .onConflictDoNothing();
  const found = await tx
    .select({
      xid: readers.xid,
      timelineId: readers.timelineId,
      isKnown: sql<boolean>`${readers.xid} <= pg_current_xact_id()`,
    })
    .from(readers)
    .where(eq(readers.reader, reader))
    .for("update");
  const [row] = found;
  // On another server than before, whose transactions have other numbers, it begins anew.
  return row?.isKnown === true ? { xid: row.xid, timelineId: row.timelineId } : beginning;
}

/**
 * What has happened since a reader looked last, oldest first, at most `limit`, and how to say that it is worked in. Its row is
 * locked until the transaction ends, and moves with it: what was worked in is read once, and what was not is read again.
 */
export async function readOn(
  tx: Db,
  reader: string,
  limit: number,
): Promise<{ readonly rows: TimelineRow[]; keepPlace(): Promise<void> }> {
  const { rows, place } = await timelineAfter(tx, await lockReader(tx, reader), limit);
  return {
    rows,
    async keepPlace() {
      if (rows.length === 0 || place === null) return;
      await tx.update(readers).set(place).where(eq(readers.reader, reader));
    },
  };
}
