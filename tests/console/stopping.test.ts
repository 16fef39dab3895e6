import { afterEach, beforeEach, expect, it } from "vitest";
import { type TestConsole, consoleOf } from "../fakes/console.ts";
import { eventually } from "../fakes/bot.ts";
import { testWorld, type TestWorld, valueOf } from "../fakes/deps.ts";

/** A console that stops while somebody has clicked, or looks. */

let world: TestWorld;
let console: TestConsole;
beforeEach(async () => {
  world = await testWorld({ environment: { PORT: "0" } });
  console = await consoleOf(world);
});
afterEach(() => world.close());

it("answers the click that it has taken, ends pages that only watch, and takes no other [F-605]", async () => {
  await world.repository();
  await world.command("goal", "add", "Ask first", "--run", "true", "--tag", "ui");
  await world.command("autopilot", "start");
  await world.work();
  const [asked] = valueOf<{ checkpointId: string; version: number }[]>(await world.command("checkpoints"));
  const { checkpointId = "", version } = asked ?? {};
  const watching = await console.get("/events");
  const { pool } = world.deps.database;
  const holder = await pool.connect();
  const [own] = (await holder.query<{ pid: number }>("select pg_backend_pid() as pid")).rows;
  await holder.query("begin");
  await holder.query("select 1 from cos.checkpoints where checkpoint_id = $1 for update", [checkpointId]);
  const clicked = console
    .post("/answer", { id: `${checkpointId}.${version}`, choice: "proceed", back: "/" })
    .then(({ status }) => status, String);
  await eventually("that the click waits", async () => {
    const asking = "select 1 from pg_stat_activity where $1 = any(pg_blocking_pids(pid))";
    return (await pool.query(asking, [own?.pid])).rows.length > 0;
  });

  const stopped = console.stop();
  await watching.text();
  // Longer than a browser's connection is kept that nobody waits on.
  await holder.query("select pg_sleep(1)");
  await holder.query("commit");
  holder.release();

  expect(await clicked).toBe(303);
  await stopped;
  await expect(fetch(console.url)).rejects.toThrow();
  expect(valueOf<unknown[]>(await world.command("checkpoints"))).toEqual([]);
});
