import { desc, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { nights, sessions } from "./schema/index.ts";
import type { Session } from "./sessions.ts";

export type Night = typeof nights.$inferSelect;

/** False when the id is taken or a night is open (unique index). */
export async function insertNight(tx: Db, night: typeof nights.$inferInsert): Promise<boolean> {
  const inserted = await tx.insert(nights).values(night).onConflictDoNothing().returning();
  return inserted.length > 0;
}

/** The night under contract, if there is one. */
export async function openNight(db: Db): Promise<Night | null> {
  const found = await db.select().from(nights).where(isNull(nights.endedAt));
  return found[0] ?? null;
}

export async function getNight(db: Db, nightId: string): Promise<Night | null> {
  const found = await db.select().from(nights).where(eq(nights.nightId, nightId));
  return found[0] ?? null;
}

/** The newest night of each of these goals, when it is over. */
export async function endedNightsWith(db: Db, goalIds: readonly string[]): Promise<string[]> {
  if (goalIds.length === 0) return [];
  const found = await db.execute<{ night_id: string }>(sql`
    select distinct night_id from (
      select distinct on (mine.goal_id) mine.goal_id, n.night_id, n.ended_at
      from unnest(${sql.param([...goalIds])}::text[]) as mine (goal_id)
      join cos.nights n on n.goal_ids @> to_jsonb(mine.goal_id)
      order by mine.goal_id, n.started_at desc) newest
    where ended_at is not null order by night_id`);
  return found.rows.map((row) => row.night_id);
}

export async function lastNight(db: Db): Promise<Night | null> {
  const found = await db.select().from(nights).orderBy(desc(nights.startedAt)).limit(1);
  return found[0] ?? null;
}

/** Locks the row: where a campaign's would be, before sessions (D9). */
export async function lockNight(tx: Db, nightId: string): Promise<Night | null> {
  const found = await tx.select().from(nights).where(eq(nights.nightId, nightId)).for("update");
  return found[0] ?? null;
}

/** Until the transaction ends nobody else begins a night. */
export async function lockNights(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('cos nights'), 1)`);
}

export async function updateNight(
  tx: Db,
  nightId: string,
  changes: Partial<Pick<Night, "endedAt" | "endReason" | "budgetMicroUsd">>,
): Promise<void> {
  await tx.update(nights).set(changes).where(eq(nights.nightId, nightId));
}

export async function sessionsOfNight(db: Db, nightId: string): Promise<Session[]> {
  return await db.select().from(sessions).where(eq(sessions.nightId, nightId)).orderBy(sessions.startedAt);
}
