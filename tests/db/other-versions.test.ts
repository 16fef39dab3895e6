import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { migrate, UnfitDatabase } from "../../src/db/connection/migrate.ts";
import { servingUrl } from "../../src/db/serving.ts";
import { emptyDatabase, type FreshDatabase } from "../fakes/database.ts";
import { migrateUntil } from "../fakes/old-database.ts";

/** Two versions and one database: nothing is changed under a bot that runs, and nothing is done with what is not understood. */

let database: FreshDatabase;
const clients: pg.Client[] = [];

beforeEach(async () => {
  database = await emptyDatabase();
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.end();
  await database.drop();
});

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  clients.push(client);
  return client;
}

const bot = () => connected(servingUrl(database.url, "elsewhere", { pid: 7, namespace: null, allowsUnknown: false }));

async function applied(): Promise<number> {
  const { rows } = await (await connected(database.url)).query("select 1 from cos_migrations.__drizzle_migrations");
  return rows.length;
}

it("a database that a newer version has changed is refused, and stays as it is", async () => {
  await migrate(database.url);
  const before = await applied();
  const client = await connected(database.url);
  await client.query("insert into cos_migrations.__drizzle_migrations (hash, created_at) values ('x', 9000000000000)");

  await expect(migrate(database.url)).rejects.toThrow(/^a newer version of Chief of Staff has changed it/);
  await expect(migrate(database.url)).rejects.toBeInstanceOf(UnfitDatabase);
  expect(await applied()).toBe(before + 1);
});

it("a command changes no database under a bot of an older version; the next bot does", async () => {
  const client = await connected(database.url);
  await migrateUntil(client, "transitions");
  const before = await applied();
  const older = await bot();

  await expect(migrate(database.url, { yields: true })).rejects.toThrow(/an older version works with it/);
  expect(await applied()).toBe(before);

  clients.splice(clients.indexOf(older), 1);
  await older.end();
  await migrate(database.url, { yields: true });
  expect(await applied()).toBeGreaterThan(before);
});

it("a bot brings the database up to date beside workers of an older version", async () => {
  await migrateUntil(await connected(database.url), "transitions");
  const before = await applied();
  await bot();

  await migrate(database.url);

  expect(await applied()).toBeGreaterThan(before);
});

it("one that is up to date may be asked beside a bot", async () => {
  await migrate(database.url);
  await bot();

  await migrate(database.url, { yields: true });
});
