import { asc, inArray, isNull, lte, or, sql } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { marks } from "./schema/index.ts";

export type Mark = typeof marks.$inferSelect;

/** One projection at a time, over all processes: until the transaction ends, others wait here. */
export async function lockProjection(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('cos projection'), 0)`);
}

/** Marks that are there, oldest first; what could not be drawn waits. */
export async function readMarks(db: Db, now: Date, limit: number): Promise<Mark[]> {
  return await db
    .select()
    .from(marks)
    .where(or(isNull(marks.notBefore), lte(marks.notBefore, now)))
    .orderBy(asc(marks.markId))
    .limit(limit);
}

/** Whether any could be drawn now. */
export async function areMarksThere(db: Db, now: Date): Promise<boolean> {
  return (await readMarks(db, now, 1)).length > 0;
}

/** Exactly those: one that was committed meanwhile stays, whatever its number. */
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
