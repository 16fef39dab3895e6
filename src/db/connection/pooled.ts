import type pg from "pg";
import { dropClient, openDatabaseClient } from "./connections.ts";
import { databaseFailure, sqlState } from "./failures.ts";

/** So long it is waited for a second connection. */
const longestMs = 5_000;

/**
 * Whether what answers at `url` gives our transactions whichever connection to PostgreSQL is free, as poolers do in their modes for
 * transactions and statements: locks that we hold, what we listen to and statements that we prepare are then left with connections
 * that others use. `client` is one that was opened there. Throws DatabaseAway.
 */
export async function sharesConnections(client: pg.Client, url: string): Promise<boolean> {
  const first = await processOf(client);
  // What a connection was told at its beginning: PostgreSQL itself tells its own process.
  if ("processID" in client && client.processID === first) return false;
  const beside = await openDatabaseClient({ url, onError: () => undefined, longestStatementMs: longestMs });
  try {
    await beside.query("begin");
    const taken = await processOf(beside);
    return taken === first || (await processOf(client)) !== first;
  } catch (error) {
    // So says a pooler for statements, which takes no transactions.
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
