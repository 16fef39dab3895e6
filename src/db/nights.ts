import { desc, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "./client.ts";
import { nights, sessions } from "./schema.ts";
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
