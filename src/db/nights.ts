import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { sqlOnce } from "./connection/built.ts";
import type { Db } from "./connection/client.ts";
import { isAnyOf } from "./connection/lists.ts";
import { nights, sessions } from "./schema/index.ts";
import type { Session } from "./sessions.ts";

export type Night = typeof nights.$inferSelect;

/** Returns false when the id is taken or a night is open (unique index). */
export async function insertNight(tx: Db, night: typeof nights.$inferInsert): Promise<boolean> {
  const inserted = await tx.insert(nights).values(night).onConflictDoNothing().returning();
  return inserted.length > 0;
}

/** The night that has not ended, or null. */
export async function openNight(db: Db): Promise<Night | null> {
  const found = await db.select().from(nights).where(isNull(nights.endedAt));
  return found[0] ?? null;
}

/** Returns the night, or null when there is none. */
export async function getNight(db: Db, nightId: string): Promise<Night | null> {
  const found = await db.select().from(nights).where(eq(nights.nightId, nightId));
  return found[0] ?? null;
}

/** Those of these nights that have not ended. */
export async function openNightsById(db: Db, nightIds: readonly string[]): Promise<Night[]> {
  if (nightIds.length === 0) return [];
  return await db
    .select()
    .from(nights)
    .where(and(isAnyOf(nights.nightId, nightIds), isNull(nights.endedAt)));
}

/** For each of these goals: its newest night, if that has ended. */
export async function endedNightsWith(db: Db, goalIds: readonly string[]): Promise<string[]> {
  if (goalIds.length === 0) return [];
  const found = await newestEnded(db, { goalIds });
  return found.map((row) => row.night_id);
}

const newestEnded = sqlOnce<{ goalIds: readonly string[] }, { night_id: string }>(
  (place) => sql`
    select distinct newest.night_id
    from unnest(${place("goalIds")}::text[]) as mine (goal_id)
    cross join lateral (
      select night_id, ended_at from (
        select night_id, started_at, ended_at from cos.nights where goal_ids @> to_jsonb(mine.goal_id) offset 0) with_it
      order by started_at desc limit 1) newest
    where newest.ended_at is not null order by newest.night_id`,
);

/** The night that began last, or null. */
export async function lastNight(db: Db): Promise<Night | null> {
  const found = await db.select().from(nights).orderBy(desc(nights.startedAt)).limit(1);
  return found[0] ?? null;
}

/** Locks the row: at the place of a campaign in the lock order, before sessions (D9). Same lock mode as in `lockCampaign`. */
export async function lockNight(tx: Db, nightId: string): Promise<Night | null> {
  const found = await tx.select().from(nights).where(eq(nights.nightId, nightId)).for("no key update");
  return found[0] ?? null;
}

/** Until the transaction ends, nobody else can begin a night. */
export async function lockNights(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('cos nights'), 1)`);
}

/** Ends a night, or changes its budget in micro-USD. */
export async function updateNight(
  tx: Db,
  nightId: string,
  changes: Partial<Pick<Night, "endedAt" | "endReason" | "budgetMicroUsd">>,
): Promise<void> {
  await tx.update(nights).set(changes).where(eq(nights.nightId, nightId));
}

/** The sessions of a night, oldest first. */
export async function sessionsOfNight(db: Db, nightId: string): Promise<Session[]> {
  return await db.select().from(sessions).where(eq(sessions.nightId, nightId)).orderBy(sessions.startedAt);
}
