import type { Readable } from "node:stream";
import { to } from "pg-copy-streams";
import type pg from "pg";
import type { Manifest } from "../../core/backups/manifest.ts";
import { dropClient, openDatabaseClient } from "../connection/connections.ts";
import { databaseFailure } from "../connection/failures.ts";

/** The rows of one moment, while others write. */
export interface DatabaseSnapshot extends Pick<Manifest, "migrations" | "tables" | "sequences"> {
  /** The commits that goals continue from, by repository: their branches may point elsewhere by the time the git data is read. */
  readonly commits: ReadonlyMap<string, readonly string[]>;
  /** A stream of a table's rows as COPY writes them. One at a time. The stream emits its errors. */
  copy(table: Manifest["tables"][number]): Readable;
  /** Ends the snapshot; never throws. */
  close(): void;
}

/**
 * Holds one moment of the database: commits after it are in none of its tables. Does not block writers. Throws DatabaseAway and
 * PostgreSQL's errors.
 */
export async function openSnapshot(url: string): Promise<DatabaseSnapshot> {
  const client = await openDatabaseClient({ url, onError: () => undefined, longestStatementMs: null });
  try {
    await client.query("begin isolation level repeatable read read only");
    await client.query("set local statement_timeout = 0");
    await client.query("set local idle_in_transaction_session_timeout = 0");
    const { rows: made } = await client.query<{ hash: string }>(
      "select hash from cos_migrations.__drizzle_migrations order by created_at",
    );
    const last = made.at(-1);
    if (last === undefined) throw new Error("the database has no migrations");
    return {
      migrations: { count: made.length, lastHash: last.hash },
      tables: await tablesOf(client),
      sequences: await sequencesOf(client),
      commits: await commitsOf(client),
      copy: ({ name, columns }) => client.query(to(`copy cos.${quoted(name)} (${list(columns)}) to stdout`)),
      close: () => dropClient(client),
    };
  } catch (error) {
    dropClient(client);
    throw databaseFailure(error);
  }
}

/** All tables, without generated columns. */
async function tablesOf(client: pg.Client): Promise<Manifest["tables"]> {
  const { rows } = await client.query<Manifest["tables"][number]>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'cos'::regnamespace and c.relkind = 'r'
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by c.relname order by c.relname`);
  return rows;
}

async function commitsOf(client: pg.Client): Promise<DatabaseSnapshot["commits"]> {
  const { rows } = await client.query<{ repository: string; commits: string[] }>(`
    select g.repository_id as repository, array_agg(distinct c.commit) as commits
    from cos.goals g join cos.runs r on r.run_id = g.run_id
    cross join lateral (values (r.head_commit), (r.base_commit)) as c (commit)
    where c.commit is not null
    group by g.repository_id`);
  return new Map(rows.map(({ repository, commits }) => [repository, commits]));
}

/** A sequence is not part of the snapshot: its current value is read, so no number is used twice. */
async function sequencesOf(client: pg.Client): Promise<Manifest["sequences"]> {
  const { rows } = await client.query<Manifest["sequences"][number]>(`
    select sequencename as name, (coalesce(last_value + 1, start_value))::text as next
    from pg_sequences where schemaname = 'cos' order by sequencename`);
  return rows;
}

/** Quoted names, separated by commas, for a statement. */
export function list(names: readonly string[]): string {
  return names.map(quoted).join(", ");
}

/** A quoted name. Names contain no quotes themselves (`core/backups/manifest.ts`). */
export function quoted(name: string): string {
  return `"${name}"`;
}
