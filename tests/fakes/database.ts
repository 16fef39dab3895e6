import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { migrate } from "../../src/db/connection/migrate.ts";

/** A database of one test, with every migration applied and no rows. */
export interface FreshDatabase {
  readonly url: string;
  /** Deletes it, ending connections that are still open. */
  drop(): Promise<void>;
}

/** Held while the template is made or copied: PostgreSQL refuses to copy a database that is connected to. */
const TEMPLATE_LOCK = 7_431_001;

/**
 * Makes an empty migrated database on the run's PostgreSQL: a copy of a template that the first caller of a run migrates.
 * Safe from parallel workers. About 40 ms after the first.
 */
export async function freshDatabase(): Promise<FreshDatabase> {
  const maintenanceUrl = inject("databaseUrl");
  const template = `cos_template_${inject("runId")}`;
  const name = `cos_test_${randomBytes(6).toString("hex")}`;
  await withClient(maintenanceUrl, async (client) => {
    // Released with the connection, even if this process is killed.
    await client.query("select pg_advisory_lock($1)", [TEMPLATE_LOCK]);
    await ensureTemplate(client, template, maintenanceUrl);
    await client.query(`create database ${name} template ${template}`);
  });
  return { url: urlOf(maintenanceUrl, name), drop: () => dropDatabase(maintenanceUrl, name) };
}

/** An empty database, without any migration. */
export async function emptyDatabase(): Promise<FreshDatabase> {
  const maintenanceUrl = inject("databaseUrl");
  const name = `cos_test_${randomBytes(6).toString("hex")}`;
  await withClient(maintenanceUrl, async (client) => {
    await client.query(`create database ${name}`);
  });
  return { url: urlOf(maintenanceUrl, name), drop: () => dropDatabase(maintenanceUrl, name) };
}

async function dropDatabase(maintenanceUrl: string, name: string): Promise<void> {
  await withClient(maintenanceUrl, async (client) => {
    await client.query(`drop database if exists ${name} with (force)`);
  });
}

/** Migrates under a draft name and renames, so that a failed migration leaves no template behind. */
async function ensureTemplate(client: pg.Client, template: string, maintenanceUrl: string): Promise<void> {
  const found = await client.query("select 1 from pg_database where datname = $1", [template]);
  if (found.rowCount !== 0) return;
  const draft = `${template}_draft`;
  await client.query(`drop database if exists ${draft} with (force)`);
  await client.query(`create database ${draft}`);
  await migrate(urlOf(maintenanceUrl, draft));
  // A pool that was just ended may still have a connection on its way out.
  await client.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [draft]);
  await client.query(`alter database ${draft} rename to ${template}`);
}

async function withClient(url: string, use: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}

function urlOf(maintenanceUrl: string, database: string): string {
  const url = new URL(maintenanceUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** Until another transaction waits for a row that the test holds. */
export async function untilOneWaits(world: { readonly databaseUrl: string }): Promise<void> {
  await untilWaiting(world, 1);
}

/** Until that many transactions wait for locks. */
export async function untilWaiting({ databaseUrl }: { readonly databaseUrl: string }, count: number): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    for (const end = Date.now() + 300_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 10))) {
      const { rows } = await client.query<{ waiting: number }>(
        "select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      if ((rows[0]?.waiting ?? 0) >= count) return;
    }
    throw new Error(`fewer than ${count} transactions wait`);
  });
}
