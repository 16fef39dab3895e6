import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migrate } from "../../src/db/connection/migrate.ts";
import { claimGoal } from "../fakes/claim.ts";
import { campaignIn } from "../fakes/campaign.ts";
import { emptyDatabase, type FreshDatabase } from "../fakes/database.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { migrateUntil } from "../fakes/old-database.ts";

/** A database that was used before the goal's machine was a table: it is migrated, and goes on. */

let before: TestWorld;
let old: FreshDatabase;
let client: pg.Client;
beforeEach(async () => {
  before = await testWorld();
  old = await emptyDatabase();
  client = new pg.Client({ connectionString: old.url });
  await client.connect();
  await migrateUntil(client, "transitions");
});
afterEach(async () => {
  await client.end();
  await old.drop();
  await before.close();
});

/** Copies every row that the old schema has a table for, by the columns that both have. */
async function copyRows(): Promise<void> {
  const { rows: tables } = await client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'cos'",
  );
  // Neither order nor triggers matter: the rows are taken as they are.
  await client.query("set session_replication_role = replica");
  for (const { name } of tables) {
    const now = new Set(await columnsOf(before.deps.database.pool, name));
    const { rows } = await before.deps.database.pool.query<{ row: object }>(
      `select to_jsonb(t) as row from cos.${name} t`,
    );
    const values = JSON.stringify(rows.map(({ row }) => row));
    const both = (await columnsOf(client, name)).filter((column) => now.has(column)).join(", ");
    await client.query(
      `insert into cos.${name} (${both}) select ${both} from jsonb_populate_recordset(null::cos.${name}, $1)`,
      [values],
    );
  }
  await client.query(
    "select setval(format('%I.%I', sequence_schema, sequence_name), 1000000) from information_schema.sequences where sequence_schema = 'cos'",
  );
  await client.query("set session_replication_role = origin");
}

/** Those that take a value. */
async function columnsOf(at: pg.Client | pg.Pool, table: string): Promise<string[]> {
  const { rows } = await at.query<{ name: string }>(
    "select quote_ident(column_name) as name from information_schema.columns where table_schema = 'cos' and table_name = $1 and is_generated = 'NEVER'",
    [table],
  );
  return rows.map(({ name }) => name);
}

/** The engine on the migrated database, with the repositories and the work of before. */
async function goOn(): Promise<TestWorld> {
  await migrate(old.url);
  return await testWorld({ through: async () => old.url, environment: { COS_DATA_DIR: before.dataDir } });
}

async function add(text: string, run: string, ...options: string[]): Promise<string> {
  const path = await before.repository({ "a.txt": text });
  const added = await before.command("goal", "add", text, "--repo", path, "--run", run, ...options);
  return valueOf<{ goalId: string }>(added).goalId;
}

async function rowsOf(columns: string): Promise<Record<string, unknown>> {
  const { rows } = await client.query<{ goal_id: string }>(`select goal_id, ${columns} from cos.goals`);
  return Object.fromEntries(rows.map(({ goal_id, ...row }) => [goal_id, row]));
}

