import { and, asc, desc, eq, isNull, ne, notInArray, or, sql } from "drizzle-orm";
import { endedStatuses } from "../core/goals/goal.ts";
import { WorklogEntry } from "../core/worklog/entry.ts";
import type { PhaseSummary } from "../core/worklog/phase.ts";
import type { Todo } from "../core/worklog/todos.ts";
import type { Db } from "./connection/client.ts";
import { goals, worklogCheckpoints, worklogEntries, worklogs, worklogTodos } from "./schema/index.ts";

export type Worklog = typeof worklogs.$inferSelect;
export type NewWorklog = typeof worklogs.$inferInsert;
export type WorklogChanges = Partial<Omit<NewWorklog, "sessionId" | "startedAt">>;

/** False when the id is taken, or another worklog of the run is open. */
export async function insertWorklog(db: Db, row: NewWorklog): Promise<boolean> {
  const inserted = await db.insert(worklogs).values(row).onConflictDoNothing().returning({ id: worklogs.sessionId });
  return inserted.length > 0;
}

export async function getWorklog(db: Db, sessionId: string): Promise<Worklog | null> {
  const found = await db.select().from(worklogs).where(eq(worklogs.sessionId, sessionId));
  return found[0] ?? null;
}

export async function lockWorklog(tx: Db, sessionId: string): Promise<Worklog | null> {
  const found = await tx.select().from(worklogs).where(eq(worklogs.sessionId, sessionId)).for("update");
  return found[0] ?? null;
}

/** As their indexes say it. */
const isOpen = sql`${worklogs.outcome} = 'in_progress'`;
const isUnfinished = sql`${worklogs.outcome} in ('abandoned', 'in_progress')`;

/** The one that a run writes into. */
export async function openWorklogOf(db: Db, runId: string): Promise<Worklog | null> {
  const found = await db
    .select()
    .from(worklogs)
    .where(and(eq(worklogs.runId, runId), isOpen));
  return found[0] ?? null;
}

/** The newest of a goal's run, open or not. */
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

/** Of a goal, oldest first. */
export async function worklogsOfGoal(db: Db, goalId: string): Promise<Worklog[]> {
  return await db
    .select()
    .from(worklogs)
    .where(eq(worklogs.goalId, goalId))
    .orderBy(asc(worklogs.startedAt), asc(worklogs.sessionId));
}

/** The newest first. */
export async function listWorklogs(db: Db, limit: number): Promise<Worklog[]> {
  return await db.select().from(worklogs).orderBy(desc(worklogs.startedAt), desc(worklogs.sessionId)).limit(limit);
}

/**
 * Unfinished work of a person that nobody has dismissed and that can still be taken up, the newest first: not of this goal, nor of one
 * that has ended or is worked now, nor written within `heartbeatMs` of `now` (C-29), nor without its entries (C-02).
 */
export async function unfinishedOf(
  db: Db,
  { owner, goalId, now, heartbeatMs }: UnfinishedWanted,
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
        ne(sql`coalesce(${worklogs.goalId}, '')`, goalId),
        or(isNull(goals.goalId), and(notInArray(goals.status, [...endedStatuses]), isNull(goals.leasedBy))),
        or(sql`${worklogs.outcome} = 'abandoned'`, sql`${isBeside(now, heartbeatMs)}`),
      ),
    )
    .orderBy(desc(worklogs.startedAt))
    .limit(most);
  return found.map(({ worklog }) => worklog);
}

interface UnfinishedWanted {
  readonly owner: string;
  readonly goalId: string;
  readonly now: Date;
  readonly heartbeatMs: number;
}

/** Last written further away from a moment than that: also after it, by a clock that was ahead. */
function isBeside(now: Date, ms: number) {
  return sql`abs(extract(epoch from ${worklogs.lastModified}) - ${now.getTime() / 1000}) >= ${ms / 1000}`;
}

/** False: it is settled already, or finished. Two at once: one of them settles it. */
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

/** Every worklog whose entries are there, and whether its goal is worked now. There are few: the others are forgotten. */
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

/** More than that are forgotten in several looks. */
const mostAtOnce = 500;

