import type { Trouble } from "../../core/outages/trouble.ts";
import { dropClient, openDatabaseClient } from "./connections.ts";
import { databaseTrouble } from "./failures.ts";

/** To connect, and again for the one statement. */
const longestMs = 8_000;

/** Whether the database answers and takes changes, on a connection of its own; what keeps it away. Never throws. */
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
