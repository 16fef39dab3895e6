import { setTimeout as sleep } from "node:timers/promises";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { connectionOf, openPool } from "./connections.ts";
import { asking, databaseFailure, isAway } from "./failures.ts";
import { handleOn } from "./drizzle.ts";
import type { Db } from "./handle.ts";
import { forgetChanged } from "./held.ts";
import { beginRemembering, endRemembering } from "./lasting.ts";
import { type Look, lookAtChanged } from "./looks.ts";
import { markedBy, type NewMark } from "./marks.ts";
import { prepared } from "./prepared.ts";
import { type AskDatabase, gathering, type KnownStatements, newKnown } from "./together.ts";
import { signalledBy, type Tell, tellBy } from "./signalled.ts";
import { beforeStatement, lastWrite, sendKeptBy } from "./told.ts";
import { type Limits, type RetryLimits, runTransaction, usualRetryLimits } from "./transaction.ts";
import type { BuiltStatement } from "./writes.ts";

export type { Db };

export interface Database {
  /** Runs each statement by itself. A statement that could not be sent, or is a plain select, is retried for some seconds. */
  readonly db: Db;
  readonly pool: pg.Pool;
  /** Runs `work` in one transaction (`runTransaction`): it may run more than once, and is applied once. */
  transaction<Result>(work: (tx: Db) => Promise<Result>, limits?: Limits): Promise<Result>;
  /** Sets the listener that brings cards up to date. It is called after each COMMIT that marked something, before `transaction` returns. */
  onMarks(listener: MarksListener): void;
  /** Sets the looker, which decides within a transaction what sessions do next, and is called after the COMMIT when a goal became ready. */
  onLooks(looker: Looker): void;
  /** Sets the function that reports changes (`signal`) after their COMMIT. */
  onSignals(tell: Tell): void;
  close(): Promise<void>;
}

/** Is called with the new marks. Must not throw. */
export type MarksListener = (marks: readonly NewMark[]) => void | Promise<void>;

export interface Looker {
  readonly look: Look;
  readonly ready: () => void | Promise<void>;
}

/** No statement of ours takes long: without an answer after this time, the connection is considered lost. */
const longestStatementMs = 60_000;

/** Opens a pool; nothing is connected before the first query. `onError` is called for connections that broke. */
export function openDatabase(
  url: string,
  onError: (error: Error) => void,
  poolSize = 10,
  patience = usualRetryLimits,
): Database {
  const pool = openPool({ url, onError, size: poolSize, longestStatementMs, sendsAhead: true, plansOnce: true });
  const known = newKnown();
  let tell: Tell = () => undefined;
  const db = handleFor((statement, values) => queryAgain(pool, patience, [statement, values]), known);
  tellBy(db, (signals) => tell(signals));

  /** A handle for a transaction, which sends statements with `ask`. */
  function handleIn(ask: AskDatabase): Db {
    const handle = handleFor(async (statement, values) => {
      await beforeStatement(handle, statement.text);
      forgetChanged(handle, statement.text);
      return await ask(statement, values);
    }, known);
    const peek = handleFor(ask, known, handle);
    making(handle).peek = peek;
    return handle;
  }

  let listener: MarksListener = () => undefined;
  let looker: Looker = {
    look: () => Promise.reject(new Error("nobody decides what a session does next")),
    ready: () => undefined,
  };

  async function transaction<Result>(work: (tx: Db) => Promise<Result>, limits: Limits = {}): Promise<Result> {
    const run = async (ask: AskDatabase) => {
      const tx = handleIn(ask);
      beginRemembering(tx);
      sendKeptBy(tx, ({ text, values }: BuiltStatement) => askOf(tx)({ text }, [...values]));
      try {
        const worked = await work(tx);
        const readied = await lookAtChanged(tx, looker.look);
        const done = { result: worked, isReady: readied, marks: markedBy(tx), signals: signalledBy(tx) };
        return { result: done, last: await lastWrite(tx) };
      } finally {
        endRemembering(tx);
      }
    };
    const { result, isReady, marks, signals } = await runTransaction(pool, patience, { ...limits, run });
    if (signals.length > 0) tell(signals);
    if (isReady) await looker.ready();
    if (marks.length > 0) await listener(marks);
    return result;
  }

  return {
    db,
    pool,
    transaction,
    onMarks(wanted) {
      listener = wanted;
    },
    onLooks(wanted) {
      looker = wanted;
    },
    onSignals(wanted) {
      tell = wanted;
    },
    close: () => pool.end(),
  };
}