export async function updateWorklog(tx: Db, sessionId: string, changes: WorklogChanges): Promise<void> {
  await tx.update(worklogs).set(changes).where(eq(worklogs.sessionId, sessionId));
}

/** Entries as they are written, each with its name. */
export interface KeyedEntry {
  readonly key: string;
  readonly entry: WorklogEntry;
}

/** One statement, in their order; what is there already is not written again. */
export async function insertEntries(tx: Db, sessionId: string, entries: readonly KeyedEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map(({ key, entry }) => ({ sessionId, key, entry }));
  await tx.insert(worklogEntries).values(rows).onConflictDoNothing();
}

export type StoredEntries =
  | { readonly type: "read"; readonly entries: readonly WorklogEntry[] }
  /** One of them is no entry. */
  | { readonly type: "corrupt" };

/** In their order. A worklog has a bound of bytes, so that this has one too. */
export async function entriesOf(db: Db, sessionId: string): Promise<StoredEntries> {
  const rows = await db
    .select({ entry: worklogEntries.entry })
    .from(worklogEntries)
    .where(eq(worklogEntries.sessionId, sessionId))
    .orderBy(asc(worklogEntries.entryId));
  const entries: WorklogEntry[] = [];
  for (const row of rows) {
    const read = WorklogEntry.safeParse(row.entry);
    if (!read.success) return { type: "corrupt" };
    entries.push(read.data);
  }
  return { type: "read", entries };
}

export async function deleteEntries(tx: Db, sessionId: string): Promise<void> {
  await tx.delete(worklogEntries).where(eq(worklogEntries.sessionId, sessionId));
}

/** The plan of a session as it is now, and of which text; null: it has told none, or has ended. */
export async function progressOf(
  db: Db,
  sessionId: string,
): Promise<{ readonly todos: readonly Todo[]; readonly taskHash: string } | null> {
  const found = await db
    .select({ todos: worklogTodos.todos, taskHash: worklogTodos.taskHash })
    .from(worklogTodos)
    .where(eq(worklogTodos.sessionId, sessionId));
  return found[0] ?? null;
}

/** Its todos. */
export async function todosOf(db: Db, sessionId: string): Promise<readonly Todo[] | null> {
  return (await progressOf(db, sessionId))?.todos ?? null;
}

export async function putTodos(tx: Db, row: typeof worklogTodos.$inferInsert): Promise<void> {
  const { todos, updatedAt } = row;
  await tx
    .insert(worklogTodos)
    .values(row)
    .onConflictDoUpdate({ target: worklogTodos.sessionId, set: { todos, updatedAt } });
}

export async function deleteTodos(tx: Db, sessionId: string): Promise<void> {
  await tx.delete(worklogTodos).where(eq(worklogTodos.sessionId, sessionId));
}

/** The next number of its summaries; false when this phase has one. */
export async function insertSummary(tx: Db, sessionId: string, summary: PhaseSummary): Promise<boolean> {
  const known = await summariesOf(tx, sessionId);
  const row = { sessionId, phase: summary.phase, n: known.length + 1, summary };
  const inserted = await tx
    .insert(worklogCheckpoints)
    .values(row)
    .onConflictDoNothing()
    .returning({ n: worklogCheckpoints.n });
  return inserted.length > 0;
}

export async function summariesOf(
  db: Db,
  sessionId: string,
): Promise<{ readonly n: number; readonly summary: PhaseSummary }[]> {
  return await db
    .select({ n: worklogCheckpoints.n, summary: worklogCheckpoints.summary })
    .from(worklogCheckpoints)
    .where(eq(worklogCheckpoints.sessionId, sessionId))
    .orderBy(asc(worklogCheckpoints.n));
}

export async function deleteSummaries(tx: Db, sessionId: string): Promise<void> {
  await tx.delete(worklogCheckpoints).where(eq(worklogCheckpoints.sessionId, sessionId));
}

/** A statement of this transaction that takes longer is ended by the server: nobody waits for a worklog. */
export async function limitStatements(tx: Db, ms: number): Promise<void> {
  await tx.execute(sql`select set_config('statement_timeout', ${String(Math.max(1, Math.round(ms)))}, true)`);
}
