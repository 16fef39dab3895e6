import { eq, sql } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { textArray } from "./connection/lists.ts";
import { readers, timeline } from "./schema/index.ts";
import { type TimelinePlace, type TimelineRow, timelineAfter } from "./timeline.ts";

/** The place before the first event. */
const beginning: TimelinePlace = { xid: "0", timelineId: 0 };

/**
 * Those of these readers that have something to read. One statement that takes no transaction id: a reader that is up to date costs
 * nothing more. A reader whose row is missing, or comes from another server, has everything to read.
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

/** Locks a reader's row until the transaction ends, and returns its place. Creates the row when it is missing. */
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
  // The row comes from another server, with other transaction ids: the reader begins anew.
  return row?.isKnown === true ? { xid: row.xid, timelineId: row.timelineId } : beginning;
}

/**
 * Events since the reader's last place, oldest first, at most `limit`, and `keepPlace`, which stores that they were processed. The
 * reader's row is locked until the transaction ends and changes with it. So what was processed is read once, and the rest is read
 * again. `isFirst`: the reader starts from the beginning, for the first time or anew.
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