/** What this folder knows about the handles that it made. */
const made = new WeakMap<Db, Made>();

/** How a handle sends statements, alone and together. */
interface Made {
  readonly ask: AskDatabase;
  readonly known: KnownStatements;
  /** For a handle that only reads: the handle that it was made for. */
  readonly owner: Db | null;
  /** True when its statements are already sent together. */
  readonly isGathering: boolean;
  /** For a transaction's handle: a handle that reads without sending the kept writes first. */
  peek: Db | null;
}

/**
 * Reads with a handle whose statements are sent together: those that are started by one `Promise.all`, and those that follow from their
 * results, as long as none of them waits for another. Statements that were sent together see the same moment.
 */
export async function readTogether<Result>(db: Db, read: (db: Db) => Promise<Result>): Promise<Result> {
  const { ask, known, isGathering } = making(db);
  if (isGathering) return await read(db);
  return await read(gathererFor(db, gathering(ask, known, "with-reads").read));
}

/**
 * Locks rows of a transaction and reads what they guard, in one statement. What was read before the lock was granted, and may have
 * changed since, is read again (`together.ts`). `lock` sends one statement, which changes nothing. `read` must not depend on its
 * result.
 */
export async function lockAndRead<Locked, Read>(
  tx: Db,
  lock: (db: Db) => Promise<Locked>,
  read: (db: Db) => Promise<Read>,
): Promise<[Locked, Read]> {
  const { ask, known } = making(tx);
  const gathered = gathering(ask, known, "with-lock");
  return await Promise.all([lock(gathererFor(tx, gathered.lock)), read(gathererFor(tx, gathered.read))]);
}

/** A handle that reads for `db`, and sends statements with `ask`. */
function gathererFor(db: Db, ask: AskDatabase): Db {
  const gatherer = handleOn(ask);
  made.set(gatherer, { ask, known: making(db).known, owner: db, isGathering: true, peek: null });
  return gatherer;
}

/**
 * Returns a handle that reads in a transaction without sending its kept writes first. For callers that apply them to what they read
 * (`src/facts/held.ts`).
 */
export function peekIn(tx: Db): Db {
  return made.get(tx)?.peek ?? tx;
}

/** How this handle sends statements. */
export function askOf(db: Db): AskDatabase {
  return making(db).ask;
}

function making(db: Db): Made {
  const found = made.get(db);
  if (found === undefined) throw new Error("a handle that this room did not make");
  return found;
}

/** The transaction or database that a handle reads for. */
export function readsFor(db: Db): Db {
  const owner = made.get(db)?.owner ?? null;
  return owner === null ? db : readsFor(owner);
}

/** A Drizzle handle on anything that answers statements. Its errors are translated (`asking`). */
function handleFor(ask: AskDatabase, known: KnownStatements, owner: Db | null = null): NodePgDatabase {
  const query: AskDatabase = (statement, values) => asking(() => ask(prepared(statement, values), values));
  const handle = handleOn(query);
  made.set(handle, { ask: query, known, owner, isGathering: false, peek: null });
  return handle;
}

async function queryAgain(
  pool: pg.Pool,
  { keepTryingMs, pauseMs }: RetryLimits,
  [statement, values]: Parameters<AskDatabase>,
): Promise<pg.QueryResult> {
  const end = performance.now() + keepTryingMs;
  while (true) {
    let wasSent = false;
    try {
      const client = await connectionOf(pool);
      wasSent = true;
      return await queryOn(client, statement, values);
    } catch (error) {
      const mayRepeat = !wasSent || /^\s*select\b/i.test(statement.text);
      if (!mayRepeat || !isAway(databaseFailure(error)) || performance.now() > end || pool.ending) throw error;
      await sleep(pauseMs);
    }
  }
}

async function queryOn(client: pg.PoolClient, statement: pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult> {
  let broken: Error | undefined;
  try {
    return await client.query(statement, values);
  } catch (error) {
    broken = databaseFailure(error);
    throw error;
  } finally {
    // Like pg's own pool: after an error of any kind the connection is not used again.
    client.release(broken);
  }
}

/**
 * Inserts with a generated id, and generates another one while the id is taken (D9). `insert` returns false when nothing was inserted
 * (`on conflict do nothing`).
 */
export async function withFreshId(newId: () => string, insert: (id: string) => Promise<boolean>): Promise<string> {
  for (let tries = 0; tries < 10; tries += 1) {
    const id = newId();
    if (await insert(id)) return id;
  }
  throw new Error("ten fresh ids in a row were taken");
}
