import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { migrate } from "../../src/db/connection/migrate.ts";
import { projectDir } from "../fakes/bot.ts";
import { campaignIn } from "../fakes/campaign.ts";
import { emptyDatabase, type FreshDatabase } from "../fakes/database.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { migrateUntil } from "../fakes/old-database.ts";
import { gitIn } from "../fakes/repository.ts";

/**
 * A database as the version wrote it whose newest migration was 0008: its own code wrote every row of the fixture, at work on goals
 * that ran, waited, asked and were parked, and on a campaign's first day. `{{DIR}}` was its data directory.
 */

interface Old {
  /** Of its migrations, one after the other, sha256: they are never changed. */
  readonly migrations: string;
  /** Goals by what they were doing, and the campaign. */
  readonly ids: Readonly<Record<"leased" | "done" | "asked" | "retries" | "parked" | "waits" | "campaign", string>>;
  /** Of every repository: each was a clone of one. */
  readonly bundle: string;
}

let dir: string;
let old: FreshDatabase;
let client: pg.Client;
let world: TestWorld | null = null;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "cos-upgrade-"));
  old = await emptyDatabase();
  client = new pg.Client({ connectionString: old.url });
  await client.connect();
  await migrateUntil(client, "quiet");
});
afterEach(async () => {
  await world?.close();
  await client.end();
  await old.drop();
  await rm(dir, { recursive: true, force: true });
});

/** Fills the database and makes the repositories that its rows name. */
async function fill(): Promise<Old> {
  const text = await readFile(join(projectDir, "tests/fixtures/database-of-0008.jsonl"), "utf8");
  const [first = "", ...lines] = text.replaceAll("{{DIR}}", dir).trimEnd().split("\n");
  const known = JSON.parse(first) as Old;
  const rows = lines.map((line) => JSON.parse(line) as { table: string; row: Record<string, unknown> });
  await client.query("set session_replication_role = replica");
  for (const { table, row } of rows)
    await client.query(`insert into cos.${table} select * from jsonb_populate_record(null::cos.${table}, $1)`, [
      JSON.stringify(row),
    ]);
  await client.query("set session_replication_role = origin");
  await client.query(
    "select setval(format('%I.%I', sequence_schema, sequence_name), 1000) from information_schema.sequences where sequence_schema = 'cos'",
  );
  const bundle = join(dir, "origin.bundle");
  await writeFile(bundle, Buffer.from(known.bundle, "base64"));
  for (const { table, row } of rows)
    if (table === "repositories") await gitIn(dir, "clone", "--quiet", "--branch", "main", bundle, String(row["path"]));
  return known;
}

it("[F-606] a database of the first schema is migrated, and the work that waited, ran and asked in it gets done", async () => {
  const { migrations, ids } = await fill();
  const names = (await readdir(join(projectDir, "migrations")))
    .filter((name) => /^000[0-8]_.*\.sql$/.test(name))
    .sort();
  const hash = createHash("sha256");
  for (const name of names) hash.update(await readFile(join(projectDir, "migrations", name)));
  expect(hash.digest("hex")).toBe(migrations);

  await migrate(old.url);
  const { rows: schedules } = await client.query("select name, cron from cos.schedules order by name");
  expect(schedules).toEqual([
    { name: "campaigns", cron: "0 9 * * D" },
    { name: "standup", cron: "0 9 * * D" },
    { name: "weekly", cron: "0 16 * * 5" },
  ]);
  const environment = { COS_DATA_DIR: dir, COS_ISOLATION: "off" };
  world = await testWorld({ through: async () => old.url, environment });
  const { command } = world;
  const statusOf = async (goalId: string) => valueOf<{ status: string }>(await command("goal", "show", goalId)).status;

  expect(
    await Promise.all([ids.leased, ids.done, ids.asked, ids.retries, ids.parked, ids.waits].map(statusOf)),
  ).toEqual(["pending", "complete", "blocked", "in_progress", "blocked", "pending"]);
  const open = valueOf<{ checkpointId: string; goalId: string }[]>(await command("checkpoints"));
  expect(open.map(({ goalId }) => goalId)).toEqual([ids.asked]);

  valueOf(await command("answer", open[0]?.checkpointId ?? "", "Proceed"));
  await client.query("update cos.goals set leased_until = now() - interval '1 second' where leased_by is not null");
  await writeFile(join(dir, "again"), "");
  world.advance(60_000);
  await world.tick();
  await world.work();
  valueOf(await command("goal", "resume", ids.parked));
  for (const name of ["person-5", "person-6"]) await command("autopilot", "start", "--repo", name);
  await world.work();
  await campaignIn(world).settle();
  await world.deliver();
  await world.tick();

  const ended = [ids.leased, ids.done, ids.asked, ids.retries, ids.parked, ids.waits];
  expect(await Promise.all(ended.map(statusOf))).toEqual(ended.map(() => "complete"));
  const [day] = (await campaignIn(world).status(ids.campaign)).days;
  expect(day).toMatchObject({ status: "done", goals: [{ status: "complete" }, { status: "complete" }] });
  // What was written then is told as it was, and counted with what came after.
  const told = valueOf<{ timeline: { event: string }[] }>(await command("why", ids.done)).timeline;
  expect(told.map(({ event }) => event)).toContain("goal.complete");
  const { rows } = await client.query<{ number: number }>(
    `select number from cos.counts where about = 'cos_goals_ended_total' and label = 'status="complete"'`,
  );
  expect(rows[0]?.number).toBe(8);
});
