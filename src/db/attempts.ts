import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Tried } from "../core/recovery/tried.ts";
import { builtOnce } from "./connection/built.ts";
import type { Db } from "./connection/client.ts";
import { keepOrWrite } from "./connection/later.ts";
import { attempts, goals } from "./schema/index.ts";

/** Stores an attempt. An attempt number of a run's ladder is stored only once: idempotent. */
export async function insertAttempt(tx: Db, row: typeof attempts.$inferInsert): Promise<void> {
  await keepOrWrite(tx, { table: attempts, values: row }, inserting);
}

const inserting = (at: Db, row: typeof attempts.$inferInsert) => at.insert(attempts).values(row).onConflictDoNothing();

/** All attempts of a run, on all its ladders, oldest first. */
export async function attemptsOfRun(db: Db, runId: string): Promise<Tried[]> {
  return await byRun(db, { runId });
}

const byRun = builtOnce<{ runId: string }, Tried[]>((db, place) =>
  db
    .select()
    .from(attempts)
    .where(eq(attempts.runId, place("runId")))
    .orderBy(asc(attempts.attemptId)),
);

/** All attempts of the goal's latest run, oldest first. */
export async function attemptsOfGoal(db: Db, goalId: string): Promise<Tried[]> {
  return await byLastRun(db, { goalId });
}

const byLastRun = builtOnce<{ goalId: string }, Tried[]>((db, place) => {
  const run = sql`(select run_id from cos.goals where goal_id = ${place("goalId")})`;
  return db.select().from(attempts).where(eq(attempts.runId, run)).orderBy(asc(attempts.attemptId));
});

/** Attempts of any goal of the repository that failed with this fingerprint, newest first, at most 50. */
export async function triedUnder(
  db: Db,
  fingerprint: string,
  repositoryId: string,
): Promise<(Tried & { readonly goalId: string })[]> {
  const found = await db
    .select({ attempt: attempts })
    .from(attempts)
    .innerJoin(goals, eq(goals.goalId, attempts.goalId))
    .where(
      and(sql`${attempts.attemptId} = any(array(${newestAlike(fingerprint)}))`, eq(goals.repositoryId, repositoryId)),
    )
    .orderBy(desc(attempts.attemptId))
    .limit(50);
  return found.map((row) => row.attempt);
}

/** Maximum number of attempts with one fingerprint that are read: the newest are enough for a failure that happens all the time. */
const mostAlike = 500;

function newestAlike(fingerprint: string): SQL {
  return sql`select attempt_id from cos.attempts where fingerprint = ${fingerprint} and fingerprint <> ''
    order by attempt_id desc limit ${mostAlike}`;
}

/** An approach that passed after an earlier attempt of the same run had failed. */
export interface Remedy {
  readonly approach: string;
  readonly instruction: string;
  readonly goalId: string;
}

/**
 * Approaches that helped other goals of the repository after a failure with this fingerprint (S4-RM-13). Such an approach passed after
 * an attempt of the same run had failed with the fingerprint. Sorted by approach; each is shown with its newest passed attempt.
 */
export async function remediesFor(
  db: Db,
  failure: { readonly fingerprint: string; readonly repositoryId: string; readonly goalId: string },
  limit: number,
): Promise<Remedy[]> {
  const { fingerprint, repositoryId, goalId } = failure;
  const found = await db.execute<{ approach: string; instruction: string; goal_id: string }>(sql`
    select distinct on (passed.approach) passed.approach, passed.instruction, passed.goal_id, passed.attempt_id
    from ${attempts} passed
    join ${attempts} failed on failed.run_id = passed.run_id and failed.attempt_id < passed.attempt_id
    join ${goals} g on g.goal_id = passed.goal_id
    where passed."end" = 'passed' and passed.instruction is not null
      and failed.attempt_id = any(array(${newestAlike(fingerprint)}))
      and g.repository_id = ${repositoryId} and g.goal_id <> ${goalId}
    order by passed.approach, passed.attempt_id desc`);
  return found.rows
    .map((row) => ({ approach: row.approach, instruction: row.instruction, goalId: row.goal_id }))
    .slice(0, limit);
}
