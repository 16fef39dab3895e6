import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { consolePlatform } from "../../src/chat/console/platform.ts";
import { webhookPlatform } from "../../src/chat/webhook/platform.ts";
import { type Delivery, startDelivery } from "../../src/delivery/delivery.ts";
import { tickBranches, tickForges, tickTimers, tickWork } from "../../src/tick.ts";
import { eventually } from "../fakes/bot.ts";
import { type TestWorld, testWorld } from "../fakes/deps.ts";
import { type Proxy, proxyBefore } from "../fakes/proxy.ts";
import { startSink } from "../fakes/sink.ts";

/** What ten seconds in which nothing is to be done cost the database: a process looks once, and delivery twice. */

/** Five a second, less what BullMQ's workers ask (`npm run bench:idle` counts those too). */
const allowed = 40;

let world: TestWorld;
let proxy: Proxy;
let control: pg.Client;
let delivery: Delivery;

beforeEach(async () => {
  world = await testWorld({
    // Only this test's own looks are counted.
    policy: (policy) => ({ ...policy, delivery: { ...policy.delivery, fallbackMs: 3_600_000 } }),
    async through(databaseUrl) {
      const before = await proxyBefore(databaseUrl);
      proxy = before.proxy;
      control = new pg.Client({ connectionString: databaseUrl });
      await control.connect();
      return before.url;
    },
  });
  await world.repository();
  await world.command("goal", "add", "Some day");
  delivery = startDelivery(world.deps, [consolePlatform()], throughProxy());
  await delivery.deliver();
  await world.tick();
  await everythingHeard();
});
afterEach(async () => {
  await delivery.stop();
  await control.end();
  await world.close();
  await proxy.close();
});

function throughProxy(): string {
  const url = new URL(world.databaseUrl);
  url.port = String(proxy.port);
  return url.href;
}

/** What was told before has been heard when this is, and delivery has done what it made of it. */
async function everythingHeard(): Promise<void> {
  const goalId = `goal-${Math.floor(performance.now())}`;
  let isHeard = false;
  const unsubscribe = world.deps.signals.on((signal) => {
    if (signal.type === "stop" && signal.goalId === goalId) isHeard = true;
  });
  await eventually("the signal", async () => {
    await control.query("select pg_notify('cos', $1)", [`stop ${goalId}`]);
    return isHeard;
  });
  unsubscribe();
}

/** The statements of ten idle seconds. */
async function tenIdleSeconds(): Promise<readonly string[]> {
  const from = proxy.statements.length;
  world.advance(5_000);
  await delivery.deliver();
  world.advance(5_000);
  const parts = [tickTimers, tickWork, tickBranches, tickForges];
  await Promise.all([...parts.map((part) => part(world.deps)), delivery.deliver()]);
  await everythingHeard();
  return proxy.statements.slice(from);
}

/** Rows that are written from now on, by any statement. */
async function watchWrites(): Promise<() => Promise<string[]>> {
  await control.query("create table public.writes (what text)");
  await control.query(
    "create function public.note() returns trigger language plpgsql as $$ begin insert into public.writes values (tg_op || ' ' || tg_table_name); return null; end $$",
  );
  const { rows: tables } = await control.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'cos'",
  );
  for (const { name } of tables)
    await control.query(
      `create trigger note after insert or update or delete on ${name} for each row execute function public.note()`,
    );
  return async () =>
    (await control.query<{ what: string }>("select what from public.writes")).rows.map((row) => row.what);
}

describe("an idle bot", () => {
  it("[F-111] sends few statements in ten seconds, begins no transaction and writes no row", async () => {
    const writes = await watchWrites();

    const first = await tenIdleSeconds();
    const second = await tenIdleSeconds();

    for (const sent of [first, second]) {
      expect(sent.length, sent.join("\n")).toBeGreaterThan(5);
      expect(sent.length, sent.join("\n")).toBeLessThanOrEqual(allowed);
      expect(sent.filter((statement) => /^begin\b/i.test(statement))).toEqual([]);
    }
    expect(await writes()).toEqual([]);
  });

  it("[F-111] that looks at every notice though nothing has changed is found by this very count", async () => {
    const sink = await startSink();
    const channels = [{ platform: "webhook", channel: "main" }];
    const hearing = startDelivery({ ...world.deps, channels }, [webhookPlatform(sink.url)], throughProxy());
    const from = proxy.statements.length;

    await eventually("the looks", async () => {
      await control.query("select pg_notify('cos', 'messages')");
      return proxy.statements.length - from > allowed;
    });
    await hearing.stop();
    await sink.close();
  });

  it("[F-111] of which only the console is shown hears no notice: what it shows is stored as it is shown", async () => {
    const from = proxy.statements.length;

    for (let notice = 0; notice < 20; notice += 1) await control.query("select pg_notify('cos', 'messages')");
    await everythingHeard();

    expect(proxy.statements.slice(from)).toEqual([]);
  });

  it("[F-111] writes what there is to write, and that is seen", async () => {
    const writes = await watchWrites();

    await world.command("goal", "add", "Another day");
    await tenIdleSeconds();

    expect(await writes()).toContain("INSERT goals");
  });
});
