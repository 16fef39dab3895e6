import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Database, openDatabase } from "../../src/db/connection/client.ts";
import { onlyOne } from "../../src/db/connection/locks.ts";
import { openOwnership } from "../../src/db/connection/ownership.ts";
import { emptyDatabase, type FreshDatabase } from "../fakes/database.ts";
import { eventually } from "../fakes/bot.ts";

/** A process that is paused keeps its connections; what it holds by them it may not keep from others for ever. */

const stillness = { endsAfterMs: 300, asksEveryMs: 30 };
/** Longer than that. */
const pauseMs = 800;
/** So long that what was answered before it is asked again. */
const workMs = 1_100;

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

/** This process stands still, as a paused one does: nothing of it runs. */
function standStill(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
}

/** It works for longer, and waits for the database. */
async function work(): Promise<void> {
  await other.db.execute(sql`select pg_sleep(${workMs / 1000})`);
}

it("who owns something loses it by standing still, knows it, and keeps it while it works", async () => {
  const first = openOwnership(place.url, () => undefined, stillness);
  const second = openOwnership(place.url, () => undefined);
  expect(await first.owns("channel")).toBe(true);
  await work();
  expect([await first.owns("channel"), await second.owns("channel")]).toEqual([true, false]);

  standStill();

  await eventually("the other to own it", () => second.owns("channel"));
  expect(await first.owns("channel")).toBe(false);
  await Promise.all([first.release(), second.release()]);
});

it("who works under a name loses it by standing still and hears so, and keeps it while it works", async () => {
  const taken: boolean[] = [];
  const heard: boolean[] = [];
  const begin = (pool: Database["pool"], name: string, working: (signal: AbortSignal) => Promise<void>) =>
    onlyOne(pool, name, working, { stillness });

  await begin(paused.pool, "cos works", async (signal) => {
    await work();
    taken.push(await begin(other.pool, "cos works", async () => undefined));
    heard.push(signal.aborted);
    standStill();
    await eventually("the other to have it", () => begin(other.pool, "cos works", async () => undefined));
    await eventually("the loss to be heard", async () => signal.aborted);
  });

  expect([taken, heard]).toEqual([[false], [false]]);
  await begin(paused.pool, "cos works", work);
  await work();
  expect((await paused.db.execute(sql`select 1 as alive`)).rows).toEqual([{ alive: 1 }]);
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
    standStill();
    await other.db.execute(sql`update rows set words = words || 'other '`);
  });

  expect(limit.rows).toEqual([{ idle_in_transaction_session_timeout: "10min" }]);
  expect((await other.db.execute(sql`select words from rows`)).rows).toEqual([{ words: "other paused " }]);
});
