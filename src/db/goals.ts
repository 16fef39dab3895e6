import { asc, eq, getTableColumns, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Goal } from "../core/goals/goal.ts";
import type { MachineColumn } from "../core/goals/machine.ts";
import { builtOnce } from "./connection/built.ts";
import { isAnyOf, textArray } from "./connection/lists.ts";
import type { Db } from "./connection/client.ts";
import { sqlState } from "./connection/failures.ts";
import { keepFresh } from "./connection/later.ts";
import { noteHeld } from "./connection/held.ts";
import { noteLocked } from "./connection/looks.ts";
import { goals, sessions } from "./schema/index.ts";
import { insertSession } from "./sessions.ts";

export type NewGoal = Omit<typeof goals.$inferInsert, MachineColumn | "turn">;
/** Plain columns: those of the machine are written by transitions alone (`transitions.ts`). */
export type GoalChanges = Partial<Omit<NewGoal, "goalId" | "createdAt" | "updatedAt">>;

/** A goal that nobody has begun, under a fresh id. */
export async function insertGoal(tx: Db, goal: NewGoal): Promise<boolean> {
  const values = { ...goal, ...unbegun };
  return await keepFresh(tx, { table: goals, id: goal.goalId, values }, inserting);
}

const inserting = (at: Db, row: typeof goals.$inferInsert) => at.insert(goals).values(row);

/**
 * The same where the caller, who holds the repository's lock, has seen no session open there: when one is all the same, the row finds no
 * repository, and the database refuses it with its transaction (`metOpenSession`).
 */
export async function insertLoneGoal(tx: Db, goal: NewGoal): Promise<boolean> {
  const values = { ...goal, ...unbegun };
  return await keepFresh(tx, { table: goals, id: goal.goalId, values }, insertingLone);
}

const insertingLone = (at: Db, row: typeof goals.$inferInsert) => {
  const isFree = sql`not exists (select from cos.sessions s where s.repository_id = r.repository_id and s.status <> 'ended')`;
  const free = sql`(select r.repository_id from cos.repositories r where r.repository_id = ${row.repositoryId} and ${isFree})`;
  return at.insert(goals).values({ ...row, repositoryId: free } as unknown as typeof goals.$inferInsert);
};

/** A session is open where a goal was to be added to none (`insertLoneGoal`): nothing of it was written. */
export function metOpenSession(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (!("table" in error && "column" in error)) return metOpenSession(error.cause);
  return sqlState(error) === "23502" && error.table === "goals" && error.column === "repository_id";
}

/** Of a goal whose row the transaction holds (`keepOrWrite`). */
export const updatingGoal = (at: Db, changes: PgUpdateSetSource<typeof goals>, goalId: string) =>
  at.update(goals).set(changes).where(eq(goals.goalId, goalId));

/** The same under an id that was given with its plan. False when it is taken. */
export async function insertPlanned(db: Db, goal: NewGoal): Promise<boolean> {
  const values = { ...goal, ...unbegun };
  const inserted = await db.insert(goals).values(values).onConflictDoNothing().returning({ id: goals.goalId });
  return inserted.length > 0;
}

const unbegun = { status: "pending", phase: "start" } as const;

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

/** The goal that a question is about; none when it is about something else. */
export async function goalsOfQuestion(db: Db, checkpointId: string): Promise<Goal[]> {
  return await byQuestion(db, { checkpointId });
}

const byQuestion = builtOnce<{ checkpointId: string }, Goal[]>((db, place) => {
  const ofQuestion = sql`(select goal_id from cos.checkpoints where checkpoint_id = ${place("checkpointId")})`;
  return db.select().from(goals).where(eq(goals.goalId, ofQuestion));
});

/** What pays for a goal beside the day: its campaign, and the night of its session. A command of its own costs nothing. */
export interface Payers {
  readonly campaignId: string | null;
  readonly nightId: string | null;
  readonly runsCommand: boolean;
}

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

/** In the order in which a session works them. */
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

/** These goals, the oldest first; those that are not there are missing. */
export async function goalsById(db: Db, goalIds: readonly string[]): Promise<Goal[]> {
  if (goalIds.length === 0) return [];
  return await db
    .select()
    .from(goals)
    .where(isAnyOf(goals.goalId, goalIds))
    .orderBy(asc(goals.createdAt), asc(goals.position));
}

/**
 * Opens a session with its goals, in the given order behind all others; returns them as they are in it, in that order. Null when the id
 * is taken or the repository already has an open session.
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
  // Places are given once, in the order of the list: a WITH that draws numbers is worked off by itself.
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

const nextPlace = sql`nextval('cos.goals_position_seq')`;

/** Puts goals behind all others, in the given order: nothing else of them changes. The caller holds their session's lock. */
export async function placeGoals(tx: Db, goalIds: readonly string[]): Promise<void> {
  for (const goalId of goalIds) {
    await tx.update(goals).set({ position: nextPlace }).where(eq(goals.goalId, goalId));
  }
}

/** Changes plain columns of a goal that the caller holds locked. */
export async function updateGoal(tx: Db, goalId: string, changes: GoalChanges & { updatedAt: Date }): Promise<void> {
  await tx.update(goals).set(changes).where(eq(goals.goalId, goalId));
}
