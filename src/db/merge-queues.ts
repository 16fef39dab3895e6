import { and, asc, desc, eq, inArray, isNotNull, isNull } from "drizzle-orm";
import type { Queued, QueuedState } from "../core/merging/queue.ts";
import { builtOnce } from "./connection/built.ts";
import type { Db } from "./connection/client.ts";
import { goals, mergeQueues, merges, queuedMerges, runs } from "./schema/index.ts";

export type MergeQueue = typeof mergeQueues.$inferSelect;

/** A branch of a merge queue, with the state of its goal and of its newest merge. */
export interface QueuedBranch extends Queued {
  readonly content: string;
  readonly reason: string | null;
  readonly tip: string | null;
  /** When the merge that is due happens. Null when none is due. */
  readonly dueAt: Date | null;
}

/** Returns false when the id is taken or the repository has an open queue (unique index). */
export async function insertQueue(
  tx: Db,
  queue: typeof mergeQueues.$inferInsert,
  goalIds: readonly string[],
): Promise<boolean> {
  const inserted = await tx
    .insert(mergeQueues)
    .values(queue)
    .onConflictDoNothing()
    .returning({ id: mergeQueues.queueId });
  if (inserted.length === 0) return false;
  const { queueId } = queue;
  await tx
    .insert(queuedMerges)
    .values(goalIds.map((goalId, position) => ({ queueId, goalId, position, state: "waits" as const })));
  return true;
}

/** The merge queues that have not ended, oldest first. */
export async function openQueues(db: Db): Promise<MergeQueue[]> {
  return await db.select().from(mergeQueues).where(isNull(mergeQueues.endedAt)).orderBy(asc(mergeQueues.startedAt));
}

/** Locks a queue, after sessions and before goals (D9). Null when it has ended. */
export async function lockQueue(tx: Db, queueId: string): Promise<MergeQueue | null> {
  const found = await tx
    .select()
    .from(mergeQueues)
    .where(and(eq(mergeQueues.queueId, queueId), isNull(mergeQueues.endedAt)))
    .for("update");
  return found[0] ?? null;
}

/** Locks a queue for one of its branches. Returns false when the queue has ended or the branch does not have the state `state` any more. */
export async function lockQueued(tx: Db, queueId: string, goalId: string, state: QueuedState): Promise<boolean> {
  if ((await lockQueue(tx, queueId)) === null) return false;
  const found = await tx
    .select({ goalId: queuedMerges.goalId })
    .from(queuedMerges)
    .where(and(eq(queuedMerges.queueId, queueId), eq(queuedMerges.goalId, goalId), eq(queuedMerges.state, state)));
  return found.length > 0;
}

/** Returns the merge queue, or null when there is none. */
export async function getQueue(db: Db, queueId: string): Promise<MergeQueue | null> {
  const found = await db.select().from(mergeQueues).where(eq(mergeQueues.queueId, queueId));
  return found[0] ?? null;
}

/**
 * True when a merge queue has moved the goal's work onto another tip. Then one of its runs began at a commit unrelated to the commits
 * that it had recorded before. Stays true after the queue has ended.
 */
export async function wasPutOnTip(db: Db, goalId: string): Promise<boolean> {
  return (await putOnTip(db, { goalId })).length > 0;
}

const putOnTip = builtOnce<{ goalId: string }, { queueId: string }[]>((db, place) =>
  db
    .select({ queueId: queuedMerges.queueId })
    .from(queuedMerges)
    .where(and(eq(queuedMerges.goalId, place("goalId")), isNotNull(queuedMerges.tip)))
    .limit(1),
);

/** The branches of a queue, in order. A merge counts only for the commit that its goal recorded last. */
export async function queuedOf(db: Db, queueId: string): Promise<QueuedBranch[]> {
  const rows = await db
    .select({ queued: queuedMerges, goal: goals, headCommit: runs.headCommit })
    .from(queuedMerges)
    .innerJoin(goals, eq(goals.goalId, queuedMerges.goalId))
    .leftJoin(runs, eq(runs.runId, goals.runId))
    .where(eq(queuedMerges.queueId, queueId))
    .orderBy(asc(queuedMerges.position));
  const branches: QueuedBranch[] = [];
  for (const { queued, goal, headCommit } of rows) {
    const [merge] = await db
      .select()
      .from(merges)
      .where(eq(merges.goalId, goal.goalId))
      .orderBy(desc(merges.mergeId))
      .limit(1);
    // A merge by the queue itself still counts when the goal is worked again before the queue sees it.
    const isOfQueue = queued.state === "merges" && merge?.status === "merged";
    const isItsOwn = merge !== undefined && (merge.headCommit === headCommit || isOfQueue);
    branches.push({
      goalId: goal.goalId,
      state: queued.state,
      goal: { status: goal.status, phase: goal.phase },
      merge: isItsOwn ? { status: merge.status, outcome: merge.outcome } : null,
      rounds: queued.rounds,
      content: goal.content,
      reason: queued.reason,
      tip: queued.tip,
      dueAt: isItsOwn && merge.status === "due" ? merge.dueAt : null,
    });
  }
  return branches;
}

/** Changes the entry of a goal in a merge queue. */
export async function updateQueued(
  tx: Db,
  queueId: string,
  goalId: string,
  changes: Partial<Pick<typeof queuedMerges.$inferInsert, "state" | "reason" | "tip" | "rounds">>,
): Promise<void> {
  await tx
    .update(queuedMerges)
    .set(changes)
    .where(and(eq(queuedMerges.queueId, queueId), eq(queuedMerges.goalId, goalId)));
}

/**
 * The tip that the branch was to land on has moved: the branch waits again, to be checked against the new tip. The caller holds the
 * goal's row.
 */
export async function waitAgain(tx: Db, goalId: string): Promise<void> {
  const open = tx.select({ id: mergeQueues.queueId }).from(mergeQueues).where(isNull(mergeQueues.endedAt));
  const isMerging = and(eq(queuedMerges.goalId, goalId), eq(queuedMerges.state, "merges"));
  await tx
    .update(queuedMerges)
    .set({ state: "waits", reason: null })
    .where(and(isMerging, inArray(queuedMerges.queueId, open)));
}

/** Returns false when it has ended already. */
export async function endQueue(tx: Db, queueId: string, endReason: string, now: Date): Promise<boolean> {
  const ended = await tx
    .update(mergeQueues)
    .set({ endedAt: now, endReason })
    .where(and(eq(mergeQueues.queueId, queueId), isNull(mergeQueues.endedAt)))
    .returning({ id: mergeQueues.queueId });
  return ended.length > 0;
}
