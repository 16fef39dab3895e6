import { afterEach, beforeEach, expect, it } from "vitest";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { type Executed, explainedUrl, hearPlans } from "../fakes/plans.ts";

/** A bot that began with an empty database, before the server has looked again how large its tables are. */

let world: TestWorld;
let heard: readonly Executed[];

beforeEach(async () => {
  world = await testWorld({ through: async (databaseUrl) => explainedUrl(databaseUrl) });
  heard = hearPlans(world.deps.database.pool);
  const { rows } = await world.deps.database.pool.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'cos'",
  );
  for (const { name } of rows)
    await world.deps.database.pool.query(`alter table cos."${name}" set (autovacuum_enabled = false)`);
  await world.repository();
});

afterEach(() => world.close());

/** One goal from its beginning over a question to its end, with what people look at. */
async function goal(): Promise<void> {
  const added = await world.command("goal", "add", "Make it blue", "--run", "true", "--tag", "ui");
  const { goalId } = valueOf<{ goalId: string }>(added);
  valueOf(await world.command("autopilot", "start"));
  await world.tick();
  await world.work();
  const [question] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
  valueOf(await world.command("answer", question?.checkpointId ?? "", "proceed"));
  await world.work();
  await world.deliver();
  await world.tick();
  for (const name of ["status", "standup", "goals"]) valueOf(await world.command(name));
  expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({ status: "complete" });
}

/** What each goal leaves, and which of its columns name it. */
const growing = {
  goals: ["goal_id"],
  runs: ["run_id", "goal_id"],
  checkpoints: ["checkpoint_id", "goal_id", "subject"],
  messages: ["subject"],
  timeline: ["goal_id", "session_id"],
  sessions: ["session_id"],
};

const copies = 3_000;

/** Copies one row of a table, as one of long ago, unknown to triggers and to the planner. */
async function grow(table: keyof typeof growing): Promise<void> {
  const client = await world.deps.database.pool.connect();
  try {
    await client.query("set session_replication_role = replica");
    const { rows } = await client.query<{ name: string; type: string }>(
      `select quote_ident(column_name) as name, data_type as type from information_schema.columns
       where table_schema = 'cos' and table_name = $1 and is_generated = 'NEVER' and is_identity = 'NO'
         and coalesce(column_default, '') not like 'nextval%'`,
      [table],
    );
    const values = rows.map(({ name, type }) => {
      if (growing[table].includes(name)) return `${name} || '-' || copy`;
      return type.startsWith("timestamp") ? `${name} - interval '400 days' - copy * interval '1 minute'` : name;
    });
    await client.query(
      `insert into cos.${table} (${rows.map(({ name }) => name).join(", ")}) select ${values.join(", ")}
       from (select * from cos.${table} limit 1) as one, generate_series(1, ${copies}) as copy`,
    );
  } finally {
    client.release(true);
  }
}

it("no statement that was planned while it was empty reads a table that has grown from end to end [F-602]", async () => {
  for (let times = 0; times < 7; times += 1) await goal();
  for (const table of Object.keys(growing) as (keyof typeof growing)[]) await grow(table);
  const from = heard.length;
  await goal();

  const asked = heard.slice(from);
  expect(new Set(asked.map(({ statement }) => statement)).size).toBeGreaterThan(40);
  // By an index, a whole table can be read as well.
  const reading = asked.filter(({ scanned, rows }) => scanned.length > 0 || rows > copies / 2);
  expect(reading.map(({ scanned, rows, statement }) => `${rows} rows (${scanned.join(", ")}): ${statement}`)).toEqual(
    [],
  );
});
