import { and, asc, desc, eq, isNull, lte, sql } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { merges } from "./schema/index.ts";

export type Merge = typeof merges.$inferSelect;

/** Returns false when a merge of the goal is already under way. */
export async function insertMerge(tx: Db, merge: typeof merges.$inferInsert): Promise<boolean> {
  const inserted = await tx.insert(merges).values(merge).onConflictDoNothing().returning({ id: merges.mergeId });
  return inserted.length > 0;
}

/** The latest decision about a goal's branch. */
export async function lastMerge(db: Db, goalId: string): Promise<Merge | null> {
  const found = await db.select().from(merges).where(eq(merges.goalId, goalId)).orderBy(desc(merges.mergeId)).limit(1);
  return found[0] ?? null;
}

/**
 * True when the branch was merged or discarded at this commit, its newest one. A decision counts only for the commit that it was made
 * for: later work needs a new decision.
 */
export function isSettledAt(merge: Merge | null, headCommit: string | null): boolean {
  return (merge?.status === "merged" || merge?.status === "discarded") && merge.headCommit === headCommit;
}

/** Merges that are due, and merges that a dead process began and did not finish. */
export async function dueMerges(db: Db, now: Date): Promise<Merge[]> {
  return await db
    .select()
    .from(merges)
    .where(and(sql`${merges.status} in ('due', 'merging')`, lte(merges.dueAt, now)))
    .orderBy(asc(merges.mergeId));
}

/** Discarded branches that have been kept long enough to be purged. */
export async function oldDiscards(db: Db, before: Date): Promise<Merge[]> {
  return await db
    .select()
    .from(merges)
    .where(and(sql`${merges.status} = 'discarded'`, isNull(merges.purgedAt), lte(merges.settledAt, before)));
}

/**
 * Changes a merge if it still has the status `from`. Returns false when another process was first (for example an undo at the same
 * moment).
 */
export async function moveMerge(
  db: Db,
  mergeId: number,
  from: Merge["status"],
  changes: Partial<Pick<Merge, "status" | "into" | "dueAt" | "settledAt" | "resultCommit" | "outcome" | "purgedAt">>,
): Promise<boolean> {
  const moved = await db
    .update(merges)
    .set(changes)
    .where(and(eq(merges.mergeId, mergeId), eq(merges.status, from)))
    .returning({ id: merges.mergeId });
  return moved.length > 0;
}
