import type pg from "pg";
import { connectionOf, dropClient, openDatabaseClient } from "./connections.ts";
import { asking, databaseFailure, isAway } from "./failures.ts";
import { keepAsking, type Stillness, usualStillness } from "./standing-still.ts";

/*
 * Names that only one process at a time may hold: advisory locks. Such a lock ends with its connection, and the server knows that
 * before we do: another process may hold the name while work still goes on here. `signal` aborts as soon as we know. Meanwhile the rows
 * protect themselves: each of these works takes its row locks and looks again in the transaction that writes (see the comment of each).
 * So two at once have the effect of one. Only a model call or a push may be repeated in vain.
 */

/** Work that runs under a name. `signal` aborts when another process may hold the name, or when this process ends. */
export type UnderName<Value> = (signal: AbortSignal) => Promise<Value>;

/** `stopping` aborts when this process ends, and the work with it. */
export interface HoldOptions {
  readonly stopping?: AbortSignal | undefined;
  readonly stillness?: Stillness;
}

/** Runs `work` unless another process, or another part of this one, is working under that name. Returns false in that case. */
export async function onlyOne(
  pool: pg.Pool,
  name: string,
  work: UnderName<void>,
  { stopping, stillness = usualStillness }: HoldOptions = {},
): Promise<boolean> {
  const client = await connectionOf(pool);
  let broken: Error | undefined;
  try {
    const timeoutBefore = await tryLock(client, name, stillness);
    if (timeoutBefore === null) return false;
    try {
      await whileConnected(client, work, { stopping, stillness });
    } finally {
      broken = await unlock(client, name, timeoutBefore);
    }
    return true;
  } catch (error) {
    if (isAway(error)) broken ??= databaseFailure(error);
    throw error;
  } finally {
    // A connection that failed is closed, which ends its lock. In the pool it would keep the name.
    client.release(broken);
  }
}

/**
 * When the holder stands still, the server closes the connection, and the holder loses the name. Returns the connection's own
 * `idle_session_timeout`, which the URL may have set. Null when another process holds the name.
 */
async function tryLock(client: pg.PoolClient, name: string, { endsAfterMs }: Stillness): Promise<string | null> {
  const statement = `select got, before, case when got then set_config('idle_session_timeout', $2, false) end
    from (select pg_try_advisory_lock(hashtext($1), 0) as got, current_setting('idle_session_timeout') as before) as tried`;
  const { rows } = await asking(() =>
    client.query<{ got: boolean; before: string }>(statement, [name, String(endsAfterMs)]),
  );
  return rows[0]?.got === true ? rows[0].before : null;
}

/** Returns the error with which the connection broke, if it did. */
async function unlock(client: pg.PoolClient, name: string, timeoutBefore: string): Promise<Error | undefined> {
  const statement = "select pg_advisory_unlock(hashtext($1), 0), set_config('idle_session_timeout', $2, false)";
  return await client.query(statement, [name, timeoutBefore]).then(
    () => undefined,
    (error: unknown) => databaseFailure(error),
  );
}

/** The last waiter of this process for each name. */
const queues = new Map<string, Promise<unknown>>();

/**
 * Like `onlyOne`, but waits for its turn: first for callers in this process, then for other processes. It waits on a connection of its
 * own: many waiters on the pool's connections would leave none to the one whose turn it is.
 */
export async function oneAfterAnother<Value>(
  pool: pg.Pool,
  name: string,
  work: UnderName<Value>,
  stopping?: AbortSignal,
): Promise<Value> {
  const before = queues.get(name) ?? Promise.resolve();
  const mine = before.then(() => underName(pool, name, work, stopping));
  const ended = mine.catch(() => undefined);
  queues.set(name, ended);
  try {
    return await mine;
  } finally {
    if (queues.get(name) === ended) queues.delete(name);
  }
}

async function underName<Value>(
  pool: pg.Pool,
  name: string,
  work: UnderName<Value>,
  stopping: AbortSignal | undefined,
): Promise<Value> {
  const url = pool.options.connectionString ?? "";
  // A connection that breaks ends the wait with an error, or loses the name: then `signal` aborts the work.
  const client = await openDatabaseClient({ url, onError: () => undefined, longestStatementMs: null });
  try {
    await asking(() => client.query("select pg_advisory_lock(hashtext($1), 0)", [name]));
    await asking(() => client.query(`set idle_session_timeout = ${usualStillness.endsAfterMs}`));
    return await whileConnected(client, work, { stopping, stillness: usualStillness });
  } finally {
    dropClient(client);
  }
}

async function whileConnected<Value>(
  client: pg.ClientBase,
  work: UnderName<Value>,
  { stopping, stillness }: Required<HoldOptions>,
): Promise<Value> {
  const lost = new AbortController();
  const lose = () => lost.abort();
  if (stopping?.aborted === true) lose();
  stopping?.addEventListener("abort", lose);
  client.on("error", lose);
  client.on("end", lose);
  const stopAsking = keepAsking(client, stillness);
  try {
    return await work(lost.signal);
  } finally {
    stopAsking();
    stopping?.removeEventListener("abort", lose);
    client.off("error", lose);
    client.off("end", lose);
  }
}
