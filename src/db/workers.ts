import { eq, sql } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { goals, repositories, workers } from "./schema/index.ts";

/** Who works goals now, and what each can do. */
export interface RunningWorker {
  readonly machine: string;
  readonly labels: readonly string[];
}

const ownName = sql`current_setting('application_name')`;
const isRunning = sql`${workers.name} in (select application_name from pg_stat_activity where datname = current_database())`;

/**
 * Says that this process works goals, under the name of its connections (`servingUrl`), and forgets those that run no more. Safe
 * twice.
 */
export async function sayWorking(db: Db, { machine, labels }: RunningWorker, now: Date): Promise<void> {
  await db.delete(workers).where(sql`not (${isRunning})`);
  const values = { machine, labels: [...labels], startedAt: now };
  await db
    .insert(workers)
    .values({ name: sql<string>`${ownName}`, ...values })
    .onConflictDoUpdate({ target: workers.name, set: values });
}

/** It works none any more. */
export async function sayNotWorking(db: Db): Promise<void> {
  await db.delete(workers).where(eq(workers.name, sql`${ownName}`));
}

/** Those that run, on every machine. */
export async function runningWorkers(db: Db): Promise<RunningWorker[]> {
  return await db.select({ machine: workers.machine, labels: workers.labels }).from(workers).where(isRunning);
}

/** Goals that nobody works and whose repositories ask for labels: whether somebody may take them has changed. At most `limit`. */
export async function goalsWithLabels(db: Db, limit: number): Promise<string[]> {
  const found = await db
    .select({ goalId: goals.goalId })
    .from(repositories)
    .innerJoin(goals, eq(goals.repositoryId, repositories.repositoryId))
    .where(
      sql`${repositories.labels} <> '[]' and ${goals.status} in ('pending', 'in_progress') and ${goals.leasedBy} is null`,
    )
    .limit(limit);
  return found.map(({ goalId }) => goalId);
}
