import { and, asc, desc, eq, getTableColumns, isNotNull, or, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { type Goal, type GoalStatus, goalStatuses } from "../core/goals/goal.ts";
import type { MachineColumn } from "../core/goals/machine.ts";
import { builtOnce } from "./connection/built.ts";
import { isAnyOf, textArray } from "./connection/lists.ts";
import type { Db } from "./connection/client.ts";
import { keepFresh } from "./connection/later.ts";
import { noteHeld } from "./connection/held.ts";
import { noteLocked } from "./connection/looks.ts";
import { campaigns, goals, goalWords, sessions } from "./schema/index.ts";
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
  const runsCommand = sql<boolean>`${goals.runCommand} is not null`;
  const found = await db
    .select({ campaignId: goals.campaignId, nightId: sessions.nightId, runsCommand })
    .from(goals)
    .leftJoin(sessions, eq(sessions.sessionId, goals.sessionId))
    .where(eq(goals.goalId, goalId));
  return found[0] ?? { campaignId: null, nightId: null, runsCommand: false };
}

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

/** Which goals of a list are meant. `skip`: so many newer ones are left out. */
export interface GoalFilter {
  readonly status?: GoalStatus;
  readonly repositoryId?: string;
  /** Its text has words that begin like each of these (`searchWords`), or it has this id. None: any goal. */
  readonly words?: readonly string[];
  readonly goalId?: string;
  readonly limit?: number;
  readonly skip?: number;
}

/** The newest goals, a thousand where nobody says how many, the oldest of them first. */
export async function listGoals(db: Db, filter: GoalFilter): Promise<Goal[]> {
  const { status, repositoryId, words = [], limit = 1000, skip = 0 } = filter;
  if (words.length > 0) return await findGoals(db, { ...filter, words, limit, skip });
  if (status === undefined && repositoryId === undefined) {
    const inOrder = db.select().from(goals).orderBy(desc(goals.createdAt), desc(goals.position));
    return (await inOrder.limit(limit).offset(skip)).reverse();
  }
  // From each status of each repository as many as may be needed: an index has them in order.
  const found = await db.execute<{ goal_id: string }>(sql`
    select newest.goal_id
    from cos.repositories
    cross join unnest(${textArray(status === undefined ? goalStatuses : [status])}) as wanted (status)
    cross join lateral (
      select goal_id, created_at from cos.goals
      where goals.repository_id = repositories.repository_id and goals.status = wanted.status
      order by created_at desc, goal_id desc limit ${limit + skip}) newest
    ${repositoryId === undefined ? sql`` : sql`where repositories.repository_id = ${repositoryId}`}
    order by newest.created_at desc, newest.goal_id desc limit ${limit} offset ${skip}`);
  return await goalsById(
    db,
    found.rows.map((row) => row.goal_id),
  );
}

/** Goals by their words, or by an id that was typed among them. */
async function findGoals(
  db: Db,
  {
    status,
    repositoryId,
    words,
    goalId,
    limit,
    skip,
  }: GoalFilter & Required<Pick<GoalFilter, "words" | "limit" | "skip">>,
): Promise<Goal[]> {
  const query = words
    .map(
      (word) =>
        `(${casesOf(word)
          .map((each) => `'${each}':*`)
          .join(" | ")})`,
    )
    .join(" & ");
  const isMeant = or(sql`${goalWords} @@ to_tsquery('simple', ${query})`, eq(goals.goalId, goalId ?? ""));
  const found = await db
    .select()
    .from(goals)
    .where(
      and(
        isMeant,
        status === undefined ? undefined : eq(goals.status, status),
        repositoryId === undefined ? undefined : eq(goals.repositoryId, repositoryId),
      ),
    )
    .orderBy(desc(goals.createdAt), desc(goals.position))
    .limit(limit)
    .offset(skip);
  return found.reverse();
}

/** A database of the locale C knows the cases of A to Z only: other letters are looked for in each case. */
function casesOf(word: string): string[] {
  if (/^\p{ASCII}*$/u.test(word)) return [word];
  const [first = ""] = word;
  return [...new Set([word, first.toUpperCase() + word.slice(first.length), word.toUpperCase()])];
}

