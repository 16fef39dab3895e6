import type pg from "pg";
import type { LockHolder } from "../core/outages/lock-holder.ts";
import { dropClient, openDatabaseClient } from "./connection/connections.ts";

/**
 * The connections that hold locks for which other statements of this database have waited at least `longestMs`, and that wait for no
 * lock themselves. Advisory locks are left out unless `agreed`: programs may hold them on purpose. Reads none of our tables, so it
 * works while all of them are locked.
 */
export async function lockHolders(
  database: Pick<pg.Pool, "query">,
  longestMs: number,
  { agreed = false } = {},
): Promise<LockHolder[]> {
  const found = await database.query<{ pid: number; name: string; user: string | null; waiting: number; ms: number }>(
    `with waiting as (
      select pid, pg_blocking_pids(pid) as blockers, extract(epoch from clock_timestamp() - query_start) * 1000 as ms
      from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and (wait_event <> 'advisory' or $2)
    )
    select holder.pid, holder.application_name as name, holder.usename as user, count(*)::int as waiting, max(ms)::float8 as ms
    from waiting join pg_stat_activity holder on holder.pid = any(waiting.blockers)
    where waiting.ms >= $1 and holder.pid not in (select pid from waiting)
    group by holder.pid, holder.application_name, holder.usename
    order by max(ms) desc`,
    [longestMs, agreed],
  );
  return found.rows.map(({ pid, name, user, waiting, ms }) => ({ pid, name, user: user ?? "?", waiting, ms }));
}

/** Timeout for connecting, and for the statement. */
const longestLookMs = 5_000;

/**
 * Like `lockHolders`, on a connection of its own, because all connections of a pool may be waiting. Returns an empty list when the
 * server does not answer. Never throws.
 */
export async function lockHoldersAt(
  url: string,
  longestMs: number,
  which: { readonly agreed?: boolean } = {},
): Promise<LockHolder[]> {
  try {
    const limits = { longestConnectMs: longestLookMs, longestStatementMs: longestLookMs };
    const client = await openDatabaseClient({ url, onError: () => undefined, ...limits });
    try {
      return await lockHolders(client, longestMs, which);
    } finally {
      dropClient(client);
    }
  } catch {
    return [];
  }
}
