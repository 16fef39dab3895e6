import { asc, eq, inArray } from "drizzle-orm";
import type { Db } from "./client.ts";
import { evidence } from "./schema.ts";

export type Evidence = typeof evidence.$inferSelect;

/** Adds a fact. The same kind of the same turn is added once: safe twice. */
export async function insertEvidence(tx: Db, row: typeof evidence.$inferInsert): Promise<void> {
  await tx.insert(evidence).values(row).onConflictDoNothing();
}

export async function listEvidence(db: Db, goalId: string): Promise<Evidence[]> {
  return await db.select().from(evidence).where(eq(evidence.goalId, goalId)).orderBy(asc(evidence.evidenceId));
}

export async function evidenceOf(db: Db, goalIds: readonly string[]): Promise<Evidence[]> {
  if (goalIds.length === 0) return [];
  return await db
    .select()
    .from(evidence)
    .where(inArray(evidence.goalId, [...goalIds]))
    .orderBy(asc(evidence.evidenceId));
}

export async function getEvidence(db: Db, evidenceId: number): Promise<Evidence | null> {
  const found = await db.select().from(evidence).where(eq(evidence.evidenceId, evidenceId));
  return found[0] ?? null;
}
