import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { from } from "pg-copy-streams";
import type pg from "pg";
import type { Manifest } from "../../core/backups/manifest.ts";
import type { RestoreDecision } from "../../core/backups/restore.ts";
import { dropClient, openDatabaseClient } from "../connection/connections.ts";
import { databaseFailure } from "../connection/failures.ts";
import { lockMigrations, migrateUntil, refusePooled } from "../connection/migrate.ts";
import { list, quoted } from "./snapshot.ts";

/** Tables that hold people's work. Other tables get rows by themselves as soon as a bot starts. */
const tablesWithWork = ["repositories", "goals", "campaigns", "sessions"];

/** What is in a database into which a backup is to be restored. */
export interface DatabaseGround {
  /** Number of rows of work, by table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Number of connections of bots and workers. */
  readonly serving: number;
  /** The backup whose restore into this database was not finished. Null when there is none. */
  readonly begun: string | null;
}

/** Looks at a database before a restore. Throws DatabaseAway. */
export async function lookAtDatabase(url: string): Promise<DatabaseGround> {
  return await withClient(url, groundIn);
}

/** Throws UnfitDatabase when a pooler that shares connections is in front of the database, and DatabaseAway. */
export async function refusePooler(url: string): Promise<void> {
  await withClient(url, (client) => refusePooled(client, url));
}

async function groundIn(client: pg.Client): Promise<DatabaseGround> {
  const rows: Record<string, number> = {};
  for (const table of tablesWithWork) {
    const { rows: found } = await client.query<{ exists: boolean }>("select to_regclass($1) is not null as exists", [
      `cos.${table}`,
    ]);
    if (found[0]?.exists !== true) continue;
    const { rows: counted } = await client.query<{ rows: number }>(`select count(*)::int as rows from cos.${table}`);
    rows[table] = counted[0]?.rows ?? 0;
  }
  const { rows: connected } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name ~ '^cos [0-9a-f]{12} '`,
  );
  return { rows, serving: connected[0]?.count ?? 0, begun: await restoreBegunIn(client) };
}

/** Prefix of the comment on our schema, from the commit of the rows until everything else is restored, too. */
const markBegin = "restoring ";

/** The backup whose restore into this database was not finished. Null when there is none. */
export async function restoreBegunIn(client: Pick<pg.ClientBase, "query">): Promise<string | null> {
  const { rows } = await client.query<{ said: string | null }>(
    "select obj_description(to_regnamespace('cos'), 'pg_namespace') as said",
  );
  const said = rows[0]?.said ?? "";
  return said.startsWith(markBegin) ? said.slice(markBegin.length) : null;
}

/** Like `restoreBegunIn`, for a database by its URL. Throws DatabaseAway. */
export async function restoreBegun(url: string): Promise<string | null> {
  return await withClient(url, restoreBegunIn);
}

/** Marks a restore as finished. Throws DatabaseAway. */
export async function endRestore(url: string): Promise<void> {
  await withClient(url, (client) => client.query("comment on schema cos is null"));
}

/**
 * Fills a database that holds no work with the rows of a backup. Creates the tables as they were. The rows are written in one
 * transaction, and all their constraints are checked again. `decide` is called when nobody else can begin to work there, and its
 * decision is returned: only `restore` changes anything. When something fails before the commit, the database has no schema of ours.
 * After an error of the commit itself, the mark tells whether it was applied (`restoreBegun`), until `endRestore`. Throws DatabaseAway
 * and PostgreSQL's errors.
 * @param backup the backup's name, hexadecimal
 * @param fileOf returns the file with a table's rows, as COPY wrote them
 */
export async function fillDatabase(
  url: string,
  manifest: Pick<Manifest, "migrations" | "tables" | "sequences">,
  filling: {
    readonly backup: string;
    fileOf(table: string): string;
    decide(ground: DatabaseGround): Promise<RestoreDecision>;
  },
): Promise<RestoreDecision> {
  const { backup, fileOf, decide } = filling;
  if (!/^[0-9a-f]+$/.test(backup)) throw new Error(`${backup} is no name of a backup`);
  return await withClient(url, async (client) => {
    await lockMigrations(client);
    const decision = await decide(await groundIn(client));
    if (decision.type !== "restore") return decision;
    await dropSchemas(client);
    try {
      await migrateUntil(client, manifest.migrations.count);
      await client.query("begin");
      await writeRows(client, manifest, fileOf);
      await client.query(`comment on schema cos is '${markBegin}${backup}'`);
      await client.query("commit");
    } catch (error) {
      await client.query("rollback").catch(() => undefined);
      await dropSchemas(client).catch(() => undefined);
      throw error;
    }
    await client.query("analyze");
    return decision;
  });
}

async function writeRows(
  client: pg.Client,
  { tables, sequences }: Pick<Manifest, "tables" | "sequences">,
  fileOf: (table: string) => string,
): Promise<void> {
  const constraints = await dropForeignKeys(client);
  for (const table of tables) {
    await client.query(`alter table cos.${quoted(table.name)} disable trigger user`);
    // A migration may have written some.
    await client.query(`delete from cos.${quoted(table.name)}`);
  }
  for (const { name, columns } of tables) {
    const into = client.query(from(`copy cos.${quoted(name)} (${list(columns)}) from stdin`));
    await pipeline(createReadStream(fileOf(name)), into);
  }
  for (const { name, next } of sequences)
    await client.query("select setval(format('cos.%I', $1::text)::regclass, $2::bigint, false)", [name, next]);
  await renumberTransactions(client);
  for (const statement of constraints) await client.query(statement);
  for (const { name } of tables) await client.query(`alter table cos.${quoted(name)} enable trigger user`);
}

async function dropSchemas(client: pg.Client): Promise<void> {
  await client.query("drop schema if exists cos cascade");
  await client.query("drop schema if exists cos_migrations cascade");
}

/** Tables refer to each other in circles: foreign keys are created again, and checked, when all rows are there. */
async function dropForeignKeys(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; add: string }>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
    from pg_constraint where contype = 'f' and connamespace = 'cos'::regnamespace order by conname`);
  for (const { drop } of rows) await client.query(drop);
  return rows.map(({ add }) => add);
}

/**
 * Events are ordered by their transactions (`timelineAfter`), and another server numbers those anew. Each reader must keep what it has
 * and has not read. So the readers' places divide the events into parts. The parts get small numbers, which no server uses any more.
 */
async function renumberTransactions(client: pg.Client): Promise<void> {
  await client.query(`
    create temporary table places on commit drop as
      select xid, timeline_id, row_number() over (order by xid, timeline_id) - 1 as part
      from (select distinct xid, timeline_id from cos.readers) as distinct_places`);
  await client.query(`
    update cos.timeline as event set xid = (
      select count(*) from places where (places.xid, places.timeline_id) < (event.xid, event.timeline_id))::text::xid8`);
  await client.query(`
    update cos.readers as reader set xid = places.part::text::xid8,
      timeline_id = (select coalesce(max(timeline_id), 0) from cos.timeline)
    from places where (places.xid, places.timeline_id) = (reader.xid, reader.timeline_id)`);
}

async function withClient<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = await openDatabaseClient({ url, onError: () => undefined, longestStatementMs: null });
  try {
    return await use(client);
  } catch (error) {
    throw databaseFailure(error);
  } finally {
    dropClient(client);
  }
}
