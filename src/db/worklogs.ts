import { and, asc, desc, eq, isNotNull, isNull, ne, notInArray, or, sql } from "drizzle-orm";
import { endedStatuses } from "../core/goals/goal.ts";
import { builtOnce } from "./connection/built.ts";
import type { Db } from "./connection/client.ts";
import { keepOrWrite } from "./connection/later.ts";
import { goals, worklogs } from "./schema/index.ts";

export type Worklog = typeof worklogs.$inferSelect;
export type NewWorklog = typeof worklogs.$inferInsert;
export type WorklogChanges = Partial<Omit<NewWorklog, "sessionId" | "startedAt">>;

/** Returns the stored row. Null when the id is taken, or another worklog of the run is open. */
export async function insertWorklog(db: Db, row: NewWorklog): Promise<Worklog | null> {
  const inserted = await db.insert(worklogs).values(row).onConflictDoNothing().returning();
  return inserted[0] ?? null;
}

/** Returns the session's worklog, or null when there is none. */
export async function getWorklog(db: Db, sessionId: string): Promise<Worklog | null> {
  const found = await db.select().from(worklogs).where(eq(worklogs.sessionId, sessionId));
  return found[0] ?? null;
}

/** Locks and returns the session's worklog. Null when there is none. */
export async function lockWorklog(tx: Db, sessionId: string): Promise<Worklog | null> {
  return (await locking(tx, { sessionId }))[0] ?? null;
}

const locking = builtOnce<{ sessionId: string }, Worklog[]>((db, place) =>
  db
    .select()
    .from(worklogs)
    .where(eq(worklogs.sessionId, place("sessionId")))
    .for("update"),
);

/** Worded exactly as in their indexes. */
const isOpen = sql`${worklogs.outcome} = 'in_progress'`;
const isUnfinished = sql`${worklogs.outcome} in ('abandoned', 'in_progress')`;

/** The open worklog of a run, or null. */
export async function openWorklogOf(db: Db, runId: string): Promise<Worklog | null> {
  return (await openOf(db, { runId }))[0] ?? null;
}

const openOf = builtOnce<{ runId: string }, Worklog[]>((db, place) =>
  db
    .select()
    .from(worklogs)
    .where(and(eq(worklogs.runId, place("runId")), isOpen)),
);

/** The newest worklog of a goal's run, open or not. */
export async function newestWorklogOf(
  db: Db,
  { goalId, runId }: { readonly goalId: string; readonly runId: string },
): Promise<Worklog | null> {
  const found = await db
    .select()
    .from(worklogs)
    .where(and(eq(worklogs.goalId, goalId), eq(worklogs.runId, runId)))
    .orderBy(desc(worklogs.startedAt), desc(worklogs.sessionId))
    .limit(1);
  return found[0] ?? null;
}

/** The worklogs of a goal, oldest first. */
export async function worklogsOfGoal(db: Db, goalId: string): Promise<Worklog[]> {
  return await ofGoal(db, { goalId });
}

const ofGoal = builtOnce<{ goalId: string }, Worklog[]>((db, place) =>
  db
    .select()
    .from(worklogs)
    .where(eq(worklogs.goalId, place("goalId")))
    .orderBy(asc(worklogs.startedAt), asc(worklogs.sessionId)),
);

/** The `limit` newest worklogs, newest first. */
export async function listWorklogs(db: Db, limit: number): Promise<Worklog[]> {
  return await db.select().from(worklogs).orderBy(desc(worklogs.startedAt), desc(worklogs.sessionId)).limit(limit);
}

/**
 * Unfinished worklogs of a person in a repository that can still be taken up and were not released, newest first. Left out are those of
 * - this goal, no goal (a person's own session is offered in no channel), or a goal that has ended or has a lease;
 * - work in progress that was written within `heartbeatMs` of `now` (C-29);
 * - work without entries (C-02).
 */
export async function unfinishedOf(
  db: Db,
  { owner, repositoryId, goalId, now, heartbeatMs }: UnfinishedWanted,
  most: number,
): Promise<Worklog[]> {
  const found = await db
    .select({ worklog: worklogs })
    .from(worklogs)
    .leftJoin(goals, eq(goals.goalId, worklogs.goalId))
    .where(
      and(
        eq(worklogs.owner, owner),
        isUnfinished,
        isNull(worklogs.releasedAt),
        sql`${worklogs.hasRaw}`,
        isNotNull(worklogs.goalId),
        ne(worklogs.goalId, goalId),
        or(
          isNull(goals.goalId),
          and(
            // Its thread is read by who works there, and what it would take up is none of their work.
            eq(goals.repositoryId, repositoryId),
            notInArray(goals.status, [...endedStatuses]),
            isNull(goals.leasedBy),
          ),
        ),
        or(sql`${worklogs.outcome} = 'abandoned'`, sql`${isBeside(now, heartbeatMs)}`),
      ),
    )
    .orderBy(desc(worklogs.startedAt))
    .limit(most);
  return found.map(({ worklog }) => worklog);
}

