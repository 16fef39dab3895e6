import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Database, openDatabase } from "../../src/db/connection/client.ts";
import { onlyOne } from "../../src/db/connection/locks.ts";
import { openOwnership } from "../../src/db/connection/ownership.ts";
import { emptyDatabase, type FreshDatabase } from "../fakes/database.ts";
import { eventually } from "../fakes/bot.ts";
import { watchStandstill } from "../fakes/standstill.ts";

/** A process that is paused keeps its connections; what it holds by them it may not keep from others for ever. */

/** What this process may stand still: longer at each try, where the machine itself stood still while nobody meant it to. */
function* stillnesses(): Generator<{ readonly endsAfterMs: number; readonly asksEveryMs: number }> {
  for (let endsAfterMs = 300; ; endsAfterMs *= 2) yield { endsAfterMs, asksEveryMs: endsAfterMs / 10 };
}

let place: FreshDatabase;
let paused: Database;
let other: Database;
beforeEach(async () => {
  place = await emptyDatabase();
  [paused, other] = [openDatabase(place.url, () => undefined), openDatabase(place.url, () => undefined)];
});
afterEach(async () => {
  await Promise.all([paused.close(), other.close()]);
  await place.drop();
});

/** This process stands still for longer than it may, as a paused one does: nothing of it runs. */
function standStill(endsAfterMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2.5 * endsAfterMs);
}

/** It works for so long that what was answered before it is asked again, and waits for the database. Whether nothing of it stood still. */
async function work(endsAfterMs: number): Promise<boolean> {
  const clock = watchStandstill(() => other.db.execute(sql`select 1`));
  await other.db.execute(sql`select pg_sleep(${(4 * endsAfterMs) / 1000})`);
  return clock.stop() < endsAfterMs / 2;
}

it("who owns something loses it by standing still, knows it, and keeps it while it works", async () => {
  for (const stillness of stillnesses()) {
    const first = openOwnership(place.url, () => undefined, stillness);
    const second = openOwnership(place.url, () => undefined);
    expect(await first.owns("channel")).toBe(true);
    const hasWorked = await work(stillness.endsAfterMs);
    const kept = [await first.owns("channel"), await second.owns("channel")];
    if (hasWorked) {
      expect(kept).toEqual([true, false]);
      standStill(stillness.endsAfterMs);

      await eventually("the other to own it", () => second.owns("channel"));
      expect(await first.owns("channel")).toBe(false);
    }
    await Promise.all([first.release(), second.release()]);
    if (hasWorked) return;
  }
});

it("who works under a name loses it by standing still and hears so, and keeps it while it works", async () => {
  for (const stillness of stillnesses()) {
    const { endsAfterMs } = stillness;
    const begin = (pool: Database["pool"], working: (signal: AbortSignal) => Promise<void>) =>
      onlyOne(pool, "cos works", working, { stillness });
    let hasWorked = false;
    await begin(paused.pool, async (signal) => {
      hasWorked = await work(endsAfterMs);
      const kept = [await begin(other.pool, async () => undefined), signal.aborted];
      if (!hasWorked) return;
      expect(kept).toEqual([false, false]);
      standStill(endsAfterMs);
      await eventually("the other to have it", () => begin(other.pool, async () => undefined));
      await eventually("the loss to be heard", async () => signal.aborted);
    });
    if (!hasWorked) continue;

    await begin(paused.pool, async () => void (await work(endsAfterMs)));
    await work(endsAfterMs);
    expect((await paused.db.execute(sql`select 1 as alive`)).rows).toEqual([{ alive: 1 }]);
    return;
  }
});

it("who stands still in a transaction holds nobody up, and it is done anew", async () => {
  await other.db.execute(sql`create table rows (words text)`);
  await other.db.execute(sql`insert into rows values ('')`);
  const limit = await paused.db.execute(sql`show idle_in_transaction_session_timeout`);
  let runs = 0;

  await paused.transaction(async (tx) => {
    runs += 1;
    await tx.execute(sql`update rows set words = words || 'paused '`);
    if (runs > 1) return;
    await tx.execute(sql`set local idle_in_transaction_session_timeout = 100`);
    standStill(400);
    await other.db.execute(sql`update rows set words = words || 'other '`);
  });

  expect(limit.rows).toEqual([{ idle_in_transaction_session_timeout: "10min" }]);
  expect((await other.db.execute(sql`select words from rows`)).rows).toEqual([{ words: "other paused " }]);
});
