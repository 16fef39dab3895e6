import type pg from "pg";

/**
 * A process that stands still (paused, or without memory or CPU time) keeps its connections, and its machine still answers for it.
 * Without a limit it would keep its locks from others as long as it stands. So the server closes a connection that holds something and
 * sends no query for long. A process that works sends a query in time.
 */
export interface Stillness {
  /** The server closes the connection after this time without a query. */
  readonly endsAfterMs: number;
  /** A working process sends a query at this interval. */
  readonly asksEveryMs: number;
}

export const usualStillness: Stillness = { endsAfterMs: 40_000, asksEveryMs: 10_000 };

/**
 * The server ends a transaction that holds rows and sends no query for this time. Ours send one sooner, also when they wait for a few
 * git commands, each of which may take two minutes.
 */
export const longestStillInTransactionMs = 600_000;

/** Sends queries on a connection to show the server that it is in use, until the returned function is called. */
export function keepAsking(client: pg.ClientBase, { asksEveryMs }: Stillness): () => void {
  const timer = setInterval(() => void client.query("select").catch(() => undefined), asksEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
