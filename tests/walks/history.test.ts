import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { fillHistory } from "../../bench/history/fill.ts";
import { consoleOf, type TestConsole } from "../fakes/console.ts";
import { oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { type Executed, explainedUrl, hearPlans } from "../fakes/plans.ts";
import { agentRepository } from "../fakes/scripted.ts";
import { ana, type SlackWorld, slackWorld } from "../fakes/slack/world.ts";

/** The same day in the life of two bots: one that has worked for a month, and one that has for ten times as long. */

const isFull = process.env["COS_TEST_FULL"] === "1";
const finished = isFull ? 100_000 : 20_000;

/** Tables that do not grow while the bot works: what a person made known, and set. */
const small = new Set(["repositories", "schedules", "readers", "counts"]);

/** A statement with the most that any of its executions touched. */
interface Most {
  readonly buffers: number;
  readonly rows: number;
  readonly descents: number;
  readonly written: number;
  readonly scanned: ReadonlySet<string>;
  readonly plan: unknown;
}

let young: ReadonlyMap<string, Most>;
let old: ReadonlyMap<string, Most>;

beforeAll(async () => {
  young = mostOf(await dayAfter(finished / 10));
  old = mostOf(await dayAfter(finished));
});

function mostOf(executed: readonly Executed[]): Map<string, Most> {
  const found = new Map<string, Most>();
  for (const { statement, scanned, ...each } of executed) {
    const most = found.get(statement);
    found.set(statement, {
      buffers: Math.max(each.buffers, most?.buffers ?? 0),
      rows: Math.max(each.rows, most?.rows ?? 0),
      descents: Math.max(each.descents, most?.descents ?? 0),
      written: Math.max(each.written, most?.written ?? 0),
      scanned: new Set([...(most?.scanned ?? []), ...scanned]),
      plan: each.buffers >= (most?.buffers ?? 0) ? each.plan : most?.plan,
    });
  }
  return found;
}

/** Every statement of a day after so much history. */
async function dayAfter(ended: number): Promise<readonly Executed[]> {
  const world = await slackWorld({
    policy: oneAttempt,
    environment: { PORT: "0" },
    through: async (databaseUrl) => explainedUrl(databaseUrl),
  });
  const heard = hearPlans(world.deps.database.pool);
  const browser = await consoleOf(world);
  try {
    await world.repository({ "README.md": "x\n", "ac/a.md": criteria });
    await fill(world, ended);
    const from = heard.length;
    await day(world, browser);
    return heard.slice(from);
  } finally {
    await browser.stop();
    await world.close();
  }
}

const criteria =
  "#### AC-1: It holds\n\n**Description:** It holds.\n\n```yaml\nmethod: bash\ncommand: test -f a.txt\npass_condition: exit code 0\n```\n";

async function fill(
  { databaseUrl, deps }: Pick<TestWorld, "databaseUrl" | "deps">,
  ended: number,
  waiting = 60,
): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  try {
    const { rows } = await pool.query<{ repository_id: string }>("select repository_id from cos.repositories");
    const repositoryId = rows[0]?.repository_id ?? "";
    const { channels } = deps;
    await fillHistory(pool, { finished: ended, waiting, parked: 10, repositoryId, channels, now: deps.now() });
  } finally {
    await pool.end();
  }
}

