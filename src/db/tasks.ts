import { and, asc, eq } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { phaseReports, tasks } from "./schema/index.ts";

export type TaskRow = typeof tasks.$inferSelect;
export type PhaseReportRow = typeof phaseReports.$inferSelect;

/** Stores the tasks of a plan. */
export async function insertTasks(tx: Db, rows: readonly (typeof tasks.$inferInsert)[]): Promise<void> {
  if (rows.length > 0) await tx.insert(tasks).values([...rows]);
}

/** The tasks of a goal, in order. */
export async function tasksOf(db: Db, goalId: string): Promise<TaskRow[]> {
  return await db.select().from(tasks).where(eq(tasks.goalId, goalId)).orderBy(asc(tasks.position), asc(tasks.id));
}

/** Changes a task of a goal's plan. */
export async function updateTask(
  tx: Db,
  goalId: string,
  id: string,
  changes: Partial<Pick<TaskRow, "status" | "attempts" | "feedback" | "commit" | "commitFrom">> & { updatedAt: Date },
): Promise<void> {
  await tx
    .update(tasks)
    .set(changes)
    .where(and(eq(tasks.goalId, goalId), eq(tasks.id, id)));
}

/** Stores the report of a phase of the task loop. */
export async function insertPhaseReport(tx: Db, row: typeof phaseReports.$inferInsert): Promise<void> {
  await tx.insert(phaseReports).values(row);
}

/** The phase reports of a goal, oldest first. */
export async function phaseReportsOf(db: Db, goalId: string): Promise<PhaseReportRow[]> {
  return await db
    .select()
    .from(phaseReports)
    .where(eq(phaseReports.goalId, goalId))
    .orderBy(asc(phaseReports.reportId));
}
