import { createHash } from "node:crypto";
import type pg from "pg";

/** The connection names of processes that work goals or serve the console (`serving.ts`). */

/** The prefix of the names of one machine. PostgreSQL keeps at most 63 bytes of a name. */
export function prefixOf(machine: string): string {
  return `cos ${createHash("sha256").update(machine).digest("hex").slice(0, 12)} `;
}

/** True when any process on any machine works goals with this database, or serves its console. */
export async function isServing(client: Pick<pg.ClientBase, "query">): Promise<boolean> {
  const { rowCount } = await client.query(
    `select 1 from pg_stat_activity
     where datname = current_database() and application_name ~ '^cos [0-9a-f]{12} [1-9][0-9]* ' limit 1`,
  );
  return rowCount === 1;
}
