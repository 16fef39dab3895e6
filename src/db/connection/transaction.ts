import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { connectionOf } from "./connections.ts";
import { asking, CommitUnknown, databaseFailure, isAway, isConflict, isIdTaken, sqlState } from "./failures.ts";
import { prepared } from "./prepared.ts";
import type { AskDatabase } from "./together.ts";
import type { BuiltStatement } from "./writes.ts";

/*
 * A transaction survives the loss of its connection (F-101):
 *
 *   begin ── work ── commit ──answered──► done
 *     │        │        └─ lost: what became of it? ──committed──► done
 *     │        │                          │  └─nobody says──► CommitUnknown
 *     └────────┴─ lost: nothing applied ──┴──► once more, for some seconds ──► DatabaseAway
 *
 * So a transaction that is reported as failed was not applied, and none is applied twice. BEGIN is sent with the first statement,
 * COMMIT with the last write: neither needs a round trip of its own.
 */

export interface RetryLimits {
  /** How long work is retried while connections are lost: enough for a restart of the server, not for an outage. */
  readonly keepTryingMs: number;
  /** How long the server is asked for the outcome of a COMMIT that it did not answer. */
  readonly keepAskingMs: number;
  readonly pauseMs: number;
}

export const usualRetryLimits: RetryLimits = { keepTryingMs: 6_000, keepAskingMs: 20_000, pauseMs: 200 };

export interface Limits {
  /** Timeout of each statement of the transaction in milliseconds; the server cancels it (`isTooSlow`). */
  readonly statementMs?: number;
}

/** The result of a transaction's work, and what it still has to write. */
interface Done<Result> {
  readonly result: Result;
  readonly last: BuiltStatement | null;
}

interface Work<Result> extends Limits {
  /** Must have no effect outside of the database: it may be called more than once. */
  readonly run: (ask: AskDatabase) => Promise<Done<Result>>;
}

/**
 * Runs `work` in one transaction on its own connection. It sends statements with `ask`; `last` is sent with the COMMIT. Retries once
 * after a conflict (40001, 40P01) (D9), with another id when a fresh id was taken, and for some seconds when the connection is lost.
 * Throws what `work` throws; DatabaseAway when nothing was applied because the database is away; CommitUnknown when the outcome is not
 * known.
 */
export async function runTransaction<Result>(pool: pg.Pool, limits: RetryLimits, work: Work<Result>): Promise<Result> {
  const end = performance.now() + limits.keepTryingMs;
  let metConflict = false;
  let taken = 0;
  while (true) {
    try {
      return await runOnce(pool, limits, work);
    } catch (error) {
      const isOver = performance.now() > end || pool.ending || error instanceof CommitUnknown;
      if (isAway(error) && !isOver) await sleep(limits.pauseMs);
      else if (isConflict(error) && !metConflict) metConflict = true;
      else if (isIdTaken(error) && taken < 10) taken += 1;
      else throw error;
    }
  }
}

async function runOnce<Result>(pool: pg.Pool, limits: RetryLimits, work: Work<Result>): Promise<Result> {
  const { result, unanswered } = await workIn(pool, work);
  if (unanswered !== null && !(await wasCommitted(pool, limits, unanswered))) throw unanswered.error;
  return result;
}

/** The result of a transaction, and its COMMIT if that was not answered. */
interface Worked<Result> {
  readonly result: Result;
  readonly unanswered: Unanswered | null;
}

interface Unanswered extends Begun {
  readonly error: Error;
}

async function workIn<Result>(pool: pg.Pool, work: Work<Result>): Promise<Worked<Result>> {
  const client = await connectionOf(pool);
  const open = openOn(client, work);
  let broken: Error | undefined;
  try {
    const { result, last } = await work.run(open.ask);
    if (!open.hasBegun() && last === null) return { result, unanswered: null };
    const unanswered = await commit(client, await open.begin(), last);
    broken = unanswered?.error;
    return { result, unanswered };
  } catch (error) {
    // When BEGIN failed, the errors of the statements sent with it only say that there was no transaction.
    const failed = (await open.failure()) ?? error;
    if (isAway(failed)) broken = databaseFailure(failed);
    else if (open.hasBegun()) broken = await rollBack(client);
    throw failed;
  } finally {
    // A connection that failed is not used again.
    client.release(broken);
  }
}