interface UnfinishedWanted {
  readonly owner: string;
  readonly repositoryId: string;
  readonly goalId: string;
  readonly now: Date;
  readonly heartbeatMs: number;
}

/** True when the last write is at least `ms` away from `now`, also when it is later, from a clock that was ahead. */
function isBeside(now: Date, ms: number) {
  return sql`abs(extract(epoch from ${worklogs.lastModified}) - ${now.getTime() / 1000}) >= ${ms / 1000}`;
}

/** Returns false when the worklog is released or finished already. Of two concurrent calls one returns true. */
export async function releaseWorklog(
  tx: Db,
  sessionId: string,
  { by, at }: { readonly by: string; readonly at: Date },
): Promise<boolean> {
  const released = await tx
    .update(worklogs)
    .set({ releasedAt: at, releasedBy: by })
    .where(and(eq(worklogs.sessionId, sessionId), isNull(worklogs.releasedAt), isUnfinished))
    .returning({ sessionId: worklogs.sessionId });
  return released.length > 0;
}

/** The subject of the card that offers unfinished work, from the worklog's session id. */
export function offerOf(sessionId: string): string {
  return `worklog.${sessionId}.earlier`;
}

/** The thread in which a worklog was offered or is about to be. Null when it was offered to nobody. */
const offeredUnder = sql<string | null>`(
  select thread from (
    select thread_subject as thread from cos.messages where messages.subject = 'worklog.' || ${worklogs.sessionId} || '.earlier'
    union all
    select notice ->> 'threadSubject' from cos.marks
    where marks.subject = 'notice' and marks.id = 'worklog.' || ${worklogs.sessionId} || '.earlier') offers
  where thread is not null limit 1)`;

/** A worklog, with the thread in which it was offered. */
export interface Offered {
  readonly worklog: Worklog;
  readonly thread: string | null;
}

/** The open worklogs of a goal, and the abandoned ones that were not released. */
export async function unfinishedOfGoal(db: Db, goalId: string): Promise<Offered[]> {
  return await leftOf(db, { goalId });
}

const leftOf = builtOnce<{ goalId: string }, Offered[]>((db, place) =>
  db
    .select({ worklog: worklogs, thread: offeredUnder })
    .from(worklogs)
    .where(
      and(
        eq(worklogs.goalId, place("goalId")),
        or(isOpen, sql`${worklogs.outcome} = 'abandoned' and ${worklogs.releasedAt} is null`),
      ),
    ),
);

/** The thread in which a worklog was offered. Null when it was offered to nobody. */
export async function offeredIn(db: Db, sessionId: string): Promise<string | null> {
  const found = await db.select({ thread: offeredUnder }).from(worklogs).where(eq(worklogs.sessionId, sessionId));
  return found[0]?.thread ?? null;
}

/**
 * The worklogs that still have their entries, with whether the goal has a lease. At most 500, least recently modified first. There are
 * few, because the others were deleted.
 */
export async function worklogsWithEntries(
  db: Db,
): Promise<{ readonly worklog: Worklog; readonly isWorked: boolean }[]> {
  const rows = await db
    .select({ worklog: worklogs, leasedBy: goals.leasedBy })
    .from(worklogs)
    .leftJoin(goals, eq(goals.goalId, worklogs.goalId))
    .where(sql`${worklogs.hasRaw}`)
    .orderBy(asc(worklogs.lastModified))
    .limit(mostAtOnce);
  return rows.map(({ worklog, leasedBy }) => ({ worklog, isWorked: leasedBy !== null }));
}

/** Maximum number in one call. More are deleted in several passes. */
const mostAtOnce = 500;

/** Deletes a worklog without entries. The caller makes sure that it never had any: nothing refers to it. */
export async function deleteEmptyWorklog(tx: Db, sessionId: string): Promise<void> {
  await tx.delete(worklogs).where(eq(worklogs.sessionId, sessionId));
}

/** Changes a worklog at the end of the transaction (`keepOrWrite`). */
export async function updateWorklog(tx: Db, sessionId: string, changes: WorklogChanges): Promise<void> {
  await keepOrWrite(tx, { table: worklogs, id: sessionId, values: changes }, updating);
}

const updating = (at: Db, changes: WorklogChanges, sessionId: string) =>
  at.update(worklogs).set(changes).where(eq(worklogs.sessionId, sessionId));