/** Who added the `limit` newest goals, when and for what, the newest first. */
export async function newestAdded(
  db: Db,
  limit: number,
): Promise<Pick<Goal, "repositoryId" | "createdBy" | "createdAt">[]> {
  const { repositoryId, createdBy, createdAt } = goals;
  return await db.select({ repositoryId, createdBy, createdAt }).from(goals).orderBy(desc(createdAt)).limit(limit);
}

/** How many goals there are of each status; a status of which there are none is missing. */
export async function countGoals(db: Db): Promise<ReadonlyMap<GoalStatus, number>> {
  const found = await db.execute<{ status: GoalStatus; number: number }>(sql`
    select status, count(*)::int as number from cos.goals where status in ('pending', 'in_progress', 'blocked') group by status
    union all
    select substr(about, 6), sum(number)::int from cos.tallies where about like 'goal.%' group by about having sum(number) <> 0`);
  return new Map(found.rows.map(({ status, number }) => [status, number]));
}

/** Complete goals of a repository with a branch that may still be merged or discarded, the oldest first. */
export async function goalsWithBranch(db: Db, repositoryId: string): Promise<Goal[]> {
  const isOpen = sql`${goals.goalId} = any(array(select goal_id from cos.open_branches))`;
  const isFinished = sql`${goals.status} = 'complete' and ${goals.branch} is not null`;
  return await db
    .select()
    .from(goals)
    .where(and(isOpen, isFinished, eq(goals.repositoryId, repositoryId)))
    .orderBy(asc(goals.createdAt), asc(goals.position));
}

/** The goals that a worker holds, the oldest first. */
export async function leasedGoals(db: Db): Promise<Goal[]> {
  return await db
    .select()
    .from(goals)
    .where(isNotNull(goals.leasedBy))
    .orderBy(asc(goals.createdAt), asc(goals.position));
}

/** These goals, the oldest first; those that are not there are missing. */
export async function goalsById(db: Db, goalIds: readonly string[]): Promise<Goal[]> {
  if (goalIds.length === 0) return [];
  return await db
    .select()
    .from(goals)
    .where(isAnyOf(goals.goalId, goalIds))
    .orderBy(asc(goals.createdAt), asc(goals.position));
}

/** Goals to be worked, or gone on with, that no open session or campaign holds: most urgent first, then oldest. */
export async function waitingGoals(db: Db, repositoryId: string): Promise<Goal[]> {
  return await waitingIn(db, { repositoryId });
}

const waitingIn = builtOnce<{ repositoryId: string }, Goal[]>((db, place) => {
  const rank = sql`case ${goals.priority} when 'high' then 0 when 'medium' then 1 else 2 end`;
  const isWaiting = sql`${goals.status} in ('pending', 'in_progress') and (${goals.status} = 'pending' or ${goals.leasedBy} is null)`;
  const isFree = sql`not exists (select 1 from ${sessions} s where s.session_id = ${goals.sessionId} and s.status <> 'ended')
    and not exists (select 1 from ${campaigns} c where c.campaign_id = ${goals.campaignId} and c.state in ('planning', 'active', 'paused'))`;
  return db
    .select()
    .from(goals)
    .where(and(eq(goals.repositoryId, place("repositoryId")), isWaiting, isFree))
    .orderBy(rank, asc(goals.position));
});

/** Goals of these repositories that wait for a person's word without a question, newest first, at most five. */
export async function parkedGoals(
  db: Db,
  repositories: readonly { readonly repositoryId: string }[],
): Promise<string[]> {
  const ids = repositories.map((each) => each.repositoryId);
  const found = await db
    .select({ goalId: goals.goalId })
    .from(goals)
    .where(and(isAnyOf(goals.repositoryId, ids), eq(goals.status, "blocked"), eq(goals.blockedOn, "person")))
    .orderBy(desc(goals.position))
    .limit(5);
  return found.map((each) => each.goalId);
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

/** How many goals could be claimed now, and the earliest later time at which one can. */
export async function countReady(db: Db, now: Date): Promise<number> {
  const found = await db
    .select({ ready: sql<number>`count(*)::int` })
    .from(goals)
    .innerJoin(sessions, eq(sessions.sessionId, goals.sessionId))
    .where(
      sql`${goals.wakeAt} <= ${now} and (${goals.leasedUntil} is null or ${goals.leasedUntil} < now()) and ${sessions.status} = 'running'`,
    );
  return found[0]?.ready ?? 0;
}
