import { asc, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Tried } from "../core/recovery/tried.ts";
import { builtOnce } from "./connection/built.ts";
import type { Db } from "./connection/client.ts";
import { keepOrWrite } from "./connection/later.ts";
import { attempts } from "./schema/index.ts";

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
export async function triedUnder(db: Db, alike: AlikeFailure): Promise<(Tried & { readonly goalId: string })[]> {
  return await db
    .select()
    .from(attempts)
    .where(sql`${attempts.attemptId} = any(array(${newestAlike(alike)}))`)
    .orderBy(desc(attempts.attemptId))
    .limit(50);
}

/** Failures with one fingerprint in one repository. */
interface AlikeFailure {
  readonly fingerprint: string;
  readonly repositoryId: string;
}

/** Maximum number of attempts with one fingerprint in one repository that are read: the newest are enough for a failure that happens all the time. */
const mostAlike = 500;
/** Maximum number of attempts with one fingerprint in all repositories that are searched for these. Bounds what a query costs. */
const mostSearched = 20_000;

/** The ids of the newest attempts with this fingerprint in this repository. Other repositories may fail in the same way more often. */
function newestAlike({ fingerprint, repositoryId }: AlikeFailure): SQL {
  return sql`select alike.attempt_id from (
      select attempt_id, goal_id from cos.attempts where fingerprint = ${fingerprint} and fingerprint <> ''
      order by attempt_id desc limit ${mostSearched}) alike
    join cos.goals alike_goal on alike_goal.goal_id = alike.goal_id
    where alike_goal.repository_id = ${repositoryId}
    order by alike.attempt_id desc limit ${mostAlike}`;
}

/** An approach that passed after an earlier attempt of the same run had failed. */
export interface Remedy {
  readonly approach: string;
  readonly instruction: string;
  readonly goalId: string;
}

/**
 * Approaches that helped other goals of the repository after a failure with this fingerprint (S4-RM-13). Such an approach passed after
 * an attempt of the same run had failed with the fingerprint. Each is returned once, with its newest passed attempt, sorted by that
 * attempt, newest first.
 */
export async function remediesFor(db: Db, failure: AlikeFailure & { readonly goalId: string }): Promise<Remedy[]> {
  const found = await db.execute<{ approach: string; instruction: string; goal_id: string }>(sql`
    select approach, instruction, goal_id from (
      select distinct on (passed.approach) passed.approach, passed.instruction, passed.goal_id, passed.attempt_id
      from ${attempts} passed
      join ${attempts} failed on failed.run_id = passed.run_id and failed.attempt_id < passed.attempt_id
      where passed."end" = 'passed' and passed.instruction is not null
        and failed.attempt_id = any(array(${newestAlike(failure)}))
        and passed.goal_id <> ${failure.goalId}
      order by passed.approach, passed.attempt_id desc) each
    order by attempt_id desc`);
  return found.rows.map((row) => ({ approach: row.approach, instruction: row.instruction, goalId: row.goal_id }));
}
