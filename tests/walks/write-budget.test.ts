import { afterEach, describe, expect, it } from "vitest";
import { openProjector } from "../../src/projection/projector.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";

describe("one gate cycle", () => {
  let world: TestWorld;
  afterEach(() => world.close());

  it("from add over park and approve to complete costs at most 12 write transactions, and cards are drawn 4 times", async () => {
    const long = 600_000;
    world = await testWorld({
      policy: (policy) => ({
        ...policy,
        projection: { ...policy.projection, windowMs: long, progressWindowMs: long },
        // A lease is renewed by the clock, however long the cycle takes.
        lease: { forMs: 6 * long, renewEveryMs: long, giveUpAfterMs: 5 * long },
      }),
    });
    await world.repository();
    // As a process draws them: for each call of the person, and once for what lies within a window.
    const projector = openProjector(world.deps);
    world.deps.database.onMarks(projector.hear);
    const { pool } = world.deps.database;
    await pool.query("create table public.writes (xid bigint primary key, first text, draws boolean)");
    await pool.query(
      "create function public.note() returns trigger language plpgsql as $$ begin insert into public.writes values (txid_current(), tg_op || ' ' || tg_table_name, tg_table_name = 'marks' and tg_op = 'DELETE') on conflict (xid) do update set draws = writes.draws or excluded.draws; return null; end $$",
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
    await projector.project();
    await world.deliver();
    await world.command("autopilot", "start");
    await projector.project();
    await world.deliver();
    const [pending] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
    await world.command("approve", pending?.checkpointId ?? "");
    await projector.project();
    await world.deliver();
    await world.work();
    await projector.project();
    await world.deliver();

    const { rows } = await pool.query<{ first: string; draws: boolean }>(
      "select first, draws from public.writes order by xid",
    );
    expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({ status: "complete" });
    const writes = rows.filter((row) => !row.draws).map((row) => row.first);
    expect(writes.length, writes.join(", ")).toBeLessThanOrEqual(12);
    expect(writes.length).toBeGreaterThan(4);
    expect(rows.length - writes.length).toBe(4);
    await projector.stop();
  });
});
