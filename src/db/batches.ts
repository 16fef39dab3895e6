import { and, asc, desc, eq, getTableColumns, gte, isNull, lte, sql } from "drizzle-orm";
import type { Became } from "../core/checkpoints/batch.ts";
import type { Db } from "./connection/client.ts";
import { batchedQuestions, batches, checkpoints, goals } from "./schema/index.ts";

export type Batch = typeof batches.$inferSelect;
export type BatchedQuestion = typeof batchedQuestions.$inferSelect;

/** Serializes requests for a batch, so that a double click creates only one. Take this lock before any other (D9). */
export async function lockBatches(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('cos batches'), 0)`);
}

/** Returns false when the id is taken. */
export async function insertBatch(
  tx: Db,
  batch: typeof batches.$inferInsert,
  questions: readonly Omit<BatchedQuestion, "batchId" | "position">[],
): Promise<boolean> {
  const inserted = await tx.insert(batches).values(batch).onConflictDoNothing().returning({ id: batches.batchId });
  if (inserted.length === 0) return false;
  const { batchId } = batch;
  await tx.insert(batchedQuestions).values(questions.map((each, position) => ({ ...each, batchId, position })));
  return true;
}

/** Returns the batch, or null when there is none. */
export async function getBatch(db: Db, batchId: string): Promise<Batch | null> {
  const found = await db.select().from(batches).where(eq(batches.batchId, batchId));
  return found[0] ?? null;
}

/** Batches that are due, and batches that a process began and did not finish. Oldest first. */
export async function dueBatches(db: Db, now: Date): Promise<Batch[]> {
  return await db
    .select()
    .from(batches)
    .where(and(sql`${batches.status} in ('held', 'begun')`, lte(batches.dueAt, now)))
    .orderBy(asc(batches.dueAt), asc(batches.batchId));
}

/** Batches that can still be undone, oldest first. */
export async function heldBatches(db: Db): Promise<Batch[]> {
  return await db
    .select()
    .from(batches)
    .where(sql`${batches.status} = 'held'`)
    .orderBy(asc(batches.askedAt), asc(batches.batchId));
}

/** Batches that were requested since `since`, newest first. */
export async function recentBatches(db: Db, since: Date, most: number): Promise<Batch[]> {
  return await db.select().from(batches).where(gte(batches.askedAt, since)).orderBy(desc(batches.askedAt)).limit(most);
}

/**
 * Changes a batch if it still has the status `from`. Returns false when another process was first, for example an undo at the moment
 * the batch begins.
 */
export async function moveBatch(
  tx: Db,
  batchId: string,
  from: Batch["status"],
  changes: Partial<Pick<Batch, "status" | "settledAt" | "undoneBy">>,
): Promise<boolean> {
  const moved = await tx
    .update(batches)
    .set(changes)
    .where(and(eq(batches.batchId, batchId), eq(batches.status, from)))
    .returning({ id: batches.batchId });
  return moved.length > 0;
}

/** The questions of a batch, in the order in which they were shown. */
export async function questionsOfBatch(db: Db, batchId: string): Promise<BatchedQuestion[]> {
  return await db
    .select()
    .from(batchedQuestions)
    .where(eq(batchedQuestions.batchId, batchId))
    .orderBy(asc(batchedQuestions.position));
}

/** Like `questionsOfBatch`, with the checkpoint and its goal's text, for cards. */
export async function shownQuestionsOfBatch(db: Db, batchId: string) {
  return await db
    .select({
      ...getTableColumns(batchedQuestions),
      checkpoint: getTableColumns(checkpoints),
      content: goals.content,
    })
    .from(batchedQuestions)
    .innerJoin(checkpoints, eq(checkpoints.checkpointId, batchedQuestions.checkpointId))
    .leftJoin(goals, eq(goals.goalId, checkpoints.goalId))
    .where(eq(batchedQuestions.batchId, batchId))
    .orderBy(asc(batchedQuestions.position));
}

/**
 * Locks a question of a batch that has no result yet. Take this lock before any other (D9). False when it has a result, for example
 * from another process.
 */
export async function lockUnanswered(
  tx: Db,
  { batchId, position }: Pick<BatchedQuestion, "batchId" | "position">,
): Promise<boolean> {
  const isIt = and(eq(batchedQuestions.batchId, batchId), eq(batchedQuestions.position, position));
  const found = await tx
    .select({ position: batchedQuestions.position })
    .from(batchedQuestions)
    .where(and(isIt, isNull(batchedQuestions.became)))
    .for("update");
  return found.length > 0;
}

/** Stores the result of one question of a batch. The caller holds its lock. */
export async function recordBecame(
  tx: Db,
  { batchId, position }: Pick<BatchedQuestion, "batchId" | "position">,
  became: Became,
): Promise<void> {
  const isIt = and(eq(batchedQuestions.batchId, batchId), eq(batchedQuestions.position, position));
  await tx.update(batchedQuestions).set({ became }).where(isIt);
}
