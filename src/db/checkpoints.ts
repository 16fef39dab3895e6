import { and, asc, eq, isNull, lte, sql } from "drizzle-orm";
import type { Checkpoint, CheckpointKind } from "../core/checkpoints/checkpoint.ts";
import { builtOnce } from "./connection/built.ts";
import type { Db } from "./connection/client.ts";
import { isAnyOf } from "./connection/lists.ts";
import { keepFresh, keepOrWrite } from "./connection/later.ts";
import { forgetHeld, heldRow, noteHeld } from "./connection/held.ts";
import { signal } from "./connection/signalled.ts";
import { checkpoints } from "./schema/index.ts";

/** Columns that are not given have the values of an unanswered checkpoint. */
type NewCheckpoint = Omit<Row, keyof typeof unanswered> & Partial<Row>;
type Row = typeof checkpoints.$inferSelect;

/** Uses a fresh id. A second pending checkpoint of one subject violates a unique index: the transaction throws (D10). */
export async function insertCheckpoint(tx: Db, checkpoint: NewCheckpoint): Promise<boolean> {
  const values: Row = { ...unanswered, ...checkpoint };
  return await keepFresh(tx, { table: checkpoints, id: values.checkpointId, values }, inserting);
}

const inserting = (at: Db, row: typeof checkpoints.$inferInsert) => at.insert(checkpoints).values(row);

const unanswered = {
  goalId: null,
  campaignId: null,
  runId: null,
  version: 1,
  chosenOption: null,
  humanNotes: null,
  resolvedBy: null,
  resolvedVia: null,
  resolvedAt: null,
  remindedAt: null,
  pausedBy: null,
  acknowledgedBy: null,
  acknowledgedAt: null,
  changed: null,
  changedAt: null,
} as const;

/** Returns the checkpoint, or null when there is none. */
export async function getCheckpoint(db: Db, checkpointId: string): Promise<Checkpoint | null> {
  const found = await byId(db, { checkpointId });
  return found[0] ?? null;
}

const byId = builtOnce<{ checkpointId: string }, Checkpoint[]>((db, place) =>
  db
    .select()
    .from(checkpoints)
    .where(eq(checkpoints.checkpointId, place("checkpointId"))),
);

/** Worded exactly as in the index of open checkpoints. */
export const isPendingQuestion = sql`${checkpoints.status} = 'pending'`;

/** The open checkpoint about a subject, or null. */
export async function pendingCheckpoint(db: Db, subject: string): Promise<Checkpoint | null> {
  const found = await openAbout(db, { subject });
  return found[0] ?? null;
}

const openAbout = builtOnce<{ subject: string }, Checkpoint[]>((db, place) =>
  db
    .select()
    .from(checkpoints)
    .where(and(eq(checkpoints.subject, place("subject")), isPendingQuestion)),
);

/** Oldest first. Checkpoints of the same moment are in the order in which their goals were added. */
export const inAskedOrder = [
  asc(checkpoints.createdAt),
  asc(sql`(select asked.position from cos.goals asked where asked.goal_id = cos.checkpoints.goal_id)`),
  asc(checkpoints.checkpointId),
];

/** All pending checkpoints, oldest first (S4-CK-19). */
export async function listPending(db: Db): Promise<Checkpoint[]> {
  return await db
    .select()
    .from(checkpoints)
    .where(isPendingQuestion)
    .orderBy(...inAskedOrder);
}

/** The newest checkpoint of a kind that this run of the goal asked. Null when there is none. */
export async function lastOfRun(
  db: Db,
  { goalId, runId }: { readonly goalId: string; readonly runId: string },
  kind: CheckpointKind,
): Promise<Checkpoint | null> {
  const ofGoal = await listForGoal(db, goalId);
  return ofGoal.findLast((each) => each.runId === runId && each.kind === kind) ?? null;
}

/** All checkpoints of a goal, oldest first. */
export async function listForGoal(db: Db, goalId: string): Promise<Checkpoint[]> {
  return await db.select().from(checkpoints).where(eq(checkpoints.goalId, goalId)).orderBy(asc(checkpoints.createdAt));
}

export interface Settlement {
  readonly status: "approved" | "rejected" | "expired" | "superseded";
  readonly chosenOption: string | null;
  readonly humanNotes: string | null;
  readonly resolvedBy: string | null;
  readonly resolvedVia: string | null;
  readonly resolvedAt: Date;
}

const settling = (at: Db, settlement: Settlement, checkpointId: string) =>
  at.update(checkpoints).set(settlement).where(eq(checkpoints.checkpointId, checkpointId));

/**
 * The only write that settles a checkpoint (D10). False when it was settled or changed by somebody else first. Kept until the end of a
 * transaction that holds the row.
 */
export async function settleCheckpoint(
  tx: Db,
  checkpointId: string,
  version: number,
  settlement: Settlement,
): Promise<boolean> {
  const held = heldRow<Pick<Checkpoint, "status" | "version">>(tx, checkpointId);
  if (held !== undefined) {
    if (held.status !== "pending" || held.version !== version) return false;
    noteHeld(tx, checkpointId, { ...held, ...settlement });
    await keepOrWrite(tx, { table: checkpoints, id: checkpointId, values: settlement }, settling);
    signal(tx, { type: "answered", checkpointId });
    return true;
  }
  const settled = await tx
    .update(checkpoints)
    .set(settlement)
    .where(and(eq(checkpoints.checkpointId, checkpointId), isPendingQuestion, eq(checkpoints.version, version)))
    .returning({ id: checkpoints.checkpointId });
  if (settled.length > 0) signal(tx, { type: "answered", checkpointId });
  return settled.length > 0;
}