describe("a database of before", () => {
  it("with questions, running, leased, waiting and parked goals and a campaign is migrated and goes on", async () => {
    const leased = await add("It is being worked", "echo a > a.txt");
    valueOf(await before.command("autopilot", "start"));
    await claimGoal(before.deps.database.db, { leasedBy: "elsewhere/1/1", forMs: 600_000, now: before.deps.now() });
    const asked = await add("It asks", "echo b > b.txt", "--tag", "ui");
    const retries = await add("It retries", "test -e ../again || { touch ../again; exit 3; }; echo x > x.txt");
    const waits = await add("It waits for its turn", "echo d > d.txt");
    const parked = await add("It is parked", "echo c > c.txt");
    valueOf(await before.command("autopilot", "start"));
    valueOf(await before.command("goal", "pause", parked));
    valueOf(await before.command("goal", "pause", waits));
    valueOf(await before.command("goal", "resume", waits));
    await before.work();
    const path = await before.repository({ "campaign.txt": "c" });
    const plan =
      "# Work\n\n## All\n### Day 1\n- one\n  - run: echo one > one.txt\n- two\n  - run: echo two > two.txt\n";
    const campaignId = await campaignIn(before).create(plan, "--repo", path);
    valueOf(await before.command("campaign", "start", campaignId));
    await copyRows();

    const world = await goOn();
    const statusOf = async (goalId: string) =>
      valueOf<{ status: string }>(await world.command("goal", "show", goalId)).status;
    try {
      expect(await rowsOf("status, blocked_on as on")).toMatchObject({
        [leased]: { status: "pending", on: null },
        [asked]: { status: "blocked", on: "question" },
        [retries]: { status: "in_progress", on: null },
        [parked]: { status: "blocked", on: "person" },
      });

      const [question] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
      valueOf(await world.command("answer", question?.checkpointId ?? "", "Proceed"));
      await client.query("update cos.goals set leased_until = now() - interval '1 second' where leased_by is not null");
      world.advance(60_000);
      await world.work();
      valueOf(await world.command("goal", "resume", parked));
      valueOf(await world.command("autopilot", "start"));
      await world.work();
      await campaignIn(world).settle();

      const ids = [leased, asked, retries, waits, parked];
      expect(await Promise.all(ids.map(statusOf))).toEqual(ids.map(() => "complete"));
      const [day] = (await campaignIn(world).status(campaignId)).days;
      expect(day).toMatchObject({ status: "done", goals: [{ status: "complete" }, { status: "complete" }] });
    } finally {
      await world.close();
    }
  });

  it("with rows that cannot be has them mended, and the rules hold for them", async () => {
    await add("A goal", "true");
    const bad = await add("Another", "true", "--tag", "ui");
    valueOf(await before.command("autopilot", "start"));
    await copyRows();
    const copy = async (id: string, columns: object) =>
      await client.query(
        "insert into cos.goals select (jsonb_populate_record(g, $1)).* from cos.goals g where status = 'pending' limit 1",
        [JSON.stringify({ goal_id: id, session_id: null, wake_at: null, run_id: null, turn: 1, ...columns })],
      );
    const run = async (id: string, goalId: string, status: string, end: string | null) =>
      await client.query(
        "insert into cos.runs (run_id, goal_id, status, content_hash, settled, started_at, ended_at) values ($1, $2, $3, 'x', '[]', now(), $4)",
        [id, goalId, status, end],
      );
    const lease = { leased_by: "one/1/1", leased_until: "2026-01-26T09:00:00Z" };
    // It ended while somebody changed it by hand: its question and its run are open.
    await client.query(
      "update cos.goals set status = 'failed', wake_at = null, leased_by = 'x', leased_until = now(), parked_for = 'y' where goal_id = $1",
      [bad],
    );
    await copy("goal-wakes", { status: "blocked", wake_at: "2026-01-26T09:00:00Z", outcome: null });
    await copy("goal-ground", { status: "blocked", parked_for: bad });
    await copy("goal-no-run", { status: "pending", phase: "verify", stop_requested: "skip" });
    await copy("goal-at-start", { status: "in_progress", phase: "start" });
    await copy("goal-run-over", { status: "in_progress", phase: "implement", run_id: "run-over", outcome: "Said." });
    await run("run-over", "goal-run-over", "ended", null);
    await copy("goal-at-work", { status: "pending", phase: "implement", run_id: "run-work", ...lease });
    await run("run-work", "goal-at-work", "open", null);
    await copy("goal-never", { status: "pending", turn: 0, ...lease });

    await migrate(old.url);

    expect(
      await rowsOf(
        'status, blocked_on as "on", phase, wake_at as wake, leased_by as lease, stop_requested as stop, parked_for as parked, outcome as said',
      ),
    ).toMatchObject({
      [bad]: { status: "failed", on: null, phase: "start", lease: null, parked: null },
      "goal-wakes": {
        status: "blocked",
        on: "person",
        wake: null,
        said: "Parked. Go on with: cos goal resume goal-wakes",
      },
      "goal-ground": { status: "blocked", on: "ground", parked: bad },
      "goal-no-run": { status: "pending", phase: "start", stop: null },
      "goal-at-start": { status: "pending", phase: "start" },
      "goal-run-over": { status: "pending", phase: "start", said: "Said." },
      "goal-at-work": { status: "in_progress", phase: "implement", lease: "one/1/1" },
      "goal-never": { status: "pending", lease: null },
    });
    const { rows: open } = await client.query(
      "select 1 from cos.checkpoints where goal_id = $1 and status = 'pending'",
      [bad],
    );
    const { rows: runs } = await client.query(
      "select 1 from cos.runs where (status = 'ended') <> (ended_at is not null)",
    );
    const { rows: unheld } = await client.query(
      "select conname from pg_constraint where contype = 'c' and not convalidated",
    );
    expect([open, runs, unheld]).toEqual([[], [], []]);
  });
});
