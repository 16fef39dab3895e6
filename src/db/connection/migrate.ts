import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runMigrations } from "bullmq";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate as runDrizzle } from "drizzle-orm/node-postgres/migrator";
import { readMigrationFiles } from "drizzle-orm/migrator";
import type pg from "pg";
import { temporaryNames } from "../../core/housekeeping/folders.ts";
import { openDatabaseClient } from "./connections.ts";
import { databaseFailure } from "./failures.ts";
import { sharesConnections } from "./pooled.ts";
import { isServing } from "./serving-name.ts";

const migrationsFolder = join(dirname(fileURLToPath(import.meta.url)), "../../../migrations");

/** An arbitrary constant, the same in every process, so that only one migrates at a time. */
const migrationLock = 7_246_012;

/**
 * Brings schema `cos` and BullMQ's own schema up to date. Safe with several processes at once: an advisory lock surrounds drizzle's
 * migrator, which is not. Throws DatabaseAway when the connection is lost or cannot be made, and PostgreSQL's own errors. `yields`:
 * does not change the database of an older bot that is running. Throws UnfitDatabase in that case, for a database of a newer version,
 * and for a database that can never serve.
 */
export async function migrate(url: string, { yields = false }: { readonly yields?: boolean } = {}): Promise<void> {
  // When the connection breaks, the current statement fails.
  const client = await openDatabaseClient({ url, onError: () => undefined, longestStatementMs: null });
  try {
    await refusePooled(client, url);
    await lockMigrations(client);
    await refuseUnfit(client);
    await refuseOtherVersions(client, yields);
    await runDrizzle(drizzle(client), { migrationsFolder, migrationsSchema: "cos_migrations" });
    await migrateQueue(client);
  } catch (error) {
    throw databaseFailure(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** True when the newest migration of schema `cos` is this version's. Writes nothing. Throws DatabaseAway and PostgreSQL's errors. */
export async function isMigrated(url: string): Promise<boolean> {
  const client = await openDatabaseClient({ url, onError: () => undefined, longestStatementMs: null });
  try {
    await refusePooled(client, url);
    return (await lastMigration(client))?.hash === knownMigrations().at(-1);
  } catch (error) {
    throw databaseFailure(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The newest applied migration, and when it was written. Null for a database without migrations. */
async function lastMigration(client: pg.Client): Promise<{ readonly hash: string; readonly at: number } | null> {
  const made = "cos_migrations.__drizzle_migrations";
  const { rows: found } = await client.query<{ is: boolean }>("select to_regclass($1) is not null as is", [made]);
  if (found[0]?.is !== true) return null;
  const { rows } = await client.query<{ hash: string; at: string }>(
    `select hash, created_at as at from ${made} order by created_at desc limit 1`,
  );
  const [last] = rows;
  return last === undefined ? null : { hash: last.hash, at: Number(last.at) };
}

/** This version does not understand a newer schema, and a running older bot would not understand the schema of this one. */
async function refuseOtherVersions(client: pg.Client, yields: boolean): Promise<void> {
  const last = await lastMigration(client);
  const newest = readMigrationFiles({ migrationsFolder }).at(-1);
  if (last === null || newest === undefined || last.hash === newest.hash) return;
  if (last.at > newest.folderMillis)
    throw new UnfitDatabase(
      "a newer version of Chief of Staff has changed it, and this one does not know what. Install that version again; or restore a backup of before into an empty database (cos restore).",
    );
  if (yields && (await isServing(client)))
    throw new UnfitDatabase(
      "a bot or a worker of an older version works with it, and this version would change it under them. Stop them and start this version, or use their version here.",
    );
}

/** Until the connection ends, nobody else can create or change the schemas, and no process of ours can start. */
export async function lockMigrations(client: Pick<pg.ClientBase, "query">): Promise<void> {
  await client.query("select pg_advisory_lock($1)", [migrationLock]);
}

/** The hashes of this version's migrations, oldest first. */
export function knownMigrations(): string[] {
  return readMigrationFiles({ migrationsFolder }).map(({ hash }) => hash);
}

/** Creates schema `cos` as it was after `count` migrations, on a connection without a transaction. Only for a database without one. */
export async function migrateUntil(client: pg.Client, count: number): Promise<void> {
  await refuseUnfit(client);
  const folder = await mkdtemp(join(tmpdir(), temporaryNames.migrations));
  try {
    await cp(migrationsFolder, folder, { recursive: true });
    const file = join(folder, "meta/_journal.json");
    // Written by drizzle-kit, and read by drizzle in the same way.
    const journal = JSON.parse(await readFile(file, "utf8")) as { readonly entries: readonly unknown[] };
    await writeFile(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }));
    await runDrizzle(drizzle(client), { migrationsFolder: folder, migrationsSchema: "cos_migrations" });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Migrates BullMQ's schema. When somebody emptied its tables, its record of migrations was deleted too, and migrating fails for ever.
 * The queue holds no facts (D6), so it is then created anew.
 */
async function migrateQueue(client: pg.Client): Promise<void> {
  try {
    await runMigrations(client);
  } catch (error) {
    if (!(await wasEmptied(client))) throw error;
    await client.query("drop schema bullmq cascade");
    await runMigrations(client);
  }
}

async function wasEmptied(client: pg.Client): Promise<boolean> {
  const found = await client.query<{ exists: string | null }>("select to_regclass('bullmq.migration') as exists");
  if (found.rows[0]?.exists === null) return false;
  const { rowCount } = await client.query("select 1 from bullmq.migration limit 1");
  return rowCount === 0;
}

/** A database that can never serve as ours. The message says why, and what to do. */
export class UnfitDatabase extends Error {
  override readonly name = "UnfitDatabase";
}

/** Called before the first lock, which a pooler would keep for good. Throws UnfitDatabase and DatabaseAway. */
export async function refusePooled(client: pg.Client, url: string): Promise<void> {
  if (await sharesConnections(client, url))
    throw new UnfitDatabase(
      "a pooler there (PgBouncer, say) gives each transaction another connection to PostgreSQL, and our locks, LISTEN and prepared statements need one that stays. Name PostgreSQL itself in DATABASE_URL, or set the pooler to pool_mode = session for us.",
    );
}

/** Texts of people and agents can be in any script, so UTF8 is required. A database that already has our schema is accepted as it is. */
async function refuseUnfit(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number; encoding: string; isOurs: boolean }>(
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
       to_regnamespace('cos') is not null as "isOurs"`,
  );
  const { version = 0, encoding = "", isOurs = false } = rows[0] ?? {};
  const major = Math.floor(version / 10_000);
  if (major < 15)
    throw new UnfitDatabase(
      `PostgreSQL 15 or newer is needed, this server is ${major}. Point DATABASE_URL at a newer one.`,
    );
  if (encoding !== "UTF8" && !isOurs)
    throw new UnfitDatabase(
      `its encoding is ${encoding}, and UTF8 is needed. Make another one (create database NAME encoding 'UTF8' template template0) and name it in DATABASE_URL.`,
    );
}
