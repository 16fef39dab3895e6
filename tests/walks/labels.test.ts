import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Bot, cos, eventually, type Place, startBot, startWorker, type WorkerProcess } from "../fakes/bot.ts";
import { freshDatabase, type FreshDatabase } from "../fakes/database.ts";
import { makeRepository } from "../fakes/repository.ts";

/** Workers that can do different things, each a process of its own. */

let folder: string;
let database: FreshDatabase;
let place: Place;
let bot: Bot;
const workers: WorkerProcess[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cos-labels-"));
  database = await freshDatabase();
  place = { databaseUrl: database.url, dataDir: join(folder, "bot"), environment: { COS_ROLES: "bot" } };
  bot = await startBot(place);
});
afterEach(async () => {
  bot.kill("SIGTERM");
  await Promise.all([...workers.splice(0).map((worker) => worker.stop()), bot.exited]);
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function worker(labels: string): Promise<WorkerProcess> {
  const dataDir = join(folder, `worker-${labels}`);
  const started = await startWorker({ databaseUrl: database.url, dataDir, environment: { COS_LABELS: labels } });
  workers.push(started);
  return started;
}

const called = async <Value>(...words: string[]): Promise<Value> => (await cos(place, ...words)).json<Value>();
const claimedBy = (of: WorkerProcess) =>
  of.lines().flatMap(({ msg, goalId }) => (msg === "goal.claimed" ? [goalId ?? ""] : []));

async function goalIn(name: string, ...options: string[]): Promise<string> {
  const path = await makeRepository(join(folder, name), { "README.md": "x\n" });
  await called("repo", "add", path, "--setup", "", ...options);
  const added = await called<{ goalId: string }>(
    "goal",
    "add",
    `Work in ${name}`,
    "--run",
    "echo a > a.txt",
    "--repo",
    name,
  );
  await called("autopilot", "start", "--repo", name);
  return added.goalId;
}

async function ended(goalId: string): Promise<void> {
  await eventually(
    `the end of ${goalId}`,
    async () => (await called<{ status: string }>("goal", "show", goalId)).status === "complete",
  );
}

async function shownOf(goalId: string): Promise<string> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query("select card from cos.messages where subject = $1", [goalId]);
  await client.end();
  return JSON.stringify(rows);
}

it("[F-605] a goal is worked only by a worker that has every label of its repository; until one runs that is said", async () => {
  const first = await worker("gpu");
  const special = await goalIn("models", "--label", "gpu", "--label", "mac");
  const plain = await goalIn("plain");
  await ended(plain);

  expect(claimedBy(first)).toEqual([plain]);
  expect((await called<{ status: string }>("goal", "show", special)).status).toBe("pending");
  const doctor = await called<{ name: string; ok: boolean; says: string }[]>("doctor");
  expect(doctor.find(({ name }) => name === "workers for models")).toEqual({
    name: "workers for models",
    ok: false,
    says: "no worker that runs has the label mac: its goals wait. What to do: start one with COS_LABELS=gpu,mac, or cos repo edit models --label ''",
  });
  expect(await shownOf(special)).toContain("no worker that runs has the label mac.");
  const waiting = await goalIn("later", "--label", "mac");

  const second = await worker("mac,gpu");
  await ended(special);

  await ended(waiting);
  expect(claimedBy(first)).toEqual([plain]);
  expect(claimedBy(second).sort()).toEqual([special, waiting].sort());
  expect(await shownOf(special)).not.toContain("no worker");
  const after = await called<{ name: string }[]>("doctor");
  expect(after.filter(({ name }) => name === "workers for models")).toEqual([]);
  // One that has ended counts no more.
  expect(await second.stop()).toBe(0);
  workers.splice(workers.indexOf(second), 1);
  const left = await called<{ name: string; ok: boolean }[]>("doctor");
  expect(left.find(({ name }) => name === "workers for models")?.ok).toBe(false);
});

it("[F-605] a label that is none is refused", async () => {
  const path = await makeRepository(join(folder, "models"), { "README.md": "x\n" });

  const refused = await cos(place, "repo", "add", path, "--label", "two words");

  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('the label "two words"') as string]);
});
