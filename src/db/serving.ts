import { sql } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { prefixOf } from "./connection/serving-name.ts";

/**
 * A process that works goals with this database, or serves its console. It says so in the name of its connections, which exist as long
 * as the process does.
 */
export interface ServingProcess {
  readonly pid: number;
  /** The inode of its PID namespace. Null where there are no namespaces. */
  readonly namespace: number | null;
  /** True when it is configured to treat callers that cannot be distinguished from agents as the person (COS_UNKNOWN_CALLERS). */
  readonly allowsUnknown: boolean;
}

/** Returns the connection URL with the name of a serving process of `machine` in it. */
export function servingUrl(databaseUrl: string, machine: string, serving: ServingProcess): string {
  const url = new URL(databaseUrl);
  const { pid, namespace, allowsUnknown } = serving;
  const name = `${prefixOf(machine)}${pid} ${namespace ?? "-"}${allowsUnknown ? " allow" : ""}`;
  url.searchParams.set("application_name", name);
  return url.href;
}

/** The serving processes on `machine`, each once. */
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
