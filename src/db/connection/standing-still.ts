import type pg from "pg";

/**
 * A process that stands still (paused, or out of memory and processor) keeps its connections, and its machine answers for it: without
 * a limit it would keep others from what it holds for as long as it stands. So the server ends a connection that holds something and
 * asks nothing for long; who works says so in time.
 */
export interface Stillness {
  /** The server ends the connection after so long without a question. */
  readonly endsAfterMs: number;
  /** Whoever works asks so often. */
  readonly asksEveryMs: number;
}

export const usualStillness: Stillness = { endsAfterMs: 40_000, asksEveryMs: 10_000 };

/**
 * The end of a transaction in which nothing is asked any more: it holds rows. Ours ask again sooner, also where they
 * wait for a few commands of git, each of which has two minutes.
 */
export const longestStillInTransactionMs = 600_000;

/** Shows the server that somebody works on a connection, until the answer is called. */
export function keepAsking(client: pg.ClientBase, { asksEveryMs }: Stillness): () => void {
  const timer = setInterval(() => void client.query("select").catch(() => undefined), asksEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
