import { and, asc, eq, inArray, isNull, lte, sql } from "drizzle-orm";
import type { Checkpoint, CheckpointKind } from "../core/checkpoints/checkpoint.ts";
import { builtOnce } from "./connection/built.ts";
import type { Db } from "./connection/client.ts";
import { isAnyOf } from "./connection/lists.ts";
import { keepFresh, keepOrWrite } from "./connection/later.ts";
import { forgetHeld, heldRow, noteHeld } from "./connection/held.ts";
import { checkpoints, decisions, grants } from "./schema/index.ts";

export type Decision = typeof decisions.$inferSelect;

/** What is not said of it is as of a question that nobody has answered. */
type NewCheckpoint = Omit<Row, keyof typeof unanswered> & Partial<Row>;
type Row = typeof checkpoints.$inferSelect;

/** Under a fresh id. A second pending checkpoint of a subject violates a unique index: the transaction throws (D10). */
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
} as const;

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

/** As the index of open questions says it. */
const isPending = sql`${checkpoints.status} = 'pending'`;

/** The open question about a subject, if there is one. */
export async function pendingCheckpoint(db: Db, subject: string): Promise<Checkpoint | null> {
  const found = await openAbout(db, { subject });
  return found[0] ?? null;
}

const openAbout = builtOnce<{ subject: string }, Checkpoint[]>((db, place) =>
  db
    .select()
    .from(checkpoints)
    .where(and(eq(checkpoints.subject, place("subject")), isPending)),
);

/** Only pending ones, oldest first (S4-CK-19). */
export async function listPending(db: Db): Promise<Checkpoint[]> {
  return await db.select().from(checkpoints).where(isPending).orderBy(asc(checkpoints.createdAt));
}

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
 * The one conditional write that settles a checkpoint (D10); false when somebody else was first or it changed. Of a row that the
 * transaction holds it is written with its end.
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
    return true;
  }
  const settled = await tx
    .update(checkpoints)
    .set(settlement)
    .where(and(eq(checkpoints.checkpointId, checkpointId), isPending, eq(checkpoints.version, version)))
    .returning({ id: checkpoints.checkpointId });
  return settled.length > 0;
}

/** Changes an open question: a new version with other reasons, who paused, when it was reminded. */
export async function updatePending(
  tx: Db,
  checkpointId: string,
  changes: Partial<Omit<typeof checkpoints.$inferInsert, "checkpointId" | "status">>,
): Promise<void> {
  forgetHeld(tx, checkpointId);
  await tx
    .update(checkpoints)
    .set(changes)
    .where(and(eq(checkpoints.checkpointId, checkpointId), isPending));
}

/**
 * Open questions that were asked before a time, not reminded of yet, and that nobody takes care of. A night reminds once; of
 * what is asked later, other than escalations, its morning does.
 */