/** The transaction's id, and its process on the server. */
interface Begun {
  readonly id: string;
  readonly processId: number;
}

interface Open {
  readonly ask: AskDatabase;
  /** Begins unless it has begun. */
  begin(): Promise<Begun>;
  hasBegun(): boolean;
  /** The error of BEGIN; null when it did not fail. */
  failure(): Promise<Error | null>;
}

/** A transaction that begins with its first statement. */
function openOn(client: pg.PoolClient, limits: Limits): Open {
  let begun: Promise<Begun> | null = null;
  let isAnswered = false;

  async function begin(): Promise<Begun> {
    begun ??= beginOn(client, limits);
    const answer = await begun;
    isAnswered = true;
    return answer;
  }

  return {
    begin,
    hasBegun: () => begun !== null,
    async ask(statement, values) {
      // A write that is sent with a BEGIN that fails would run outside of a transaction.
      if (!isAnswered && writes.test(statement.text)) await begin();
      if (isAnswered || begun !== null) return await client.query(statement, values);
      return await together(client, () => {
        begin().catch(() => undefined);
        return client.query(statement, values);
      });
    },
    async failure() {
      return begun === null ? null : await begun.then(() => null, databaseFailure);
    },
  };
}

const writes = /\b(?:insert into|delete from|truncate|update "?cos"?\.)/i;

/** Begins, and reads the transaction's id and process, in one message. */
async function beginOn(client: pg.PoolClient, { statementMs }: Limits): Promise<Begun> {
  const limit = statementMs === undefined ? "" : `set local statement_timeout = ${wholeMs(statementMs)}; `;
  // pg returns a list for several statements.
  const answers = (await asking(() => client.query(`begin; ${limit}${whoAmI}`))) as unknown as pg.QueryResult<{
    id: string;
    process_id: number;
  }>[];
  const row = answers.at(-1)?.rows[0];
  if (row === undefined) throw new Error("a transaction without a number");
  return { id: row.id, processId: row.process_id };
}

const whoAmI = "select pg_current_xact_id()::text as id, pg_backend_pid() as process_id";

/** Rounds to whole milliseconds, at least 1: 0 would mean no limit. */
export function wholeMs(ms: number): number {
  return Math.max(1, Math.round(ms));
}

/** What `send` writes leaves as one packet. */
function together<Result>(client: pg.PoolClient, send: () => Result): Result {
  const { stream } = client.connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}

/** Sends the last write and commits. When that was not answered, returns what is needed to ask for its outcome. */
async function commit(client: pg.PoolClient, begun: Begun, last: BuiltStatement | null): Promise<Unanswered | null> {
  const sent = together(client, () => {
    const wrote = last === null ? Promise.resolve() : asking(() => send(client, last));
    return Promise.allSettled([wrote, asking(() => client.query("commit"))]);
  });
  const [wrote, committed] = await sent;
  for (const each of [wrote, committed])
    if (each.status === "rejected" && isAway(each.reason)) return { ...begun, error: databaseFailure(each.reason) };
  if (wrote.status === "rejected") throw wrote.reason;
  if (committed.status === "rejected") throw committed.reason;
  if (committed.value.command === "ROLLBACK")
    throw new Error("nothing was recorded: a statement of the transaction had failed");
  return null;
}

async function send(client: pg.PoolClient, { text, values }: BuiltStatement): Promise<pg.QueryResult> {
  return await client.query(prepared({ text }, values), [...values]);
}

/** Returns the error with which the connection broke, if it did. */
async function rollBack(client: pg.PoolClient): Promise<Error | undefined> {
  return await client.query("rollback").then(
    () => undefined,
    (error: unknown) => databaseFailure(error),
  );
}

/** True when a transaction whose COMMIT was not answered was committed. Throws CommitUnknown when that cannot be found out. */
async function wasCommitted(
  pool: pg.Pool,
  { keepAskingMs, pauseMs }: RetryLimits,
  { id, processId }: Begun,
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
    // Another server answers now, which has never reached so high a transaction id.
    if (sqlState(error) === "22023") return "aborted";
    throw error;
  }
}

/** Ends the server's process of a lost connection: it would wait for us, with its locks, until it notices. */
async function endBackend(pool: pg.Pool, id: string, processId: number): Promise<void> {
  const statement =
    "select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and backend_xid = xid($2::xid8)";
  await pool.query(statement, [processId, id]).catch(() => undefined);
}
