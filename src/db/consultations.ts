import { asc, eq } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { consultations } from "./schema/index.ts";

export type Consultation = typeof consultations.$inferSelect;

/** Stores what a model was asked and what it answered. Returns false when the id is taken. */
export async function insertConsultation(tx: Db, row: typeof consultations.$inferInsert): Promise<boolean> {
  const inserted = await tx
    .insert(consultations)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: consultations.consultationId });
  return inserted.length > 0;
}

/** All consultations about a goal, oldest first. */
export async function consultationsOf(db: Db, goalId: string): Promise<Consultation[]> {
  return await db.select().from(consultations).where(eq(consultations.goalId, goalId)).orderBy(asc(consultations.at));
}
