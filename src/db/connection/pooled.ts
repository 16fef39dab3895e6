import type pg from "pg";
import { dropClient, openDatabaseClient } from "./connections.ts";
import { databaseFailure, sqlState } from "./failures.ts";

/** Timeout for the second connection. */
const longestMs = 5_000;

/**
 * True when the server at `url` runs each of our transactions on any free connection to PostgreSQL, as poolers do in transaction and
 * statement mode. Our locks, our LISTEN and our prepared statements would then stay on connections that others use. `client` is a
 * connection that was opened there. Throws DatabaseAway.
 */
export async function sharesConnections(client: pg.Client, url: string): Promise<boolean> {
  const first = await processOf(client);
  // The process id that the server sent at connect. PostgreSQL itself sends its own.
  if ("processID" in client && client.processID === first) return false;
  const beside = await openDatabaseClient({ url, onError: () => undefined, longestStatementMs: longestMs });
  try {
    await beside.query("begin");
    const taken = await processOf(beside);
    return taken === first || (await processOf(client)) !== first;
  } catch (error) {
    // The error of a pooler in statement mode, which does not allow transactions.
    if (sqlState(error) === "08P01") return true;
    throw databaseFailure(error);
  } finally {
    dropClient(beside);
  }
}

async function processOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid ?? 0;
}