/** What people, turns, ticks, clicks, pages and reports do in two days. */
async function day(world: SlackWorld, browser: TestConsole): Promise<void> {
  const call = async <Value>(...words: string[]) => valueOf<Value>(await world.command(...words));
  const [repository = ""] = (await call<{ name: string }[]>("repo", "list")).map((each) => each.name);
  const add = async (text: string, ...options: string[]) =>
    (await call<{ goalId: string }>("goal", "add", text, "--repo", repository, ...options)).goalId;

  async function look(): Promise<void> {
    await world.tick();
    await world.work();
    await world.show();
    await world.deliver();
  }

  async function readAll(): Promise<void> {
    for (const words of [
      ["plan"],
      ["status"],
      ["status", "--accountability"],
      ["standup"],
      ["weekly"],
      ["weekly", "--report"],
      ["goals"],
      ["goals", "--status", "complete"],
      ["goals", "--search", "nightly"],
      ["checkpoints"],
      ["autopilot", "status"],
      ["campaign", "list"],
      ["schedules"],
      ["doctor"],
    ])
      await call(...words);
    for (const path of [
      "/",
      "/goals",
      "/goals?status=complete",
      "/campaigns",
      "/weekly",
      "/spend",
      "/preferences",
      "/metrics",
      "/healthz",
    ])
      expect((await browser.get(path)).status, path).toBe(200);
  }

  await readAll();
  await look();
  const since = /data-since="(\d+)"/.exec(await (await browser.get("/")).text())?.[1];
  const events = (await browser.get(`/events?since=${since}`)).body?.getReader();
  await events?.read();

  // A session: one goal runs, one is asked about and answered in Slack, one fails and is escalated, one is on top of another.
  const runs = await add("Runs", "--run", "echo a > a.txt", "--criteria", "ac/a.md");
  const asked = await add("Asked", "--run", "echo b > b.txt", "--tag", "ui");
  const fails = await add("Fails", "--run", "false");
  const onTop = await add("On top", "--run", "echo c > c.txt", "--after", runs, "--criteria", "ac/a.md");
  const spare = await add("Spare", "--run", "echo d > d.txt");
  await call("goal", "edit", spare, "--priority", "high");
  const inSession = [runs, asked, fails, onTop, spare].flatMap((goalId) => ["--goal", goalId]);
  await call("autopilot", "start", "--repo", repository, ...inSession);
  await look();
  await world.slack.people.reply(ana, world.slack.message(": Asked"), "make it b.txt");
  await world.slack.people.click(ana, world.slack.message(": Asked"), "proceed");
  await look();
  const [escalation] = (await call<{ checkpointId: string; kind: string }[]>("checkpoints")).filter(
    (each) => each.kind === "escalation",
  );
  await call("escalation", escalation?.checkpointId ?? "");
  await world.slack.people.openHome(ana);
  await readAll();
  world.advance(5 * 60 * 60_000);
  await look();
  await call("answer", escalation?.checkpointId ?? "", "retry");
  await look();
  for (const goalId of [runs, fails]) {
    await call("goal", "show", goalId);
    await call("why", goalId);
    expect((await browser.get(`/goals/${goalId}`)).status).toBe(200);
  }
  await call("diff", runs);
  await call("goal", "skip", fails);
  await look();

  // Branches: merged, taken back, discarded, and all in a row.
  await call("goal", "merge", runs);
  await call("goal", "undo", runs);
  await call("goal", "merge", runs);
  world.advance(60_000);
  await look();
  await call("goal", "discard", spare);
  await call("merge", "all", "--repo", repository);
  for (let pass = 0; pass < 4; pass += 1) {
    world.advance(60_000);
    await look();
  }

  // An agent works one goal and runs out of tokens in another.
  await agentRepository(world, [
    { match: ["works"], steps: [{ write: { path: "a.txt", content: "b\n" } }, { costUsd: 0.2 }, { say: "Done." }] },
    { match: ["stops"], steps: [{ costUsd: 0.1 }, { say: "no" }, { stop: "max_tokens" }] },
  ]);
  for (const text of ["works", "stops"]) await call("goal", "add", text, "--repo", "person");
  await call("autopilot", "start", "--repo", "person");
  await look();
  await call("autopilot", "pause", "--repo", "person");
  await call("autopilot", "resume", "--repo", "person");
  await call("autopilot", "stop", "--repo", "person");
  await look();

  // A night.
  const nightly = [await add("Nightly", "--run", "echo e > e.txt"), await add("Asks", "--run", "true", "--tag", "ui")];
  await call("night", "--repo", repository, ...nightly.flatMap((goalId) => ["--goal", goalId]));
  await look();
  await call("night", "status");
  await call("night", "end");
  await look();
  // It goes on with what it has begun until somebody stops it.
  await world.command("autopilot", "stop", "--repo", repository);
  await look();

  // A campaign of one day.
  const plan = join(world.dataDir, "plan.md");
  await writeFile(plan, "# Files\n\n## First\n- write f\n  - run: echo f > f.txt\n  - criteria: ac/a.md\n  - day: 1\n");
  const created = ["campaign", "create", "--from", plan, "--repo", repository, "--budget", "7"];
  const { campaignId } = await call<{ campaignId: string }>(...created);
  await call("campaign", "rehearse", campaignId);
  await call("campaign", "start", campaignId);
  await call("campaign", "run", campaignId);
  for (let pass = 0; pass < 3; pass += 1) await look();
  await call("campaign", "status", campaignId);
  expect((await browser.get(`/campaigns/${campaignId}`)).status).toBe(200);

  // The next morning: what is due by the clock, and a page that was away.
  world.advance(24 * 60 * 60_000);
  await look();
  await readAll();
  await events?.cancel();
}

