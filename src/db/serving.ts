import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import type pg from "pg";
import type { Db } from "./connection/client.ts";

/**
 * Which processes of a machine work goals with this database, or serve its console: each says so in the name of its
 * connections, which last as long as it does.
 */
export interface Serving {
  readonly pid: number;
  /** Its PID namespace, by inode; null where there are none. */
  readonly namespace: number | null;
  /** Whether it was configured to take callers that cannot be told from agents for the person (COS_UNKNOWN_CALLERS). */
  readonly allowsUnknown: boolean;
}

/** The connection URL with the name of a process of `machine`. */
export function servingUrl(databaseUrl: string, machine: string, serving: Serving): string {
  const url = new URL(databaseUrl);
  const { pid, namespace, allowsUnknown } = serving;
  const name = `${prefixOf(machine)}${pid} ${namespace ?? "-"}${allowsUnknown ? " allow" : ""}`;
  url.searchParams.set("application_name", name);
  return url.href;
}

/** Those on `machine`, each once. */
export async function servingProcesses(db: Db, machine: string): Promise<readonly Serving[]> {
  const prefix = prefixOf(machine);
  const found = await db.execute<{ name: string }>(
    sql`select distinct application_name as name from pg_stat_activity
        where datname = current_database() and starts_with(application_name, ${prefix})`,
  );
  return found.rows.flatMap(({ name }) => {
    const [, pid, namespace, allow] = /^([1-9]\d*) (\d+|-)( allow)?$/.exec(name.slice(prefix.length)) ?? [];
    if (pid === undefined) return [];
    return [
      {
        pid: Number(pid),
        namespace: namespace === "-" ? null : Number(namespace),
        allowsUnknown: allow !== undefined,
      },
    ];
  });
}

/** Whether any process on any machine works goals with this database, or serves its console. */
export async function isServing(client: Pick<pg.ClientBase, "query">): Promise<boolean> {
  const { rowCount } = await client.query(
    `select 1 from pg_stat_activity
     where datname = current_database() and application_name ~ '^cos [0-9a-f]{12} [1-9][0-9]* ' limit 1`,
  );
  return rowCount === 1;
}

/** At most 63 bytes of such a name are kept. */
function prefixOf(machine: string): string {
  return `cos ${createHash("sha256").update(machine).digest("hex").slice(0, 12)} `;
}
