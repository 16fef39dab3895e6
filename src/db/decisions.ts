import { asc, eq, inArray } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { keepOrWrite } from "./connection/later.ts";
import { decisions } from "./schema/index.ts";

/** The audit trail of checkpoints: every answer that anybody gave. */

export type Decision = typeof decisions.$inferSelect;

/** Adds to the audit trail. Throws on a second settling answer (unique index). */
export async function insertDecision(tx: Db, decision: typeof decisions.$inferInsert): Promise<void> {
  await keepOrWrite(tx, { table: decisions, values: decision }, inserting);
}

const inserting = (at: Db, decision: typeof decisions.$inferInsert) => at.insert(decisions).values(decision);

/** The decisions on a checkpoint, oldest first. */
export async function listDecisions(db: Db, checkpointId: string): Promise<Decision[]> {
  return await db
    .select()
    .from(decisions)
    .where(eq(decisions.checkpointId, checkpointId))
    .orderBy(asc(decisions.decisionId));
}

/** The decisions on several checkpoints, oldest first. */
export async function decisionsOn(db: Db, checkpointIds: readonly string[]): Promise<Decision[]> {
  return await db
    .select()
    .from(decisions)
    .where(inArray(decisions.checkpointId, [...checkpointIds]))
    .orderBy(asc(decisions.decisionId));
}
