import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Db } from "./client.ts";

/**
 * Which processes of a machine work goals with this database, or serve its console: each says so in the name of its
 * connections, which last as long as it does.
 */

/** The connection URL with the name of process `pid` of `machine`. */
export function servingUrl(databaseUrl: string, machine: string, pid: number): string {
  const url = new URL(databaseUrl);
  url.searchParams.set("application_name", `${prefixOf(machine)}${pid}`);
  return url.href;
}

/** The pids of those on `machine`, each once. */
export async function servingProcesses(db: Db, machine: string): Promise<readonly number[]> {
  const prefix = prefixOf(machine);
  const found = await db.execute<{ name: string }>(
    sql`select distinct application_name as name from pg_stat_activity
        where datname = current_database() and starts_with(application_name, ${prefix})`,
  );
  return found.rows
    .map((row) => Number(row.name.slice(prefix.length)))
    .filter((pid) => Number.isInteger(pid) && pid > 0);
}

function prefixOf(machine: string): string {
  return `cos ${createHash("sha256").update(machine).digest("hex").slice(0, 12)} `;
}
