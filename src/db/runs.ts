import { and, desc, eq, isNotNull, ne, sql } from "drizzle-orm";
import { builtOnce } from "./connection/built.ts";
import type { Db } from "./connection/client.ts";
import { keepFresh, keepOrWrite } from "./connection/later.ts";
import { goals, runs } from "./schema/index.ts";

export type Run = typeof runs.$inferSelect;

/** Uses a fresh id. A second open run of a goal violates a unique index: the transaction throws. */
export async function insertRun(tx: Db, run: typeof runs.$inferInsert): Promise<boolean> {
  return await keepFresh(tx, { table: runs, id: run.runId, values: run }, inserting);
}

const inserting = (at: Db, run: typeof runs.$inferInsert) => at.insert(runs).values(run);

/** Returns the run, or null when there is none. */
export async function getRun(db: Db, runId: string): Promise<Run | null> {
  const found = await byId(db, { runId });
  return found[0] ?? null;
}

const byId = builtOnce<{ runId: string }, Run[]>((db, place) =>
  db
    .select()
    .from(runs)
    .where(eq(runs.runId, place("runId"))),
);

/** The runs with these ids, in no order. Unknown ids are left out. */
export async function runsById(db: Db, runIds: readonly string[]): Promise<Run[]> {
  if (runIds.length === 0) return [];
  return await byIds(db, { runIds });
}

const byIds = builtOnce<{ runIds: readonly string[] }, Run[]>((db, place) =>
  db
    .select()
    .from(runs)
    .where(sql`${runs.runId} = any(${place("runIds")}::text[])`),
);

/** True when there was ever a run in this database. */
export async function hasRuns(db: Db): Promise<boolean> {
  return (await db.select({ runId: runs.runId }).from(runs).limit(1)).length > 0;
}

/** The goal's open run, or null. */
export async function openRunOf(db: Db, goalId: string): Promise<Run | null> {
  const found = await openOf(db, { goalId });
  return found[0] ?? null;
}

const openOf = builtOnce<{ goalId: string }, Run[]>((db, place) =>
  db
    .select()
    .from(runs)
    .where(and(eq(runs.goalId, place("goalId")), sql`${runs.status} = 'open'`)),
);

/** The latest run of a goal that recorded a commit, or null. */
export async function lastWorkOf(db: Db, goalId: string): Promise<Run | null> {
  const [newest] = await workOf(db, goalId);
  return newest ?? null;
}

/** The latest other run of the goal that worked its tasks, or null. */
export async function loopBefore(db: Db, goalId: string, runId: string): Promise<Run | null> {
  const [found] = await db
    .select()
    .from(runs)
    .where(and(eq(runs.goalId, goalId), ne(runs.runId, runId), isNotNull(runs.loop)))
    .orderBy(desc(runs.startedAt))
    .limit(1);
  return found ?? null;
}

/** The base commits of the current runs of a repository's goals, most recently updated goals first, at most 20. */
export async function newestBasesOf(db: Db, repositoryId: string): Promise<string[]> {
  const found = await db
    .select({ base: runs.baseCommit })
    .from(runs)
    .innerJoin(goals, eq(goals.runId, runs.runId))
    .where(and(eq(goals.repositoryId, repositoryId), isNotNull(runs.baseCommit)))
    .orderBy(desc(goals.updatedAt))
    .limit(20);
  return [...new Set(found.flatMap(({ base }) => base ?? []))];
}

/** For each of these goals, the latest run that recorded a commit. Goals without one are missing. */
export async function lastWorksOf(db: Db, goalIds: readonly string[]): Promise<Run[]> {
  if (goalIds.length === 0) return [];
  return await lastWorked(db, { goalIds });
}

const lastWorked = builtOnce<{ goalIds: readonly string[] }, Run[]>((db, place) =>
  db
    .selectDistinctOn([runs.goalId])
    .from(runs)
    .where(and(sql`${runs.goalId} = any(${place("goalIds")}::text[])`, isNotNull(runs.headCommit)))
    .orderBy(runs.goalId, desc(runs.startedAt)),
);

/** The runs of a goal that recorded a commit, newest first. */
export async function workOf(db: Db, goalId: string): Promise<Run[]> {
  return await worked(db, { goalId });
}

const worked = builtOnce<{ goalId: string }, Run[]>((db, place) =>
  db
    .select()
    .from(runs)
    .where(and(eq(runs.goalId, place("goalId")), isNotNull(runs.headCommit)))
    .orderBy(desc(runs.startedAt)),
);

type RunChanges = Partial<Omit<Run, "runId" | "goalId">>;

/** Writes at the end of the transaction (`connection/told.ts`); outside of a transaction at once. */
export async function updateRun(db: Db, runId: string, changes: RunChanges): Promise<void> {
  await keepOrWrite(db, { table: runs, id: runId, values: changes }, updating);
}

const updating = (at: Db, changes: Partial<typeof runs.$inferInsert>, runId: string) =>
  at.update(runs).set(changes).where(eq(runs.runId, runId));
