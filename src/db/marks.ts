import { and, asc, inArray, isNull, lte, or, type Placeholder, sql } from "drizzle-orm";
import { builtOnce } from "./connection/built.ts";
import type { Db } from "./connection/client.ts";
import { keepOrWrite } from "./connection/later.ts";
import { marks } from "./schema/index.ts";

export type Mark = typeof marks.$inferSelect;

/** One projection at a time, over all processes: until the transaction ends, others wait here. */
export async function lockProjection(tx: Db): Promise<void> {
  await tx.execute(projectionLock);
}

const projectionLock = sql`select pg_advisory_xact_lock(hashtext('cos projection'), 0)`;

const isDue = (now: Date | Placeholder) => or(isNull(marks.notBefore), lte(marks.notBefore, now));

/**
 * Locks the projection and reads the oldest marks; what could not be drawn waits. One that another process has drawn while this
 * waited for the lock may be among them: it is drawn once more.
 */
export async function lockAndReadMarks(tx: Db, now: Date, limit: number): Promise<Mark[]> {
  return await lockedMarks(tx, { now, limit });
}

const lockedMarks = builtOnce<{ now: Date; limit: number }, Mark[]>((db, place) =>
  db
    .with(db.$with("locked", {}).as(projectionLock))
    .select()
    .from(marks)
    .where(and(sql`(select count(*) from locked) = 1`, isDue(place("now"))))
    .orderBy(asc(marks.markId))
    .limit(place("limit")),
);

/** Whether any could be drawn now. */
export async function areMarksThere(db: Db, now: Date): Promise<boolean> {
  return (await db.select({ id: marks.markId }).from(marks).where(isDue(now)).limit(1)).length > 0;
}

/** Exactly those, with the end of the transaction: one that was committed meanwhile stays, whatever its number. */
export async function deleteMarks(tx: Db, markIds: readonly number[]): Promise<void> {
  await keepOrWrite(tx, { table: marks, values: { markIds: [...markIds] } }, deleting);
}

const deleting = (at: Db, { markIds }: { readonly markIds: readonly number[] }) =>
  at.delete(marks).where(sql`${marks.markId} = any(${sql.param(markIds)}::bigint[])`);

/** Their card could not be drawn: they are tried again later, and are in nobody's way until then. */
export async function putOffMarks(tx: Db, markIds: readonly number[], notBefore: Date): Promise<void> {
  await tx
    .update(marks)
    .set({ notBefore })
    .where(inArray(marks.markId, [...markIds]));
}
