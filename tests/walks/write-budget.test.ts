import { afterEach, describe, expect, it } from "vitest";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";

describe("one gate cycle", () => {
  let world: TestWorld;
  afterEach(() => world.close());

  it("from add over park and approve to complete costs at most 12 write transactions, cards included", async () => {
    world = await testWorld();
    await world.repository();
    const { pool } = world.deps.database;
    await pool.query("create table public.writes (xid bigint primary key, first text)");
    await pool.query(
      "create function public.note() returns trigger language plpgsql as $$ begin insert into public.writes values (txid_current(), tg_op || ' ' || tg_table_name) on conflict do nothing; return null; end $$",
    );
    const { rows: tables } = await pool.query<{ name: string }>(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'cos'",
    );
    for (const { name } of tables) {
      await pool.query(
        `create trigger note after insert or update or delete on ${name} for each row execute function public.note()`,
      );
    }

    const { goalId } = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "Make it blue", "--run", "echo blue > a.txt", "--tag", "ui"),
    );
    await world.deliver();
    await world.command("autopilot", "start");
    await world.deliver();
    const [pending] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
    await world.command("approve", pending?.checkpointId ?? "");
    await world.deliver();
    await world.work();
    await world.deliver();

    const { rows } = await pool.query<{ first: string }>("select first from public.writes order by xid");
    expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({ status: "complete" });
    expect(rows.length, rows.map((row) => row.first).join(", ")).toBeLessThanOrEqual(12);
    expect(rows.length).toBeGreaterThan(4);
  });
});
