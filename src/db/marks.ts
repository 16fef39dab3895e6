import { and, asc, inArray, isNull, lte, or, type Placeholder, sql } from "drizzle-orm";
import { builtOnce } from "./connection/built.ts";
import type { Db } from "./connection/client.ts";
import { keepOrWrite } from "./connection/later.ts";
import { marks } from "./schema/index.ts";

export type Mark = typeof marks.$inferSelect;

/** Allows one projection at a time, over all processes. Others wait here until the transaction ends. */
export async function lockProjection(tx: Db): Promise<void> {
  await tx.execute(projectionLock);
}

const projectionLock = sql`select pg_advisory_xact_lock(hashtext('cos projection'), 0)`;

const isDue = (now: Date | Placeholder) => or(isNull(marks.notBefore), lte(marks.notBefore, now));

/**
 * Locks the projection and reads the oldest marks that are due. Marks that were put off are left out. A mark that another process has
 * drawn while this one waited for the lock may be included: its card is drawn once more.
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

/** True when at least one mark is due. */
export async function areMarksThere(db: Db, now: Date): Promise<boolean> {
  return (await db.select({ id: marks.markId }).from(marks).where(isDue(now)).limit(1)).length > 0;
}

/** Deletes exactly these marks at the end of the transaction. A mark that is committed meanwhile stays, whatever its id. */
export async function deleteMarks(tx: Db, markIds: readonly number[]): Promise<void> {
  await keepOrWrite(tx, { table: marks, values: { markIds: [...markIds] } }, deleting);
}

const deleting = (at: Db, { markIds }: { readonly markIds: readonly number[] }) =>
  at.delete(marks).where(sql`${marks.markId} = any(${sql.param(markIds)}::bigint[])`);

/** Puts off marks whose card could not be drawn. They are tried again later and block no other marks until then. */
export async function putOffMarks(tx: Db, markIds: readonly number[], notBefore: Date): Promise<void> {
  await tx
    .update(marks)
    .set({ notBefore })
    .where(inArray(marks.markId, [...markIds]));
}
