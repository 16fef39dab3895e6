import { expect, it, onTestFinished } from "vitest";
import { setImmediate } from "node:timers/promises";
import pg from "pg";
import { type MachineClock, openClock } from "../../src/db/clock.ts";
import { freshDatabase } from "../fakes/database.ts";

/** Machines whose clocks differ by minutes tell the same time: that of their database. */

async function pool(): Promise<pg.Pool> {
  const database = await freshDatabase();
  const opened = new pg.Pool({ connectionString: database.url });
  // A connection may still be closing when its database is dropped.
  opened.on("error", () => undefined);
  onTestFinished(async () => {
    await opened.end();
    await database.drop();
  });
  return opened;
}

const minute = 60_000;

/** This machine, with a clock that is off. */
function machine(offMs: () => number): MachineClock {
  return { wall: () => Date.now() + offMs(), steady: () => performance.now() };
}

it("a goal that a machine makes due now is due now on one whose clock is twenty minutes behind it [F-605]", async () => {
  const database = await pool();
  const ahead = openClock(
    database,
    machine(() => 10 * minute),
  );
  const behind = openClock(
    database,
    machine(() => -10 * minute),
  );
  expect(ahead.now().getTime() - behind.now().getTime()).toBeGreaterThan(19 * minute);

  await ahead.look();
  await behind.look();

  expect(Math.abs(ahead.now().getTime() - behind.now().getTime())).toBeLessThan(3_000);
  const { rows } = await database.query<{ now: Date }>("select clock_timestamp() as now");
  expect(Math.abs((rows[0]?.now.getTime() ?? 0) - behind.now().getTime())).toBeLessThan(3_000);
});

it("a clock that is right is left alone, and one that is set right again, too; without an answer what is known stays", async () => {
  const began = 1_000_000_000_000;
  let offMs = 0;
  const answers: (number | null)[] = [began + 700, began + 90_000, null, began + 90_000];
  const asked = async () => {
    const now = answers.shift();
    if (now == null) throw new Error("the database is away");
    return { rows: [{ now }] };
  };
  // Only what it asks of a pool.
  const clock = openClock({ query: asked } as unknown as pg.Pool, { wall: () => began + offMs, steady: () => 0 });
  const seen: number[] = [];
  for (let looks = 0; looks < 4; looks += 1) {
    if (looks === 3) offMs = 90_000;
    await clock.look();
    seen.push(clock.now().getTime() - began);
  }
  expect(seen).toEqual([0, 90_000, 90_000, 90_000]);
});

it.each([
  ["a day on", 24 * 60 * minute],
  ["a week on", 7 * 24 * 60 * minute],
  ["a day back", -24 * 60 * minute],
])("a machine's clock that is set %s changes no time, not even until the next look", async (_, setMs) => {
  const database = await pool();
  let offMs = 0;
  const clock = openClock(
    database,
    machine(() => offMs),
  );
  await clock.look();
  const before = clock.now().getTime();

  offMs = setMs;
  const atOnce = clock.now().getTime() - before;
  await clock.look();
  const later = clock.now().getTime() - before;

  expect(Math.abs(atOnce)).toBeLessThan(minute);
  expect(Math.abs(later)).toBeLessThan(minute);
});

it("a machine that slept asks what time it is as soon as anybody wants to know", async () => {
  const began = 1_000_000_000_000;
  let asleepMs = 0;
  const asked = async () => ({ rows: [{ now: began + asleepMs }] });
  const clock = openClock({ query: asked } as unknown as pg.Pool, { wall: () => began + asleepMs, steady: () => 0 });
  await clock.look();

  asleepMs = 8 * 60 * minute;
  clock.now();
  await setImmediate();

  expect(clock.now().getTime() - began).toBe(8 * 60 * minute);
});

it("a database that is away is asked once a second by a clock that was set, however often the time is read", async () => {
  let questions = 0;
  let steadyMs = 0;
  let setMs = 0;
  const asked = async (): Promise<{ rows: { now: number }[] }> => {
    questions += 1;
    throw new Error("the database is away");
  };
  // Only what it asks of a pool.
  const clock = openClock({ query: asked } as unknown as pg.Pool, {
    wall: () => 1_000_000_000_000 + steadyMs + setMs,
    steady: () => steadyMs,
  });
  setMs = minute;

  for (const ms of [0, 0, 500, 1_000, 1_500, 2_000]) {
    steadyMs = ms;
    clock.now();
    await setImmediate();
  }

  expect(questions).toBe(3);
});
