import { and, asc, desc, eq, inArray, isNotNull, isNull } from "drizzle-orm";
import type { Queued, QueuedState } from "../core/merging/queue.ts";
import { builtOnce } from "./connection/built.ts";
import type { Db } from "./connection/client.ts";
import { goals, mergeQueues, merges, queuedMerges, runs } from "./schema/index.ts";

export type MergeQueue = typeof mergeQueues.$inferSelect;

/** A branch of a queue with what its goal and its newest merge have become. */
export interface QueuedBranch extends Queued {
  readonly content: string;
  readonly reason: string | null;
  readonly tip: string | null;
  /** When the merge that is due happens; null: none is. */
  readonly dueAt: Date | null;
}

/** False when the id is taken or a queue of the repository is open (unique index). */
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

/** Locks a queue, after sessions and before goals (D9); null when it has ended. */
export async function lockQueue(tx: Db, queueId: string): Promise<MergeQueue | null> {
  const found = await tx
    .select()
    .from(mergeQueues)
    .where(and(eq(mergeQueues.queueId, queueId), isNull(mergeQueues.endedAt)))
    .for("update");
  return found[0] ?? null;
}

/** The same for one of its branches: false too when that is not in the state any more in which it was seen. */
export async function lockQueued(tx: Db, queueId: string, goalId: string, state: QueuedState): Promise<boolean> {
  if ((await lockQueue(tx, queueId)) === null) return false;
  const found = await tx
    .select({ goalId: queuedMerges.goalId })
    .from(queuedMerges)
    .where(and(eq(queuedMerges.queueId, queueId), eq(queuedMerges.goalId, goalId), eq(queuedMerges.state, state)));
  return found.length > 0;
}

/** The merge queue, null where there is none. */
export async function getQueue(db: Db, queueId: string): Promise<MergeQueue | null> {
  const found = await db.select().from(mergeQueues).where(eq(mergeQueues.queueId, queueId));
  return found[0] ?? null;
}

/**
 * Whether a queue has put the work of a goal on another tip: a run of it began at a commit that has nothing in common with what it
 * had recorded before. It stays true when the queue is over.
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

/** The branches of a queue in its order. A merge counts for the commit that its goal recorded last. */
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
    // What the queue itself has merged stays merged, also when the goal is worked again before that is seen.
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

/** Changes a goal's place in a merge queue. */
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

/** What it was to land on has moved: it is held against the new tip. The caller holds the goal's row. */
export async function waitAgain(tx: Db, goalId: string): Promise<void> {
  const open = tx.select({ id: mergeQueues.queueId }).from(mergeQueues).where(isNull(mergeQueues.endedAt));
  const isMerging = and(eq(queuedMerges.goalId, goalId), eq(queuedMerges.state, "merges"));
  await tx
    .update(queuedMerges)
    .set({ state: "waits", reason: null })
    .where(and(isMerging, inArray(queuedMerges.queueId, open)));
}

/** False when it has ended already. */
export async function endQueue(tx: Db, queueId: string, endReason: string, now: Date): Promise<boolean> {
  const ended = await tx
    .update(mergeQueues)
    .set({ endedAt: now, endReason })
    .where(and(eq(mergeQueues.queueId, queueId), isNull(mergeQueues.endedAt)))
    .returning({ id: mergeQueues.queueId });
  return ended.length > 0;
}
