import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { dropClient, openDatabaseClient } from "../../src/db/connection/connections.ts";
import { cos, startWorker } from "../fakes/bot.ts";
import { emptyDatabase, type FreshDatabase } from "../fakes/database.ts";
import { startPooler } from "../fakes/pooler.ts";

/** A PostgreSQL of somebody's own that answers, and that cannot be used as it is. */

let database: FreshDatabase;
let dataDir: string;
let name: string;
beforeEach(async () => {
  database = await emptyDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "cos-unfit-"));
  name = new URL(database.url).pathname.slice(1);
});
afterEach(async () => {
  await ask(`drop database if exists "${name}_other" with (force)`);
  await ask(`do $$ begin if to_regrole('${name}_user') is not null then drop owned by ${name}_user; end if; end $$`);
  await ask(`drop role if exists ${name}_user`);
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function ask(statement: string): Promise<void> {
  const client = await openDatabaseClient({ url: database.url, onError: () => undefined, longestStatementMs: 60_000 });
  await client.query("set default_transaction_read_only = off");
  await client.query(statement).finally(() => dropClient(client));
}

/** How many locks are held there that outlive transactions. */
async function locks(): Promise<number> {
  const client = await openDatabaseClient({ url: database.url, onError: () => undefined, longestStatementMs: 60_000 });
  const ofThis =
    "locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())";
  const { rows } = await client.query<{ count: number }>(`select count(*)::int from pg_locks where ${ofThis}`);
  dropClient(client);
  return rows[0]?.count ?? 0;
}

/** The address of the database for a role without any right of its own. */
async function asRole(options: string): Promise<string> {
  await ask(`create role ${name}_user login password 'own' ${options}`);
  const url = new URL(database.url);
  url.username = `${name}_user`;
  url.password = "own";
  return url.href;
}

async function said(databaseUrl: string): Promise<string> {
  const { code, stdout, stderr } = await cos({ databaseUrl, dataDir }, "status");
  expect(code).toBe(1);
  return stdout + stderr;
}

describe("what cannot be used as it is says what to do", () => {
  it.each(["LATIN1", "SQL_ASCII"])("an encoding that does not hold all texts: %s", async (encoding) => {
    await ask(`create database "${name}_other" encoding '${encoding}' locale 'C' template template0`);
    const url = new URL(database.url);
    url.pathname = `/${name}_other`;

    expect(await said(url.href)).toContain(
      `its encoding is ${encoding}, and UTF8 is needed. Make another one (create database NAME encoding 'UTF8' template template0)`,
    );
  });

  it("a user who may make nothing there", async () => {
    const output = await said(await asRole(""));

    expect(output).toContain(`permission denied for database ${name}. Give the user of the address CREATE`);
    expect(output).not.toContain("Check that");
  });

  it("a database that takes no changes", async () => {
    await ask(`alter database "${name}" set default_transaction_read_only = on`);

    expect(await said(database.url)).toContain(
      "accepts no changes: it is a standby, or set to read only. Point DATABASE_URL",
    );
  });

  it.each(["transaction", "statement"] as const)(
    "a pooler that gives each %s another connection, which keeps no lock of ours",
    async (mode) => {
      const pooler = await startPooler(database.url, mode);
      onTestFinished(() => pooler.close());

      expect(await said(pooler.url)).toContain(
        "Name PostgreSQL itself in DATABASE_URL, or set the pooler to pool_mode = session for us",
      );
      expect(await locks()).toBe(0);
    },
  );

  it("a pooler that gives each client a connection is worked with, queue and all", async () => {
    const pooler = await startPooler(database.url, "session");
    onTestFinished(() => pooler.close());

    const worker = await startWorker({ databaseUrl: pooler.url, dataDir });

    expect(await worker.stop()).toBe(0);
  });
});