/**
 * What may differ for other reasons than history: versions of rows that nobody has cleared away yet, and the 64 rows that a tally
 * brings together now and then. Both depend on the moment; what grows with history grows by thousands.
 */
const floor = { buffers: 300, rows: 250 };
/** Of an index of that many rows, but for its first page. */
const levels = 2;
/** A row that is written enters each index of its table, and may split a page of each. */
const pagesWritten = 80;

describe("after ten times as much history", () => {
  it("no statement reads a table that grows from end to end [F-602]", () => {
    const scanning = [...old].flatMap(([statement, { scanned, rows }]) =>
      [...scanned].filter((table) => !small.has(table)).map((table) => `${table} (${rows} rows): ${statement}`),
    );
    expect(old.size).toBeGreaterThan(200);
    expect(scanning).toEqual([]);
  });

  it("every statement touches as many pages and rows as before [F-602]", () => {
    const grown = [...old].flatMap(([statement, most]) => {
      const before = young.get(statement);
      if (before === undefined) return [];
      const allowedRows = before.rows * 1.1 + floor.rows;
      // Each row may lie on a page of its own, and each search may go down a tree where it found a page among few before.
      const pages = Math.max(before.buffers, before.rows) + before.written * pagesWritten;
      const allowedBuffers = pages * 1.1 + floor.buffers + most.descents * levels;
      if (most.rows <= allowedRows && most.buffers <= allowedBuffers) return [];
      return [`rows ${before.rows} to ${most.rows}, pages ${before.buffers} to ${most.buffers}: ${statement}`];
    });
    expect([...young.keys()].filter((statement) => old.has(statement)).length).toBeGreaterThan(200);
    expect(grown).toEqual([]);
  });
});

/** What each command and page asks of the database, in a world with so many goals in waiting. */
async function asked(waiting: number): Promise<Record<string, number>> {
  const world = await testWorld({
    environment: { PORT: "0" },
    through: async (databaseUrl) => explainedUrl(databaseUrl),
  });
  const heard = hearPlans(world.deps.database.pool);
  const browser = await consoleOf(world);
  const counts: Record<string, number> = {};
  const count = async (name: string, ask: () => Promise<unknown>): Promise<void> => {
    const from = heard.length;
    await ask();
    counts[name] = heard.length - from;
  };
  try {
    await world.repository();
    await fill(world, 20, waiting);
    for (const name of ["plan", "standup", "status", "goals", "weekly", "checkpoints"])
      await count(name, async () => valueOf(await world.command(name)));
    for (const path of ["/", "/goals", "/weekly", "/spend", "/preferences", "/metrics"])
      await count(path, () => browser.get(path));
    return counts;
  } finally {
    await browser.stop();
    await world.close();
  }
}

describe("with many goals in waiting", () => {
  it("commands and pages ask as many statements as with few [F-603]", async () => {
    const few = await asked(20);

    expect(Object.values(few).every((count) => count > 0)).toBe(true);
    expect(await asked(400)).toEqual(few);
  });

  it("the newest thousand goals are listed, and all are counted [F-602, F-603]", async () => {
    const world = await testWorld();
    try {
      await world.repository();
      await fill(world, 1_300, 5);
      const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "The newest", "--run", "true"));

      const listed = valueOf<{ goalId: string }[]>(await world.command("goals"));
      const { goals } = valueOf<{ goals: Record<string, number> }>(await world.command("status"));
      const { rows } = await world.deps.database.pool.query<{ status: string; number: number }>(
        "select status, count(*)::int as number from cos.goals group by status",
      );

      expect(listed.length).toBe(1_000);
      expect(listed.at(-1)?.goalId).toBe(goalId);
      expect(goals).toMatchObject(Object.fromEntries(rows.map(({ status, number }) => [status, number])));
      expect(Object.values(goals).reduce((sum, number) => sum + number, 0)).toBe(1_300 + 5 + 10 + 1);
    } finally {
      await world.close();
    }
  });
});
