import pg from "pg";
import { databaseFailure, isQueueTimeout } from "./failures.ts";
import { longestStillInTransactionMs } from "./standing-still.ts";

/**
 * The only file that makes connections to PostgreSQL (F-101). A connection may end at any moment, also when it is idle: pg then emits
 * `error` on the client, and an `error` without a listener ends the process. Here each client gets a listener for its whole life, so
 * only the statements that were under way fail.
 */

export interface ConnectionSettings {
  readonly url: string;
  /** Is called when a connection broke. Statements under way on it fail by themselves. Must not throw. */
  readonly onError: (error: Error) => void;
  /** The schema in which names without a schema are looked up. */
  readonly searchPath?: string;
  /** Timeout of a statement in milliseconds. Null for a connection whose statements may wait without limit. */
  readonly longestStatementMs: number | null;
  readonly longestConnectMs?: number;
  /** Sends statements without waiting for the results of earlier ones. Cursors and copies are not possible then. */
  readonly sendsAhead?: boolean;
  /** Plans statements once on each connection, for all values, using indexes. */
  readonly plansOnce?: boolean;
}

/** Timeout for connecting. In a pool, also for waiting until another user releases a connection. */
const usualConnectMs = 30_000;

/**
 * A peer that disappeared silently is noticed within half a minute, by us and by the server. A server that does not notice a dead
 * client keeps that client's locks.
 */
const keepAliveAfterMs = 10_000;
const keepAliveOfServer = "set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3";

/** Limits how long a process that stands still keeps its locks from others (standing-still.ts). */
const endOfStill = `set idle_in_transaction_session_timeout = ${longestStillInTransactionMs}`;

/**
 * Resets settings that a role, a database or a server may set for all connections and that break our work. Each statement has our own
 * timeout, we wait for locks, and idle connections listen. Settings in the URL are kept.
 */
const withoutTheirs = `select set_config(name, boot_val, false) from pg_settings where source not in ('default', 'client') and name in
  ('statement_timeout', 'lock_timeout', 'transaction_timeout', 'idle_session_timeout', 'default_transaction_isolation')`;

/**
 * By default PostgreSQL plans a large statement anew each time, which takes longer than running it. And a plan that was made while a
 * table was small reads the whole table until the server analyzes it again, a minute later or more (docs/performance.md). Without an
 * index the table is still read. Before PostgreSQL 18 such a plan has so high a cost that it would be compiled: hence `jit`.
 */
const plansOnServer = "set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set jit = off";

/** Opens a pool. Nothing is connected before the first statement. Broken connections are replaced automatically. */
export function openPool(settings: ConnectionSettings & { readonly size: number }): pg.Pool {
  const pool = new pg.Pool({
    ...configOf(settings),
    max: settings.size,
    // Connecting costs both sides some milliseconds of work; a tick needs this many at once.
    min: kept,
    // pg waits for the returned promise, although its type does not say so.
    onConnect: (client): unknown => prepareClient(client, settings),
  });
  // The client's own listener has handled it.
  pool.on("error", () => undefined);
  pool.on("release", () => givenBack.set(pool, (givenBack.get(pool) ?? 0) + 1));
  return pool;
}

/** How often connections of each pool were released. */
const givenBack = new WeakMap<pg.Pool, number>();

/**
 * Takes a connection from the pool; the caller releases it. Waits in a burst instead of failing: as long as others release theirs, the
 * pool is only busy, however slow the machine is. Rejects with DatabaseAway when none could be made and none was released.
 */
export async function connectionOf(pool: pg.Pool): Promise<pg.PoolClient> {
  while (true) {
    const before = givenBack.get(pool);
    try {
      return await pool.connect();
    } catch (error) {
      if (!isQueueTimeout(error) || givenBack.get(pool) === before) throw databaseFailure(error);
    }
  }
}

/**
 * Rejects also when the connection ended at the same time as the answer arrived. Otherwise the pool would hand out a dead client, and
 * later listeners on it would never be called.
 */
async function prepareClient(client: pg.ClientBase, settings: ConnectionSettings): Promise<void> {
  const { onError, plansOnce, searchPath } = settings;
  const ends: Error[] = [];
  client.on("error", (error) => {
    ends.push(error);
    onError(databaseFailure(error));
  });
  const always = [keepAliveOfServer, withoutTheirs, endOfStill];
  if (plansOnce === true) always.push(plansOnServer);
  // Set by a statement: poolers reject it as a startup parameter, or silently ignore it.
  if (searchPath !== undefined) always.push(`set search_path = ${pg.escapeIdentifier(searchPath)}`);
  await client.query(always.join("; "));
  if (ends[0] !== undefined) throw databaseFailure(ends[0]);
}

/** Number of idle connections that a pool keeps. */
const kept = 2;

/** Opens one connection. Rejects with DatabaseAway, or with PostgreSQL's error. */
export async function openDatabaseClient(settings: ConnectionSettings): Promise<pg.Client> {
  const client = new pg.Client(configOf(settings));
  client.on("error", (error) => settings.onError(databaseFailure(error)));
  try {
    await client.connect();
    await client.query(`${keepAliveOfServer}; ${withoutTheirs}`);
    return client;
  } catch (error) {
    dropClient(client);
    throw databaseFailure(error);
  }
}

/** Ends a client that may be broken already. Never throws and does not wait. */
export function dropClient(client: pg.Client): void {
  client.end().catch(() => undefined);
}

function configOf(settings: ConnectionSettings): pg.ClientConfig {
  const { url, longestStatementMs, longestConnectMs = usualConnectMs, sendsAhead = false } = settings;
  return {
    connectionString: withPlainMode(url),
    connectionTimeoutMillis: longestConnectMs,
    pipeline: sendsAhead,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    ...(longestStatementMs === null ? {} : { query_timeout: longestStatementMs }),
  };
}

/**
 * pg treats these modes as `verify-full` today and warns at each start that this will change. So the URL names that mode explicitly. A
 * URL with `uselibpqcompat` keeps libpq's meaning.
 */
function withPlainMode(url: string): string {
  const read = new URL(url);
  const mode = read.searchParams.get("sslmode");
  if (mode === null || !aliases.has(mode) || read.searchParams.has("uselibpqcompat")) return url;
  read.searchParams.set("sslmode", "verify-full");
  return read.href;
}

const aliases = new Set(["allow", "prefer", "require", "verify-ca"]);
