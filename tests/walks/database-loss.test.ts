import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openDoorbell } from "../../src/queue.ts";
import { type Bot, cos, eventually, type Place, startBot } from "../fakes/bot.ts";
import { type OwnPostgres, ownPostgres } from "../fakes/postgres.ts";
import { makeRepository } from "../fakes/repository.ts";

/** A real bot whose database breaks under it while goals are at work (D8). */

let server: OwnPostgres;
let place: Place;
let bot: Bot;
let control: pg.Client;

beforeAll(async () => {
  server = await ownPostgres();
});
afterAll(() => server.close());

beforeEach(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "cos-loss-"));
  await connect();
  await control.query("drop schema if exists cos, cos_migrations, bullmq cascade");
  place = { databaseUrl: server.url, dataDir };
});
afterEach(async () => {
  bot.kill("SIGKILL");
  await bot.exited;
  await control.end();
  await rm(place.dataDir, { recursive: true, force: true });
});

async function connect(): Promise<void> {
  control = new pg.Client({ connectionString: server.url, application_name: "the test" });
  control.on("error", () => undefined);
  await control.connect();
}

interface Health {
  readonly status: string;
  readonly db: string;
}

async function health(): Promise<Health & { readonly code: number }> {
  const response = await fetch(`${bot.url}/healthz`);
  return { ...((await response.json()) as Health), code: response.status };
}

const outsideFile = () => join(place.dataDir, "outside.txt");

/** Two repositories, so that two goals are worked at once; each goal also leaves a line outside of its worktree. */
async function startGoals(each: number, seconds: number): Promise<void> {
  await writeFile(outsideFile(), "");
  for (const name of ["left", "right"]) {
    const path = await makeRepository(join(place.dataDir, name), { "a.txt": "a\n" });
    await cos(place, "repo", "add", path, "--name", name, "--setup", "");
    const goals = Array.from({ length: each }, (_, index) => ({
      text: `${name}-${index}`,
      run: `sleep ${seconds}; echo ${name}-${index} >> ${outsideFile()}; echo ${index} > ${index}.txt`,
    }));
    await writeFile(join(place.dataDir, "goals.json"), JSON.stringify(goals));
    await cos(place, "goal", "add", "--from", join(place.dataDir, "goals.json"), "--repo", name);
    await cos(place, "autopilot", "start", "--repo", name);
  }
  bot = await startBot({ ...place, environment: { COS_PARALLEL: "2" } });
}

async function count(statement: string): Promise<number> {
  return (await control.query(statement)).rowCount ?? 0;
}

/** Every goal is complete, none of them at the cost of an attempt, and nobody was asked. */
async function expectAllComplete(goals: number): Promise<void> {
  await eventually(
    "every goal to end",
    async () => (await count("select 1 from cos.goals where status = 'complete'")) === goals,
  ).catch(async (error: unknown) => {
    const { rows } = await control.query("select goal_id, status, phase, turn, interruptions, outcome from cos.goals");
    throw new Error(`${JSON.stringify(rows, null, 1)}\n${bot.output().slice(-3000)}`, { cause: error });
  });
  expect(await count(`select 1 from cos.attempts where "end" <> 'passed'`)).toBe(0);
  expect(await count("select 1 from cos.checkpoints")).toBe(0);
  const ran = (await readFile(outsideFile(), "utf8")).trim().split("\n").sort();
  expect(new Set(ran).size).toBe(goals);
}

/** BullMQ's own workers take what rings: nothing else empties its table. */
async function expectQueueWorks(): Promise<void> {
  const doorbell = openDoorbell({ databaseUrl: server.url, redisUrl: null, onError: () => undefined });
  await doorbell.ring("run-goal");
  await doorbell.ring("read-replies");
  const unheard = "select 1 from bullmq.job where state not in ('completed', 'failed')";
  await eventually("the bells to be heard", async () => (await count(unheard)) === 0);
  await doorbell.close();
}

describe("connections that end", () => {
  it("[F-101] two hundred times, at random, with goals at work: the bot lives and every goal ends", async () => {
    await startGoals(4, 3);
    await bot.event((event) => event.msg === "agent.started");

    let ended = 0;
    while (ended < 200) {
      for (let round = 0; round < 10; ) {
        const { rows } = await control.query<{ gone: boolean }>(
          `select pg_terminate_backend(pid) as gone from (
             select pid from pg_stat_activity
             where pid <> pg_backend_pid() and backend_type = 'client backend' and datname = current_database()
             order by random() limit 1) as victim`,
        );
        if (rows[0]?.gone === true) round += 1;
      }
      ended += 10;
      await eventually("health", async () => (await health()).db === "ok");
    }

    await expectAllComplete(8);
    await expectQueueWorks();
    expect(await health()).toMatchObject({ code: 200, status: "ok" });
  });
});

describe("a server that goes away", () => {
  it("[F-101] [F-113] and comes back, restarted and then elsewhere: health says so, goals go on, the queue works", async () => {
    await startGoals(2, 8);
    await bot.event((event) => event.msg === "agent.started");

    for (const how of ["fast", "kill"] as const) {
      const from = bot.events.length;
      await server.stop(how);
      await bot.event((event) => event.msg === "database.away", from);
      expect(await health()).toMatchObject({ code: 503, status: "degraded" });
      await server.start(how === "kill" ? "elsewhere" : undefined);
      await bot.event((event) => event.msg === "database.back", from);
      await connect();
      await expectQueueWorks();
    }

    await expectAllComplete(4);
    expect(await health()).toMatchObject({ code: 200, status: "ok" });
  });

  it("[F-113] is one line when it begins and one when it ends, with the reason in words and no statement", async () => {
    await startGoals(1, 30);
    await bot.event((event) => event.msg === "agent.started");
    const from = bot.events.length;

    await server.stop("fast");
    await bot.event((event) => event.msg === "database.away", from);
    const page = fetch(`${bot.url}/goals`, { headers: { authorization: `Bearer ${await token()}` } });
    const lasting = await eventually("ticks and renewals to fail", async () => {
      const now = await health();
      return / \((1[2-9]|[2-9]\d) s\)/.test(now.db) && now;
    });
    const shown = await page;
    const doctor = await cos(place, "doctor");
    await server.start();
    await bot.event((event) => event.msg === "database.back", from);
    await connect();

    const where = `127.0.0.1:${server.proxy.port}`;
    const advice = "Check that PostgreSQL runs there and that DATABASE_URL is right.";
    expect(lasting.db).toMatch(new RegExp(`^away since [-0-9]+ [0-9:]+ \\(\\d+ s\\): .*${where}.*${advice}$`));
    const troubles = bot.events.slice(from).filter((event) => event.level >= 40);
    expect(troubles.map((event) => event.msg)).toEqual(["database.away", "database.back"]);
    expect(troubles[0]).toMatchObject({ reason: expect.stringContaining(where), advice });
    expect(troubles[1]?.forSeconds).toBeGreaterThanOrEqual(12);
    expect(bot.output().slice(0)).not.toMatch(/Failed query|select .* from/);
    expect(shown.status).toBe(503);
    expect(await shown.text()).toContain("nothing was changed");
    expect(doctor.code).toBe(0);
    const findings = doctor.json<{ name: string; ok: boolean; says: string }[]>();
    expect(findings.find((finding) => finding.name === "database")).toMatchObject({ ok: false });
    expect(findings.map((finding) => finding.says).join("\n")).not.toMatch(/select/i);
  });
});

async function token(): Promise<string> {
  return (await readFile(join(place.dataDir, "console-token"), "utf8")).trim();
}
