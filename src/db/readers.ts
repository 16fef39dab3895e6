import { eq, sql } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { textArray } from "./connection/lists.ts";
import { readers, timeline } from "./schema/index.ts";
import { type TimelinePlace, type TimelineRow, timelineAfter } from "./timeline.ts";

/** Before everything that ever happened. */
const beginning: TimelinePlace = { xid: "0", timelineId: 0 };

/**
 * Which of these readers have something to read. One statement that takes no transaction's number: a reader that has read
 * everything costs nothing more. One whose row is missing or of another server has everything to read.
 */
export async function readersBehind(db: Db, names: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await db.execute<{ reader: string }>(sql`
    select wanted.reader
    from unnest(${textArray(names)}) as wanted (reader)
    left join ${readers} on readers.reader = wanted.reader
    left join lateral (
      select xid, timeline_id from ${timeline} order by xid desc, timeline_id desc limit 1) newest on true
    where readers.reader is null or readers.xid >= pg_snapshot_xmax(pg_current_snapshot())
      or (newest.xid, newest.timeline_id) > (readers.xid, readers.timeline_id)`);
  return new Set(found.rows.map(({ reader }) => reader));
}

/** Locks a reader's row until the transaction ends, and says how far it has come. Its row is made first. */
export async function lockReader(tx: Db, reader: string): Promise<TimelinePlace> {
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
 * `isFirst`: it reads from the beginning, for the first time or anew.
 */
export async function readOn(
  tx: Db,
  reader: string,
  limit: number,
): Promise<{ readonly rows: TimelineRow[]; readonly isFirst: boolean; keepPlace(): Promise<void> }> {
  const from = await lockReader(tx, reader);
  const { rows, place } = await timelineAfter(tx, from, limit);
  return {
    rows,
    isFirst: from.xid === beginning.xid && from.timelineId === beginning.timelineId,
    async keepPlace() {
      if (rows.length === 0 || place === null) return;
      await tx.update(readers).set(place).where(eq(readers.reader, reader));
    },
  };
}
