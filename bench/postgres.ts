import { readdirSync, readFileSync } from "node:fs";
import { openDatabaseClient } from "../src/db/connection/connections.ts";
import { embeddedPlaces } from "../src/db/embedded/places.ts";
import { stopPostmaster } from "../src/db/embedded/postmaster.ts";
import { bringUp, type RunningServer } from "../src/db/embedded/server.ts";
import { readState, urlOf } from "../src/db/embedded/state.ts";

/** A PostgreSQL of a measurement's own, which counts the statements that it is sent. */
export interface Postgres {
  readonly url: string;
  readonly server: RunningServer;
  stop(): Promise<void>;
}

/** Starts it with the extension that counts statements, which is loaded only by a restart. */
export async function startPostgres(dataDir: string): Promise<Postgres> {
  const places = embeddedPlaces(dataDir);
  const first = await bringUp(places, () => undefined);
  await ask(currentUrl(dataDir), "alter system set shared_preload_libraries = 'pg_stat_statements'");
  await stopPostmaster(first, first.cluster);
  const server = await bringUp(places, () => undefined);
  const url = currentUrl(dataDir);
  await ask(url, "create extension pg_stat_statements");
  return { url, server, stop: () => stopPostmaster(server, server.cluster) };
}

function currentUrl(dataDir: string): string {
  const state = readState(embeddedPlaces(dataDir));
  if (state === null) throw new Error("the database has no state file");
  return urlOf(state);
}

/** One statement on a connection of its own. */
export async function ask(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = await openDatabaseClient({ url, onError: () => undefined, longestStatementMs: 600_000 });
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** What a measurement itself asks is told apart by this word in its text. */
const isCounted = "toplevel and query not like '%pg_stat_statements%' and query not like '%bench%'";

/** Everything that any connection has sent since `countAnew`, but BEGIN, COMMIT and what prepares a connection. */
export async function countStatements(url: string): Promise<number> {
  const [row] = await ask(
    url,
    `select coalesce(sum(calls), 0)::int as calls from pg_stat_statements
     where ${isCounted} and query !~* '^(begin|commit|set tcp_keepalives)'`,
  );
  return Number(row?.["calls"]);
}

/** Forgets what was counted before. */
export async function countAnew(url: string): Promise<void> {
  await ask(url, "select pg_stat_statements_reset()");
}

/** The statements that were asked most, with how often. */
export async function mostAsked(url: string): Promise<string[]> {
  const rows = await ask(
    url,
    `select calls, regexp_replace(left(query, 150), '\\s+', ' ', 'g') as query from pg_stat_statements
     where ${isCounted} order by calls desc limit 8`,
  );
  return rows.map((row) => `${String(row["calls"])} × ${String(row["query"])}`);
}

/** The kernel counts CPU in these; fixed for user space on Linux (USER_HZ). */
const ticksPerSecond = 100;

/** Milliseconds of CPU that a process has used, with those of its children that have ended; 0 for one that is gone. */
export function cpuMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // Behind the name in parentheses, from field 3 on: 14 to 17 are utime, stime, cutime, cstime.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return (ticks * 1000) / ticksPerSecond;
  } catch {
    return 0;
  }
}

/** A process with its children: those that live, and in its own figure those that have ended. For PostgreSQL, the whole server. */
export function treeCpuMs(parent: number): number {
  return [parent, ...childrenOf(parent)].reduce((sum, pid) => sum + cpuMs(pid), 0);
}

function childrenOf(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => parentOf(each) === pid);
}

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return 0;
  }
}
