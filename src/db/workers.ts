import { and, eq, isNull, ne, sql } from "drizzle-orm";
import type { KnownWorker, Lack } from "../core/lacks.ts";
import type { Db } from "./connection/client.ts";
import { isCut } from "./ready-goals.ts";
import { goals, repositories, workers } from "./schema/index.ts";

/** The processes that work goals now or did recently, and what each can do. */

const ownName = sql`current_setting('application_name')`;
const isConnected = sql<boolean>`${workers.name} in (select application_name from pg_stat_activity where datname = current_database())`;
const isOver = sql`not (${isConnected})`;

/** How long an ended worker of another machine is remembered. */
const rememberedMs = 24 * 60 * 60_000;

/** What a process reports about itself when it begins to work goals. */
export interface WorkerProfile {
  readonly machine: string;
  readonly labels: readonly string[];
  readonly lacks: readonly Lack[];
}

/**
 * Registers this process as a worker, under the name of its connections (`servingUrl`). Deletes the workers that have ended on this
 * machine, or long ago on any machine. Idempotent.
 */
export async function sayWorking(db: Db, { machine, labels, lacks }: WorkerProfile, now: Date): Promise<void> {
  await forgetWorkers(db, now);
  await db.delete(workers).where(and(isOver, eq(workers.machine, machine)));
  const values = { machine, labels: [...labels], lacks: [...lacks], startedAt: now, endedAt: null };
  await db
    .insert(workers)
    .values({ name: sql<string>`${ownName}`, ...values })
    .onConflictDoUpdate({ target: workers.name, set: values });
}

/**
 * Marks workers whose connections are gone as ended, and deletes those that ended long ago: no goals are left to them any more. Safe to
 * repeat.
 */
export async function forgetWorkers(db: Db, now: Date): Promise<void> {
  await db
    .update(workers)
    .set({ endedAt: now })
    .where(and(isNull(workers.endedAt), isOver));
  const isOld = sql`${workers.endedAt} < ${new Date(now.getTime() - rememberedMs)}`;
  await db.delete(workers).where(and(isOver, isOld));
}

/** Marks this process as ended: it works no goals any more. */
export async function sayNotWorking(db: Db, now: Date): Promise<void> {
  await db
    .update(workers)
    .set({ endedAt: now })
    .where(eq(workers.name, sql`${ownName}`));
}

/** Stores which repositories this process cannot work from now on. */
export async function sayLacking(db: Db, lacks: readonly Lack[]): Promise<void> {
  await db
    .update(workers)
    .set({ lacks: [...lacks] })
    .where(eq(workers.name, sql`${ownName}`));
}

/** The known workers on all machines. */
export async function knownWorkers(db: Db): Promise<KnownWorker[]> {
  return await knownWhere(db, undefined);
}

/** The known workers on machines other than this one. */
export async function workersElsewhere(db: Db, machine: string): Promise<KnownWorker[]> {
  return await knownWhere(db, ne(workers.machine, machine));
}

async function knownWhere(db: Db, which: ReturnType<typeof ne> | undefined): Promise<KnownWorker[]> {
  const isRunning = sql<boolean>`(${workers.endedAt} is null and ${isConnected})`;
  const { machine, labels, lacks } = workers;
  return await db.select({ machine, labels, lacks, isRunning }).from(workers).where(which).orderBy(machine);
}

/**
 * Goals that nobody works and whose repositories require labels or are lacking on some worker. Who may take them may have changed. At
 * most `limit`.
 */
export async function goalsForSome(db: Db, limit: number): Promise<string[]> {
  const lacked = sql`(select lack ->> 'repositoryId' from ${workers}, jsonb_array_elements(${workers.lacks}) as lack)`;
  const found = await db
    .select({ goalId: goals.goalId })
    .from(repositories)
    .innerJoin(goals, eq(goals.repositoryId, repositories.repositoryId))
    .where(
      sql`(${repositories.labels} <> '[]' or ${repositories.repositoryId} in ${lacked})
        and ${goals.status} in ('pending', 'in_progress') and (${goals.leasedBy} is null or ${isCut})`,
    )
    .limit(limit);
  return found.map(({ goalId }) => goalId);
}