export async function dueReminders(db: Db, askedBefore: Date): Promise<Checkpoint[]> {
  return await db
    .select()
    .from(checkpoints)
    .where(
      and(
        isPending,
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

export async function dueExpiries(db: Db, now: Date): Promise<Checkpoint[]> {
  return await db
    .select()
    .from(checkpoints)
    .where(and(isPending, lte(checkpoints.expiresAt, now)));
}

/** Adds to the audit trail; throws on a second settling answer (unique index). */
export async function insertDecision(tx: Db, decision: typeof decisions.$inferInsert): Promise<void> {
  await keepOrWrite(tx, { table: decisions, values: decision }, insertingDecision);
}

const insertingDecision = (at: Db, decision: typeof decisions.$inferInsert) => at.insert(decisions).values(decision);

export async function listDecisions(db: Db, checkpointId: string): Promise<Decision[]> {
  return await db
    .select()
    .from(decisions)
    .where(eq(decisions.checkpointId, checkpointId))
    .orderBy(asc(decisions.decisionId));
}

/** The open questions about these subjects, oldest first. */
export async function pendingAbout(db: Db, subjects: readonly string[]): Promise<Checkpoint[]> {
  if (subjects.length === 0) return [];
  return await db
    .select()
    .from(checkpoints)
    .where(and(isAnyOf(checkpoints.subject, subjects), isPending))
    .orderBy(asc(checkpoints.createdAt));
}

/** The open questions about a session and its goals, oldest first. */
export async function pendingIn(db: Db, sessionId: string): Promise<Checkpoint[]> {
  return await pendingBySession(db, { sessionId });
}

const pendingBySession = builtOnce<{ sessionId: string }, Checkpoint[]>((db, place) => {
  const isItsOwn = sql`${checkpoints.subject} = any(array(
    select goal_id from cos.goals where session_id = ${place("sessionId")} union all select ${place("sessionId")}))`;
  return db.select().from(checkpoints).where(and(isItsOwn, isPending)).orderBy(asc(checkpoints.createdAt));
});

/** Those of the subjects about which a question is open, with its kind. */
export async function openSubjects(db: Db, subjects: readonly string[]): Promise<Map<string, CheckpointKind>> {
  if (subjects.length === 0) return new Map();
  const found = await db
    .select({ subject: checkpoints.subject, kind: checkpoints.kind })
    .from(checkpoints)
    .where(and(isAnyOf(checkpoints.subject, subjects), isPending));
  return new Map(found.map((each) => [each.subject, each.kind]));
}

/** Locks the row: the last but messages in the order of locks (D9). */
export async function lockCheckpoint(tx: Db, checkpointId: string): Promise<Checkpoint | null> {
  const found = await tx.select().from(checkpoints).where(eq(checkpoints.checkpointId, checkpointId)).for("update");
  return found[0] ?? null;
}

/** Gives an agent one use of what it asked for (D29). Once a checkpoint: safe twice. */
export async function insertGrant(
  tx: Db,
  grant: { goalId: string; fingerprint: string; checkpointId: string },
): Promise<void> {
  await tx.insert(grants).values(grant).onConflictDoNothing();
}

/** What a goal's agent may use once each, with the words in which it was asked about. */
export async function openGrants(
  db: Db,
  goalId: string,
): Promise<{ readonly fingerprint: string; readonly action: string }[]> {
  return await db
    .select({ fingerprint: grants.fingerprint, action: checkpoints.context })
    .from(grants)
    .innerJoin(checkpoints, eq(checkpoints.checkpointId, grants.checkpointId))
    .where(and(eq(grants.goalId, goalId), isNull(grants.usedAt)));
}

/** Uses up one grant; false when there was none left. */
export async function useGrant(db: Db, goalId: string, fingerprint: string, now: Date): Promise<boolean> {
  const used = await db.execute(sql`
    update ${grants} set used_at = ${now} where grant_id = (
      select grant_id from ${grants} where goal_id = ${goalId} and fingerprint = ${fingerprint} and used_at is null
      order by grant_id limit 1 for update skip locked)`);
  return (used.rowCount ?? 0) > 0;
}

/** Every question about a campaign, oldest first. */
export async function checkpointsOfCampaign(db: Db, campaignId: string): Promise<Checkpoint[]> {
  return await db
    .select()
    .from(checkpoints)
    .where(eq(checkpoints.campaignId, campaignId))
    .orderBy(asc(checkpoints.createdAt));
}

/** The open questions about a campaign, oldest first. */
export async function pendingOfCampaign(db: Db, campaignId: string): Promise<Checkpoint[]> {
  return (await checkpointsOfCampaign(db, campaignId)).filter((each) => each.status === "pending");
}

/** Open questions about goals and sessions of a night, in the order in which they were asked. */
export async function pendingOfNight(db: Db, nightId: string): Promise<Checkpoint[]> {
  return await db
    .select()
    .from(checkpoints)
    .where(and(isPending, ofNight(nightId)))
    .orderBy(asc(checkpoints.createdAt), asc(checkpoints.checkpointId));
}

/** The morning reminds of the questions of its night, except of escalations, which remind by themselves. */
export async function remindedByMorning(tx: Db, nightId: string, now: Date): Promise<void> {
  await tx
    .update(checkpoints)
    .set({ remindedAt: now })
    .where(and(isPending, isNull(checkpoints.remindedAt), sql`${checkpoints.kind} <> 'escalation'`, ofNight(nightId)));
}

/** How many questions of a night were settled after a moment. */
export async function decisionsSince(db: Db, nightId: string, since: Date): Promise<number> {
  const found = await db
    .select({ settled: sql<number>`count(*)::int` })
    .from(checkpoints)
    .where(
      and(
        inArray(checkpoints.status, ["approved", "rejected"]),
        ofNight(nightId),
        sql`${checkpoints.resolvedAt} >= ${since}`,
      ),
    );
  return found[0]?.settled ?? 0;
}

/** About goals of its contract, wherever they are worked by now, and about those that joined its sessions. */
function ofNight(nightId: string) {
  return sql`${checkpoints.goalId} = any(array(
    select g.goal_id from cos.goals g join cos.sessions s on s.session_id = g.session_id where s.night_id = ${nightId}
    union select jsonb_array_elements_text(n.goal_ids) from cos.nights n where n.night_id = ${nightId}))`;
}
