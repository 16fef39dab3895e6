import { sql } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { prefixOf } from "./connection/serving-name.ts";

/**
 * Which processes of a machine work goals with this database, or serve its console: each says so in the name of its
 * connections, which last as long as it does.
 */
export interface ServingProcess {
  readonly pid: number;
  /** Its PID namespace, by inode; null where there are none. */
  readonly namespace: number | null;
  /** Whether it was configured to take callers that cannot be told from agents for the person (COS_UNKNOWN_CALLERS). */
  readonly allowsUnknown: boolean;
}

/** The connection URL with the name of a process of `machine`. */
export function servingUrl(databaseUrl: string, machine: string, serving: ServingProcess): string {
  const url = new URL(databaseUrl);
  const { pid, namespace, allowsUnknown } = serving;
  const name = `${prefixOf(machine)}${pid} ${namespace ?? "-"}${allowsUnknown ? " allow" : ""}`;
  url.searchParams.set("application_name", name);
  return url.href;
}

/** Those on `machine`, each once. */
export async function servingProcesses(db: Db, machine: string): Promise<readonly ServingProcess[]> {
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
