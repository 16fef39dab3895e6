import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { connectionOf } from "./connections.ts";
import { asking, CommitUnknown, failureOf, isAway, isConflict, isTaken, sqlState } from "./failures.ts";

/*
 * A transaction survives the loss of its connection (F-101):
 *
 *   begin ── work ── commit ──answered──► done
 *     │        │        └─ lost: what became of it? ──committed──► done
 *     │        │                          │  └─nobody says──► CommitUnknown
 *     └────────┴─ lost: nothing applied ──┴──► once more, for some seconds ──► DatabaseAway
 *
 * So what is said to have failed was not applied, and nothing is applied twice.
 */

export interface Patience {
  /** How long work is tried again while connections are lost: over a restart of the server, not over an outage. */
  readonly keepTryingMs: number;
  /** How long the server is asked what became of a COMMIT that it did not answer. */
  readonly keepAskingMs: number;
  readonly pauseMs: number;
}

export const usualPatience: Patience = { keepTryingMs: 6_000, keepAskingMs: 20_000, pauseMs: 200 };

/**
 * Runs `work` in one transaction of its own connection. A conflict (40001, 40P01) is run once more (D9), a fresh id that was taken with
 * another one, a lost connection for some seconds: `work` must have no effect outside the database. Throws what `work` throws; DatabaseAway when nothing
 * was applied because the database is away; CommitUnknown when nobody could say whether it was.
 */
export async function runTransaction<Result>(
  pool: pg.Pool,
  patience: Patience,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const end = performance.now() + patience.keepTryingMs;
  let metConflict = false;
  let taken = 0;
  while (true) {
    try {
      return await runOnce(pool, patience, work);
    } catch (error) {
      const isOver = performance.now() > end || pool.ending || error instanceof CommitUnknown;
      if (isAway(error) && !isOver) await sleep(patience.pauseMs);
      else if (isConflict(error) && !metConflict) metConflict = true;
      else if (isTaken(error) && taken < 10) taken += 1;
      else throw error;
    }
  }
}

/** A transaction that was worked, and the COMMIT that was not answered, if it was not. */
interface Worked<Result> {
  readonly result: Result;
  readonly unanswered: { readonly id: string; readonly processId: number; readonly error: Error } | null;
}

async function runOnce<Result>(
  pool: pg.Pool,
  patience: Patience,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const { result, unanswered } = await workIn(pool, work);
  if (unanswered !== null && !(await wasCommitted(pool, patience, unanswered))) throw unanswered.error;
  return result;
}

async function workIn<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Worked<Result>> {
  const client = await connectionOf(pool);
  let broken: Error | undefined;
  try {
    const begun = await begin(client);
    const result = await work(client);
    try {
      await commit(client);
    } catch (error) {
      if (!isAway(error)) throw error;
      broken = failureOf(error);
      return { result, unanswered: { ...begun, error: broken } };
    }
    return { result, unanswered: null };
  } catch (error) {
    broken = isAway(error) ? failureOf(error) : await rollBack(client);
    throw error;
  } finally {
    // A connection that failed is not used again.
    client.release(broken);
  }
}

/** Begins, and learns under which number and in which process: one message, so that it costs no round trip. */
async function begin(client: pg.PoolClient): Promise<{ id: string; processId: number }> {
  // pg answers several statements with a list.
  const answers = (await asking(() => client.query(beginning))) as unknown as pg.QueryResult<{
    id: string;
    process_id: number;
  }>[];
  const row = answers[1]?.rows[0];
  if (row === undefined) throw new Error("a transaction without a number");
  return { id: row.id, processId: row.process_id };
}

const beginning = "begin; select pg_current_xact_id()::text as id, pg_backend_pid() as process_id";

async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await asking(() => client.query("commit"));
  if (command === "ROLLBACK") throw new Error("nothing was recorded: a statement of the transaction had failed");
}

/** What the connection broke with, when it did. */
async function rollBack(client: pg.PoolClient): Promise<Error | undefined> {
  return await client.query("rollback").then(
    () => undefined,
    (error: unknown) => failureOf(error),
  );
}

/** Whether a transaction whose COMMIT was not answered was committed. Throws CommitUnknown when nobody could say. */
async function wasCommitted(
  pool: pg.Pool,
  { keepAskingMs, pauseMs }: Patience,
  { id, processId }: { readonly id: string; readonly processId: number },
): Promise<boolean> {
  const end = performance.now() + keepAskingMs;
  while (performance.now() < end && !pool.ending) {
    const status = await asking(() => statusOf(pool, id)).catch((error: unknown) => {
      if (!isAway(error)) throw error;
      return "away";
    });
    if (status === "committed") return true;
    if (status === "aborted") return false;
    if (status === "in progress") await endBackend(pool, id, processId);
    await sleep(pauseMs);
  }
  throw new CommitUnknown("its COMMIT was not answered");
}

async function statusOf(pool: pg.Pool, id: string): Promise<string | null> {
  try {
    const { rows } = await pool.query<{ status: string | null }>("select pg_xact_status($1::xid8) as status", [id]);
    return rows[0]?.status ?? null;
  } catch (error) {
    // Another server answers by now, which has never seen so high a number.
    if (sqlState(error) === "22023") return "aborted";
    throw error;
  }
}

/** Ends the server's side of a lost connection: it would wait for us, with its locks, until it notices. */
async function endBackend(pool: pg.Pool, id: string, processId: number): Promise<void> {
  const statement =
    "select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and backend_xid = xid($2::xid8)";
  await pool.query(statement, [processId, id]).catch(() => undefined);
}
