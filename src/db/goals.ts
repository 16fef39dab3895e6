import { asc, eq, getTableColumns, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Goal } from "../core/goals/goal.ts";
import type { MachineColumn } from "../core/goals/machine.ts";
import { builtOnce } from "./connection/built.ts";
import { isAnyOf, textArray } from "./connection/lists.ts";
import type { Db } from "./connection/client.ts";
import { sqlState } from "./connection/failures.ts";
import { keepFresh, keepOrWrite } from "./connection/later.ts";
import { constant } from "./connection/writes.ts";
import { noteHeld } from "./connection/held.ts";
import { noteLocked } from "./connection/looks.ts";
import { goals, sessions } from "./schema/index.ts";
import { insertSession } from "./sessions.ts";

export type NewGoal = Omit<typeof goals.$inferInsert, MachineColumn | "turn">;
/** Only plain columns: those of the state machine are written by transitions alone (`transitions.ts`). */
export type GoalChanges = Partial<Omit<NewGoal, "goalId" | "createdAt" | "updatedAt">>;

/** Worded exactly as in the indexes of unfinished goals. */
export const isUnfinished = sql`${goals.status} in ('pending', 'in_progress', 'blocked')`;

/** Inserts a pending goal under a fresh id. */
export async function insertGoal(tx: Db, goal: NewGoal): Promise<boolean> {
  const values = { ...goal, ...unbegun };
  return await keepFresh(tx, { table: goals, id: goal.goalId, values }, inserting);
}

const inserting = (at: Db, row: typeof goals.$inferInsert) => at.insert(goals).values(row);

/**
 * Like `insertGoal`, for a repository that had no open session when the caller looked. Locks the repository. Rejects the row, and with
 * it the transaction, when a session is open by now or the repository was removed (`whyNotAlone`).
 */
export async function insertLoneGoal(tx: Db, goal: NewGoal): Promise<boolean> {
  const values = { ...goal, ...unbegun };
  return await keepFresh(tx, { table: goals, id: goal.goalId, values }, insertingLone);
}

const insertingLone = (at: Db, row: typeof goals.$inferInsert) => {
  const repositoryId = sql`cos.repository_to_add_to(${row.repositoryId})`;
  return at.insert(goals).values({ ...row, repositoryId } as unknown as typeof goals.$inferInsert);
};

/** Why `insertLoneGoal` failed; nothing of its transaction was written. Null when the error has another cause. */
export function whyNotAlone(error: unknown): "session-open" | "repository-removed" | null {
  const state = sqlState(error);
  if (state === "CSSOP") return "session-open";
  return state === "CSRRM" ? "repository-removed" : null;
}

/** An update for `keepOrWrite`: the transaction holds the goal's row. */
export const updatingGoal = (at: Db, changes: PgUpdateSetSource<typeof goals>, goalId: string) =>
  at.update(goals).set(changes).where(eq(goals.goalId, goalId));

/** Inserts a pending goal under an id that its plan has given. Returns false when the id is taken. */
export async function insertPlanned(db: Db, goal: NewGoal): Promise<boolean> {
  const values = { ...goal, ...unbegun };
  const inserted = await db.insert(goals).values(values).onConflictDoNothing().returning({ id: goals.goalId });
  return inserted.length > 0;
}

const unbegun = { status: "pending", phase: "start" } as const;

/** Returns the goal, or null when there is none. */
export async function getGoal(db: Db, goalId: string): Promise<Goal | null> {
  const found = await byId(db, { goalId });
  return found[0] ?? null;
}

const byId = builtOnce<{ goalId: string }, Goal[]>((db, place) =>
  db
    .select()
    .from(goals)
    .where(eq(goals.goalId, place("goalId"))),
);

/** The goal that a checkpoint is about. Empty when it is about something else. */
export async function goalsOfQuestion(db: Db, checkpointId: string): Promise<Goal[]> {
  return await byQuestion(db, { checkpointId });
}

const byQuestion = builtOnce<{ checkpointId: string }, Goal[]>((db, place) => {
  const ofQuestion = sql`(select goal_id from cos.checkpoints where checkpoint_id = ${place("checkpointId")})`;
  return db.select().from(goals).where(eq(goals.goalId, ofQuestion));
});

/** What pays for a goal beside the day: its campaign, and the night of its session. A goal that runs a command of its own costs nothing. */
export interface Payers {
  readonly campaignId: string | null;
  readonly nightId: string | null;
  readonly runsCommand: boolean;
}

/** The payers of a goal. All null when there is no such goal. */
export async function payersOf(db: Db, goalId: string): Promise<Payers> {
  const found = await payersByGoal(db, { goalId });
  return found[0] ?? { campaignId: null, nightId: null, runsCommand: false };
}

