import { asc, inArray, isNull, lte, or, sql } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { marks } from "./schema/index.ts";

export type Mark = typeof marks.$inferSelect;

/** One projection at a time, over all processes: until the transaction ends, others wait here. */
export async function lockProjection(tx: Db): Promise<void> {
  await tx.execute(projectionLock);
}

const projectionLock = sql`select pg_advisory_xact_lock(hashtext('cos projection'), 0)`;

const isDue = (now: Date) => or(isNull(marks.notBefore), lte(marks.notBefore, now));

/**
 * Locks the projection and takes the oldest marks, which are deleted with the end of the transaction; what could not be drawn
 * waits. One that was committed since the call stays, whatever its number; one that another process has drawn meanwhile is
 * not among them.
 */
export async function takeMarks(tx: Db, now: Date, limit: number): Promise<Mark[]> {
  const oldest = tx.select({ id: marks.markId }).from(marks).where(isDue(now)).orderBy(asc(marks.markId)).limit(limit);
  const locked = tx.$with("locked", {}).as(projectionLock);
  const taken = await tx
    .with(locked)
    .delete(marks)
    .where(sql`(select count(*) from locked) = 1 and ${marks.markId} = any(array(${oldest}))`)
    .returning();
  return taken.toSorted((one, other) => one.markId - other.markId);
}

/** Whether any could be drawn now. */
export async function areMarksThere(db: Db, now: Date): Promise<boolean> {
  return (await db.select({ id: marks.markId }).from(marks).where(isDue(now)).limit(1)).length > 0;
}

/** Exactly those. */
export async function deleteMarks(tx: Db, markIds: readonly number[]): Promise<void> {
  await tx.delete(marks).where(inArray(marks.markId, [...markIds]));
}

/** Their card could not be drawn: they are tried again later, and are in nobody's way until then. */
export async function putOffMarks(tx: Db, markIds: readonly number[], notBefore: Date): Promise<void> {
  await tx
    .update(marks)
    .set({ notBefore })
    .where(inArray(marks.markId, [...markIds]));
}
