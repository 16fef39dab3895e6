import { EventEmitter, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openDoorbell, startWorkers } from "../src/queue.ts";
import { freshDatabase, type FreshDatabase } from "./fakes/database.ts";

let database: FreshDatabase;
let person: pg.Client;
beforeEach(async () => {
  database = await freshDatabase();
  person = new pg.Client({ connectionString: database.url });
  await person.connect();
});
afterEach(async () => {
  await person.end();
  await database.drop();
});

it("a PostgreSQL that refuses what workers ask is asked again after a rest, and they go on when it answers", async () => {
  const errors: Error[] = [];
  const heard = new EventEmitter();
  const nothing = async () => undefined;
  const handlers = {
    "run-goal": async () => void heard.emit("ring"),
    "retry-goal": nothing,
    "run-campaign-day": nothing,
    "read-replies": nothing,
    reflect: nothing,
  };
  const given = { databaseUrl: database.url, redisUrl: null, onError: (error: Error) => void errors.push(error) };
  const taking = await functionOf("move_to_active");
  await person.query(`alter function ${taking} rename to refused`);
  const workers = await startWorkers(given, handlers, 1);
  const startedAt = performance.now();
  while (errors.length < 8) await sleep(20);
  const perSecond = (1_000 * errors.length) / (performance.now() - startedAt);

  await person.query(`alter function ${await functionOf("refused")} rename to move_to_active`);
  const doorbell = openDoorbell(given);
  const again = once(heard, "ring");
  await doorbell.ring("run-goal");
  await again;
  await doorbell.close();
  await workers.close();

  expect(perSecond).toBeLessThan(3);
});

async function functionOf(name: string): Promise<string> {
  const { rows } = await person.query<{ called: string }>(
    "select oid::regprocedure::text as called from pg_proc where proname = $1 and pronamespace = 'bullmq'::regnamespace",
    [name],
  );
  return rows[0]?.called ?? "";
}