const payersByGoal = builtOnce<{ goalId: string }, Payers[]>((db, place) =>
  db
    .select({
      campaignId: goals.campaignId,
      nightId: sessions.nightId,
      runsCommand: sql<boolean>`${goals.runCommand} is not null`,
    })
    .from(goals)
    .leftJoin(sessions, eq(sessions.sessionId, goals.sessionId))
    .where(eq(goals.goalId, place("goalId"))),
);

/** Locks the row: after its session, before its checkpoints (D9). */
export async function lockGoal(tx: Db, goalId: string): Promise<Goal | null> {
  const [goal] = await tx.select().from(goals).where(eq(goals.goalId, goalId)).for("update");
  if (goal !== undefined) noteHeld(tx, goalId, goal);
  return goal ?? null;
}

/** The goals of a session, in the order in which it works them. */
export async function sessionGoals(db: Db, sessionId: string): Promise<Goal[]> {
  return await bySession(db, { sessionId });
}

const bySession = builtOnce<{ sessionId: string }, Goal[]>((db, place) =>
  db
    .select()
    .from(goals)
    .where(eq(goals.sessionId, place("sessionId")))
    .orderBy(asc(goals.position)),
);

/** The goals with these ids, oldest first. Unknown ids are left out. */
export async function goalsById(db: Db, goalIds: readonly string[]): Promise<Goal[]> {
  if (goalIds.length === 0) return [];
  return await db
    .select()
    .from(goals)
    .where(isAnyOf(goals.goalId, goalIds))
    .orderBy(asc(goals.createdAt), asc(goals.position));
}

/**
 * Opens a session with its goals, which are placed behind all other goals in the given order. Returns them as updated, in that order.
 * Null when the id is taken or the repository already has an open session.
 */
export async function insertSessionWith(
  tx: Db,
  session: typeof sessions.$inferInsert,
  goalIds: readonly string[],
  now: Date,
): Promise<Goal[] | null> {
  const { sessionId } = session;
  if (goalIds.length === 0) return (await insertSession(tx, session)) ? [] : null;
  const opened = tx
    .$with("opened")
    .as(tx.insert(sessions).values(session).onConflictDoNothing().returning({ sessionId: sessions.sessionId }));
  // Positions are drawn once, in the order of the list: a WITH query that draws from a sequence is evaluated by itself.
  const places = tx.$with("places", { id: sql<string>`id`.as("id"), place: sql<number>`place`.as("place") }).as(sql`
    select id, nextval('cos.goals_position_seq') as place
    from (select id from unnest(${textArray(goalIds)}) with ordinality as listed (id, number) order by number) as in_order`);
  const found = await tx
    .with(opened, places)
    .update(goals)
    .set({ sessionId: sql`opened.session_id`, joinedAt: null, updatedAt: now, position: sql`places.place` })
    .from(sql`${opened}, ${places}`)
    .where(sql`${goals.goalId} = places.id`)
    .returning(getTableColumns(goals));
  if (found.length === 0) return null;
  noteLocked(tx, sessionId);
  for (const goal of found) noteHeld(tx, goal.goalId, goal);
  return found.toSorted((one, other) => one.position - other.position);
}

/**
 * Like `insertSessionWith`, but kept until the end of the transaction, for goals whose rows it holds (`keepOrWrite`). Null when this
 * transaction has already used the id. In the returned goals `position` is the old one; their order is the new one.
 */
export async function keepSessionWith(
  tx: Db,
  session: typeof sessions.$inferInsert,
  held: readonly Goal[],
  now: Date,
): Promise<Goal[] | null> {
  const { sessionId } = session;
  if (!(await keepFresh(tx, { table: sessions, id: sessionId, values: session }, insertingSession))) return null;
  noteLocked(tx, sessionId);
  const placed: Goal[] = [];
  for (const goal of held) {
    const changes = { sessionId, joinedAt: null, updatedAt: now };
    const values = { ...changes, position: nextPlace };
    await keepOrWrite(tx, { table: goals, id: goal.goalId, values }, updatingGoal);
    const row = { ...goal, ...changes };
    noteHeld(tx, goal.goalId, row);
    placed.push(row);
  }
  return placed;
}

const insertingSession = (at: Db, row: typeof sessions.$inferInsert) => at.insert(sessions).values(row);

const nextPlace = constant(sql`nextval('cos.goals_position_seq')`);

/** Moves goals behind all others, in the given order, and changes nothing else. The caller holds the lock of their session. */
export async function placeLast(tx: Db, goalIds: readonly string[]): Promise<void> {
  for (const goalId of goalIds) {
    await tx.update(goals).set({ position: nextPlace }).where(eq(goals.goalId, goalId));
  }
}

/** Changes plain columns of a goal that the caller has locked. */
export async function updateGoal(tx: Db, goalId: string, changes: GoalChanges & { updatedAt: Date }): Promise<void> {
  await tx.update(goals).set(changes).where(eq(goals.goalId, goalId));
}
