import pg from "pg";
import { databaseFailure, isQueueTimeout } from "./failures.ts";
import { longestStillInTransactionMs } from "./standing-still.ts";

/**
 * The only file that makes connections to PostgreSQL (F-101). A connection may end at any moment, also while nothing is
 * asked of it: pg then emits `error` on the client, and an `error` that nobody hears ends the process. Here each client
 * gets a listener for its whole life, so only the statements that were under way fail.
 */

export interface ConnectionSettings {
  readonly url: string;
  /** Hears that a connection broke; statements under way on it fail by themselves. Must not throw. */
  readonly onError: (error: Error) => void;
  /** Where names without a schema are looked for. */
  readonly searchPath?: string;
  /** A statement that is not answered for so long has failed; null for one that may wait for as long as it takes. */
  readonly longestStatementMs: number | null;
  readonly longestConnectMs?: number;
  /** Statements are sent without waiting for the answers to those before them. No cursors and copies then. */
  readonly sendsAhead?: boolean;
  /** Statements are planned once on each connection, for all values, and go by indexes. */
  readonly plansOnce?: boolean;
}

/** To connect, and in a pool until one of the connections that others use is given back. */
const usualConnectMs = 30_000;

/**
 * A peer that vanished without a word is noticed within half a minute, by us and by the server: a server that goes on
 * believing in a dead client keeps that client's locks.
 */
const keepAliveAfterMs = 10_000;
const keepAliveOfServer = "set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3";

/** What a process that stands still may not keep from others (standing-still.ts). */
const endOfStill = `set idle_in_transaction_session_timeout = ${longestStillInTransactionMs}`;

/**
 * What a role, a database or a server may set for all that connect, and what our work does not stand: each statement has a limit of
 * ours, locks are waited for, and connections listen while nothing is asked. What the URL asks for stays.
 */
const withoutTheirs = `select set_config(name, boot_val, false) from pg_settings where source not in ('default', 'client') and name in
  ('statement_timeout', 'lock_timeout', 'transaction_timeout', 'idle_session_timeout', 'default_transaction_isolation')`;

/**
 * Left to itself PostgreSQL plans a large statement anew each time, which takes longer than working it off; and a plan that was made
 * while a table was small reads the whole table until the server looks at its size again, a minute later or more
 * (docs/performance.md). Where there is no index the table is read nevertheless; before PostgreSQL 18 such a plan looks so
 * expensive that it would be compiled, hence `jit`.
 */
const plansOnServer = "set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set jit = off";

/** Opens a pool; nothing is connected before the first statement. A connection that has broken is replaced by itself. */
export function openPool(settings: ConnectionSettings & { readonly size: number }): pg.Pool {
  const pool = new pg.Pool({
    ...configOf(settings),
    max: settings.size,
    // Connecting costs both sides some milliseconds of work; a tick needs this many at once.
    min: kept,
    // pg waits for what it returns, whatever its type says.
    onConnect: (client): unknown => prepareClient(client, settings),
  });
  // The client's own listener has heard it.
  pool.on("error", () => undefined);
  pool.on("release", () => givenBack.set(pool, (givenBack.get(pool) ?? 0) + 1));
  return pool;
}

/** How often a connection of a pool was given back. */
const givenBack = new WeakMap<pg.Pool, number>();

/**
 * A connection of the pool, to be released. A burst waits rather than fails: as long as others give theirs back, the pool is
 * busy, however slow the machine is. Rejects with DatabaseAway when none could be made and none was given back.
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
 * Rejects also when the connection ended in one breath with the answer: the pool would hand out a client that is dead, and
 * whoever listens to it from then on would never hear so.
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
  // By a statement: poolers refuse it among what a connection begins with, or leave it out without a word.
  if (searchPath !== undefined) always.push(`set search_path = ${pg.escapeIdentifier(searchPath)}`);
  await client.query(always.join("; "));
  if (ends[0] !== undefined) throw databaseFailure(ends[0]);
}

/** Connections that a pool keeps while nothing is asked. */
const kept = 2;

/** Opens one connection. Rejects with DatabaseAway, or with what PostgreSQL says. */
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

/** Ends a client that may be broken already; never throws and waits for nobody. */
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
 * What pg makes of these modes today, with the name that will mean it tomorrow as well: it warns at each start otherwise. Who asks for
 * libpq's own meaning by `uselibpqcompat` has it.
 */
function withPlainMode(url: string): string {
  const read = new URL(url);
  const mode = read.searchParams.get("sslmode");
  if (mode === null || !aliases.has(mode) || read.searchParams.has("uselibpqcompat")) return url;
  read.searchParams.set("sslmode", "verify-full");
  return read.href;
}

const aliases = new Set(["allow", "prefer", "require", "verify-ca"]);
