import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import * as schema from "./schema.ts";

/** The database, or a transaction on it: whoever needs atomicity passes a transaction. */
export type Db = Pick<
  NodePgDatabase<typeof schema>,
  "select" | "selectDistinct" | "insert" | "update" | "delete" | "execute" | "query"
>;

export interface Database {
  readonly db: Db;
  readonly pool: pg.Pool;
  /**
   * Runs `work` in one transaction. Serialization failures and deadlocks (40001, 40P01) are run once more (D9), so
   * `work` must have no effect outside the database.
   */
  transaction<Result>(work: (tx: Db) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** For a connection of the pool, also while others use them all: a burst waits rather than fails. */
const longestWaitMs = 30_000;

/** Opens a pool; nothing is connected before the first query. `onError` hears of idle connections that broke. */
export function openDatabase(url: string, onError: (error: Error) => void, poolSize = 10): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    keepAlive: true,
    connectionTimeoutMillis: longestWaitMs,
  });
  pool.on("error", onError);
  const db = drizzle(pool, { schema });

  async function transaction<Result>(work: (tx: Db) => Promise<Result>): Promise<Result> {
    try {
      return await db.transaction(work);
    } catch (error) {
      if (!isRetryable(error)) throw error;
      return await db.transaction(work);
    }
  }
  return { db, pool, transaction, close: () => pool.end() };
}

/** The SQLSTATE of an error thrown by pg, also where drizzle wrapped it; null for other errors. */
export function sqlState(error: unknown): string | null {
  if (error instanceof pg.DatabaseError) return error.code ?? null;
  if (error instanceof Error && error.cause !== undefined) return sqlState(error.cause);
  return null;
}

/** Whether the database is away, starting or stopping: the same call may succeed in a moment. */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) return /^(08|57P0|53)/.test(state);
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  if (["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOENT", "ETIMEDOUT", "EHOSTUNREACH", "ENOTFOUND"].includes(code))
    return true;
  // What pg says in words only.
  if (/^(Connection terminated|timeout exceeded when trying to connect|Client has encountered)/.test(error.message))
    return true;
  return error.cause !== undefined && isUnavailable(error.cause);
}

function isRetryable(error: unknown): boolean {
  const state = sqlState(error);
  return state === "40001" || state === "40P01";
}

/**
 * Inserts with an id that is made again while it is taken (D9). `insert` returns false when nothing was inserted
 * (`on conflict do nothing`).
 */
export async function withFreshId(newId: () => string, insert: (id: string) => Promise<boolean>): Promise<string> {
  for (let tries = 0; tries < 10; tries += 1) {
    const id = newId();
    if (await insert(id)) return id;
  }
  throw new Error("ten fresh ids in a row were taken");
}

/** Does the work unless another process, or another part of this one, is at work under that name; false then. */
export async function onlyOne(pool: pg.Pool, name: string, work: () => Promise<void>): Promise<boolean> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ got: boolean }>("select pg_try_advisory_lock(hashtext($1), 0) as got", [
      name,
    ]);
    if (rows[0]?.got !== true) return false;
    try {
      await work();
    } finally {
      await client.query("select pg_advisory_unlock(hashtext($1), 0)", [name]);
    }
    return true;
  } finally {
    client.release();
  }
}

/** Who waits in this process under each name: the last of them. */
const queues = new Map<string, Promise<unknown>>();

/**
 * The same, but waits for its turn: first for those of this process, then for other processes. It waits on a connection of
 * its own: many that wait on the pool's would leave none to the one whose turn it is.
 */
export async function oneAfterAnother<Value>(pool: pg.Pool, name: string, work: () => Promise<Value>): Promise<Value> {
  const before = queues.get(name) ?? Promise.resolve();
  const mine = before.then(() => underName(pool, name, work));
  const ended = mine.catch(() => undefined);
  queues.set(name, ended);
  try {
    return await mine;
  } finally {
    if (queues.get(name) === ended) queues.delete(name);
  }
}

async function underName<Value>(pool: pg.Pool, name: string, work: () => Promise<Value>): Promise<Value> {
  const client = new pg.Client(pool.options);
  // A connection that breaks ends the wait with an error, or gives the name up.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("select pg_advisory_lock(hashtext($1), 0)", [name]);
    return await work();
  } finally {
    await client.end();
  }
}
