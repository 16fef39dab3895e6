import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Bot, cos, eventually, type Place, startBot } from "../fakes/bot.ts";
import { type OwnPostgres, ownPostgres } from "../fakes/postgres.ts";
import { makeRepository } from "../fakes/repository.ts";
import { scriptedAgent } from "../fakes/scripted.ts";
import type { ShownWorklog } from "./worklog.test.ts";

/** A real bot with a real agent at a STRICT goal, whose database stops in the middle of it, or which is killed there. */

let server: OwnPostgres;
let place: Place;
let bot: Bot;
let control: pg.Client;

beforeAll(async () => {
  server = await ownPostgres();
});
afterAll(() => server.close());

beforeEach(async () => {
  place = { databaseUrl: server.url, dataDir: await mkdtemp(join(tmpdir(), "cos-worklog-")) };
  await connect();
  await control.query("drop schema if exists cos, cos_migrations, bullmq cascade");
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

const sql = async (statement: string) => (await control.query(statement)).rows;
const gate = (name: string) => join(place.dataDir, name);
const open = (name: string) => writeFile(gate(name), "");
/** The agent says that it has come so far, and waits until it may go on. */
const waitsAt = (name: string) => ({
  run: `touch ${gate(`at-${name}`)}; until [ -e ${gate(name)} ]; do sleep 0.1; done`,
});
const plan = (...statuses: string[]) => ({
  plan: statuses.map((status, index) => ({ content: `Step ${index + 1}`, status })),
});
const write = (path: string) => ({ write: { path, content: `${path}\n` } });

/** A STRICT goal that an agent of that script works; returns once the agent waits at its first gate. */
async function begin(steps: readonly object[]): Promise<string> {
  const path = await makeRepository(join(place.dataDir, "person"), { "readme.txt": "x\n" });
  const agent = await scriptedAgent(place.dataDir, [{ steps }]);
  await cos(place, "repo", "add", path, "--name", "person", "--setup", "", "--check", "", "--agent", agent);
  const added = await cos(place, "goal", "add", "Do it", "--repo", "person", "--tier", "STRICT", "--json");
  await cos(place, "autopilot", "start", "--repo", "person");
  bot = await startBot(place);
  await eventually("the agent to wait", async () => existsSync(gate("at-first")));
  return added.json<{ goalId: string }>().goalId;
}

async function ended(goalId: string): Promise<ShownWorklog> {
  await eventually(
    "the worklog to be finished",
    async () => (await sql("select 1 from cos.worklogs where outcome = 'success'")).length === 1,
  ).catch(async (error: unknown) => {
    const goals = await sql("select status, phase, turn, interruptions, outcome from cos.goals");
    throw new Error(`${JSON.stringify(goals)}\n${bot.output().slice(-3000)}`, { cause: error });
  });
  return (await cos(place, "worklog", "show", goalId, "--json")).json<ShownWorklog>();
}

const notices = async () =>
  (await sql("select card->>'title' as title from cos.messages where platform = 'console' order by message_id")).map(
    (row) => String(row.title),
  );
const executions = async () => (await sql("select 1 from cos.timeline where event = 'run.executed'")).length;
const interruptions = async () => (await sql("select 1 from cos.timeline where event = 'goal.interrupted'")).length;

const script = () => [
  plan("in_progress", "pending"),
  write("a.txt"),
  waitsAt("first"),
  plan("completed", "in_progress"),
  write("b.txt"),
  waitsAt("second"),
  plan("completed", "completed"),
  { say: "Done." },
];

describe("PostgreSQL that stops in the middle of a STRICT goal", () => {
  it("for eight seconds: the goal goes on, and what could not be confirmed is said once", async () => {
    const goalId = await begin(script());
    // The lease was renewed just now: what it may miss after that is more than this.
    const [{ until }] = (await sql("select leased_until::text as until from cos.goals")) as [{ until: string }];
    await eventually(
      "the next renewal",
      async () => (await sql("select leased_until::text as until from cos.goals"))[0]?.until !== until,
    );

    const stoppedMs = performance.now();
    await server.stop("fast");
    await open("first");
    await eventually("the agent to go on", async () => existsSync(gate("at-second")));
    await sleep(Math.max(0, 8000 - (performance.now() - stoppedMs)));
    await server.start();
    await connect();
    await open("second");
    const log = await ended(goalId);

    expect([await executions(), await interruptions()]).toEqual([1, 0]);
    expect(log.entries.filter((entry) => entry.action === "Write").map((entry) => entry.details["files"])).toEqual([
      ["a.txt"],
      ["b.txt"],
    ]);
    const said = (await notices()).filter((title) =>
      /Verification timed out|Worklog unavailable|Memory system/.test(title),
    );
    expect(said.length).toBeGreaterThan(0);
    expect(new Set(said).size).toBe(said.length);
  });

  it("until its lease is lost: the goal is interrupted, resumed, and its worklog names the gap", async () => {
    const goalId = await begin(script());
    const from = bot.events.length;

    const stoppedMs = performance.now();
    await server.stop("kill");
    await open("first");
    await bot.event((event) => event.msg === "agent.ended", from);
    if (process.env["COS_TEST_FULL"] !== undefined) await sleep(Math.max(0, 60_000 - (performance.now() - stoppedMs)));
    await server.start();
    await connect();
    await open("second");
    const log = await ended(goalId);

    // Cut by us: no attempt, and nobody was asked (D8).
    expect((await sql("select status from cos.goals"))[0]).toEqual({ status: "complete" });
    expect(await sql("select 1 from cos.checkpoints")).toEqual([]);
    expect(log.gap).toMatch(/could not be stored while the goal was worked|may be missing/);
    expect(log.entries.map((entry) => entry.action)).toContain("Verify");
  });
});

describe("a bot that is killed in the middle of a STRICT goal", () => {
  it("[S0-BF-11] loses fewer than ten entries, and its worklog says that something may be missing", async () => {
    const writes = Array.from({ length: 24 }, (_, index) => write(`f${index}.txt`));
    const goalId = await begin([...writes, waitsAt("first"), plan("completed"), { say: "Done." }]);
    const stored = async () => (await sql("select 1 from cos.worklog_entries where entry->>'action' = 'Write'")).length;
    // Everything that was told before the gate is buffered or written by now or soon: two times ten are written.
    await eventually("what was told to be written", async () => (await stored()) >= 20);

    bot.kill("SIGKILL");
    await bot.exited;
    const kept = await stored();
    await open("first");
    bot = await startBot(place);
    const log = await ended(goalId);

    expect(24 - kept).toBeLessThan(10);
    expect(log.gap).toContain("fewer than ten entries, less than thirty seconds");
    expect(log.outcome).toBe("success");
  });

  // Each is a write that has begun and is not committed when its process is killed.
  it.each([
    ["ten entries", "worklog_entries", "new.entry->>'action' = 'Write'"],
    ["a command that failed", "worklog_entries", "new.entry->>'action' = 'Bash'"],
    ["a plan", "worklog_todos", "true"],
    ["a summary", "worklog_checkpoints", "true"],
    ["the numbers of the day", "worklog_days", "true"],
  ])(
    "while it writes %s: the goal ends, and its worklog has each summary once",
    async (_, table, what) => {
      const statuses = ["completed", "in_progress", "pending"];
      const writes = Array.from({ length: 10 }, (_each, index) => write(`f${index}.txt`));
      const goalId = await begin([
        waitsAt("first"),
        plan(...statuses),
        ...writes,
        { run: "npm test" },
        { say: "Done." },
      ]);
      await control.query("select pg_advisory_lock(7)");
      await control.query(`create function cos.held() returns trigger language plpgsql as $$ begin
      if ${what} then perform pg_advisory_xact_lock(7); end if; return new; end $$`);
      await control.query(`create trigger held before insert on cos.${table} for each row execute function cos.held()`);

      await open("first");
      await eventually(
        "the write to be held",
        async () => (await sql("select 1 from pg_stat_activity where wait_event = 'advisory'")).length > 0,
      );
      bot.kill("SIGKILL");
      await bot.exited;
      await control.query(`drop trigger held on cos.${table}`);
      await control.query("select pg_advisory_unlock(7)");
      bot = await startBot(place);
      const log = await ended(goalId);

      const phases = log.entries
        .filter((entry) => entry.action === "Checkpoint")
        .map(({ details }) => details["phase"]);
      expect(phases).toHaveLength(3);
      expect(new Set(phases)).toEqual(new Set(["execution_complete", "planning_complete", "verification_complete"]));
      expect(log.outcome).toBe("success");
      expect(await sql("select worklogs from cos.worklog_days")).toEqual([{ worklogs: 1 }]);
      const keys = await sql("select key from cos.worklog_entries");
      expect(new Set(keys.map(({ key }) => key)).size).toBe(keys.length);
    },
    400_000,
  );
});
