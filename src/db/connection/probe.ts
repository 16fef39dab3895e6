import type { Trouble } from "../../core/outages/trouble.ts";
import { dropClient, openDatabaseClient } from "./connections.ts";
import { databaseTrouble } from "./failures.ts";

/** Timeout for connecting, and again for the one statement. */
const longestMs = 8_000;

/** Checks on a connection of its own that the database answers and accepts changes. Returns the problem, or null. Never throws. */
export async function probeDatabase(url: string): Promise<Trouble | null> {
  try {
    const client = await openDatabaseClient({
      url,
      onError: () => undefined,
      longestConnectMs: longestMs,
      longestStatementMs: longestMs,
    });
    try {
      const { rows } = await client.query<{ is_read_only: boolean }>(
        "select current_setting('transaction_read_only') = 'on' as is_read_only",
      );
      return rows[0]?.is_read_only === true ? { type: "read-only" } : null;
    } finally {
      dropClient(client);
    }
  } catch (error) {
    return databaseTrouble(error);
  }
}
