import { sql } from "drizzle-orm";
import type { LockHolder } from "../core/outages/lock-holder.ts";
import type { Db } from "./connection/client.ts";

/**
 * Who holds locks for which statements in this database have waited for `longestMs` or longer, and waits for nobody itself. Locks that
 * programs agree on (advisory ones) are theirs to keep. Asks nothing of our tables, so that it is answered while all of them are locked.
 */
export async function lockHolders(db: Db, longestMs: number): Promise<LockHolder[]> {
  const found = await db.execute<{ pid: number; name: string; user: string | null; waiting: number; ms: number }>(sql`
    with waiting as (
      select pid, pg_blocking_pids(pid) as blockers, extract(epoch from clock_timestamp() - query_start) * 1000 as ms
      from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and wait_event <> 'advisory'
    )
    select holder.pid, holder.application_name as name, holder.usename as user, count(*)::int as waiting, max(ms)::float8 as ms
    from waiting join pg_stat_activity holder on holder.pid = any(waiting.blockers)
    where waiting.ms >= ${longestMs} and holder.pid not in (select pid from waiting)
    group by holder.pid, holder.application_name, holder.usename
    order by max(ms) desc`);
  return found.rows.map(({ pid, name, user, waiting, ms }) => ({ pid, name, user: user ?? "?", waiting, ms }));
}
