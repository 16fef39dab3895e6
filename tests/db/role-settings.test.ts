import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openDatabase } from "../../src/db/connection/client.ts";
import { onlyOne } from "../../src/db/connection/locks.ts";
import { dropClient, openDatabaseClient } from "../../src/db/connection/connections.ts";
import { emptyDatabase, type FreshDatabase } from "../fakes/database.ts";

/** What a database says for all that connect to it, and what the bot's work does not stand. */

let database: FreshDatabase;
beforeEach(async () => {
  database = await emptyDatabase();
  const client = await openDatabaseClient(settings());
  const name = new URL(database.url).pathname.slice(1);
  for (const setting of [
    "statement_timeout = '300ms'",
    "lock_timeout = '300ms'",
    "idle_session_timeout = '300ms'",
    "default_transaction_isolation = 'serializable'",
  ])
    await client.query(`alter database "${name}" set ${setting}`);
  dropClient(client);
});
afterEach(async () => {
  await database.drop();
});

const settings = () => ({ url: database.url, onError: () => undefined, longestStatementMs: 60_000 });

it("lets statements run for as long as ours may, as the usual isolation, in a pool", async () => {
  const opened = openDatabase(database.url, () => undefined);
  try {
    const { rows } = await opened.db.execute<{ slept: string; isolation: string; lock: string }>(
      sql`select pg_sleep(0.6)::text as slept, current_setting('transaction_isolation') as isolation, current_setting('lock_timeout') as lock`,
    );

    expect(rows).toEqual([{ slept: "", isolation: "read committed", lock: "0" }]);
  } finally {
    await opened.close();
  }
});

it("does the same on a connection by itself, and keeps to what the URL asks for", async () => {
  const url = new URL(database.url);
  url.searchParams.set("options", "-c lock_timeout=7s");
  const client = await openDatabaseClient({ ...settings(), url: url.href });
  try {
    const { rows } = await client.query<{ statement: string; idle: string; lock: string }>(
      "select current_setting('statement_timeout') as statement, current_setting('idle_session_timeout') as idle, current_setting('lock_timeout') as lock",
    );

    expect(rows).toEqual([{ statement: "0", idle: "0", lock: "7s" }]);
  } finally {
    dropClient(client);
  }
});

it("keeps to what the URL asks for on a connection that has held a name", async () => {
  const url = new URL(database.url);
  url.searchParams.set("options", "-c idle_session_timeout=7min");
  const opened = openDatabase(url.href, () => undefined, 1);
  const asked = async () =>
    (await opened.db.execute<{ idle: string }>(sql`select current_setting('idle_session_timeout') as idle`)).rows;
  try {
    await onlyOne(opened.pool, "a name", async () => undefined);

    expect(await asked()).toEqual([{ idle: "7min" }]);
  } finally {
    await opened.close();
  }
});