/** Changes an open checkpoint: a new version with other reasons, who paused it, or when a reminder was sent. */
export async function updatePending(
  tx: Db,
  checkpointId: string,
  changes: Partial<Omit<typeof checkpoints.$inferInsert, "checkpointId" | "status">>,
): Promise<void> {
  forgetHeld(tx, checkpointId);
  await tx
    .update(checkpoints)
    .set(changes)
    .where(and(eq(checkpoints.checkpointId, checkpointId), isPendingQuestion));
}

/**
 * Open checkpoints that were asked before `askedBefore`, have no reminder yet and are not acknowledged. A night sends only one
 * reminder. Its later checkpoints, except escalations, are left to the morning report.
 */
export async function dueReminders(db: Db, askedBefore: Date): Promise<Checkpoint[]> {
  return await db
    .select()
    .from(checkpoints)
    .where(
      and(
        isPendingQuestion,
        isNull(checkpoints.remindedAt),
        isNull(checkpoints.acknowledgedAt),
        lte(checkpoints.askedAt, askedBefore),
        sql`(${checkpoints.kind} = 'escalation' or not exists (
          select 1 from cos.goals g
          join cos.sessions s on s.session_id = g.session_id
          join cos.nights n on n.night_id = s.night_id and n.ended_at is null
          join cos.sessions mine on mine.night_id = n.night_id
          join cos.goals other on other.session_id = mine.session_id
          join cos.checkpoints reminded on reminded.goal_id = other.goal_id and reminded.reminded_at >= n.started_at
          where g.goal_id = ${checkpoints.goalId}))`,
      ),
    );
}

/** Open checkpoints that have expired by `now`, except those with an answer that was given in time and is held in a batch (F-411). */
export async function dueExpiries(db: Db, now: Date): Promise<Checkpoint[]> {
  return await db
    .select()
    .from(checkpoints)
    .where(
      and(
        isPendingQuestion,
        lte(checkpoints.expiresAt, now),
        sql`not exists (
          select 1 from cos.batches b
          join cos.batched_questions q on q.batch_id = b.batch_id and q.became is null
          where b.status in ('held', 'begun') and b.asked_at < ${checkpoints.expiresAt}
          and q.checkpoint_id = ${checkpoints.checkpointId} and q.version = ${checkpoints.version})`,
      ),
    );
}

/** The open checkpoints about these subjects, oldest first. */
export async function pendingAbout(db: Db, subjects: readonly string[]): Promise<Checkpoint[]> {
  if (subjects.length === 0) return [];
  return await pendingBySubjects(db, { subjects });
}

const pendingBySubjects = builtOnce<{ subjects: readonly string[] }, Checkpoint[]>((db, place) =>
  db
    .select()
    .from(checkpoints)
    .where(and(sql`${checkpoints.subject} = any(${place("subjects")}::text[])`, isPendingQuestion))
    .orderBy(...inAskedOrder),
);

/** The subjects that have an open checkpoint, each with the kind of that checkpoint. */
export async function openSubjects(db: Db, subjects: readonly string[]): Promise<Map<string, CheckpointKind>> {
  if (subjects.length === 0) return new Map();
  const found = await db
    .select({ subject: checkpoints.subject, kind: checkpoints.kind })
    .from(checkpoints)
    .where(and(isAnyOf(checkpoints.subject, subjects), isPendingQuestion));
  return new Map(found.map((each) => [each.subject, each.kind]));
}

/** Locks the row. In the lock order only messages come after it (D9). */
export async function lockCheckpoint(tx: Db, checkpointId: string): Promise<Checkpoint | null> {
  const found = await tx.select().from(checkpoints).where(eq(checkpoints.checkpointId, checkpointId)).for("update");
  return found[0] ?? null;
}

/** Like `lockCheckpoint`; null when another transaction holds the row, so that a caller that locks several never waits for one. */
export async function lockFreeCheckpoint(tx: Db, checkpointId: string): Promise<Checkpoint | null> {
  const isMeant = eq(checkpoints.checkpointId, checkpointId);
  const found = await tx.select().from(checkpoints).where(isMeant).for("update", { skipLocked: true });
  return found[0] ?? null;
}

/** All checkpoints about a campaign, oldest first. */
export async function checkpointsOfCampaign(db: Db, campaignId: string): Promise<Checkpoint[]> {
  return await db
    .select()
    .from(checkpoints)
    .where(eq(checkpoints.campaignId, campaignId))
    .orderBy(asc(checkpoints.createdAt));
}

/** The open checkpoints about a campaign, oldest first. */
export async function pendingOfCampaign(db: Db, campaignId: string): Promise<Checkpoint[]> {
  return (await checkpointsOfCampaign(db, campaignId)).filter((each) => each.status === "pending");
}
