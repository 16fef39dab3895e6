import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { processesWith } from "../../src/agent/process/orphans.ts";
import { type Bot, cos, eventually, type Place, startBot } from "../fakes/bot.ts";
import { type FreshDatabase, freshDatabase } from "../fakes/database.ts";
import { makeRepository } from "../fakes/repository.ts";

interface Shown {
  status: string;
  runId: string;
  outcome: string | null;
}

describe("ending the bot while a goal is being worked", () => {
  let database: FreshDatabase;
  let place: Place;
  const bots: Bot[] = [];

  beforeEach(async () => {
    database = await freshDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), "cos-shutdown-"));
    place = { databaseUrl: database.url, dataDir };
    const repository = await makeRepository(join(dataDir, "person"), { "a.txt": "a\n" });
    await cos(place, "repo", "add", repository, "--setup", "");
  });
  afterEach(async () => {
    for (const bot of bots.splice(0)) bot.kill("SIGKILL");
    await database.drop();
    await rm(place.dataDir, { recursive: true, force: true });
  });

  async function start(): Promise<Bot> {
    const bot = await startBot(place);
    bots.push(bot);
    return bot;
  }

  async function show(goalId: string): Promise<Shown> {
    return (await cos(place, "goal", "show", goalId)).json<Shown>();
  }

  async function query(text: string, values: readonly string[] = []): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      return (await client.query(text, [...values])).rows;
    } finally {
      await client.end();
    }
  }

  it("SIGTERM, twice at once, ends it cleanly within 10 s, leaves no child, and the goal goes on later", async () => {
    const flag = join(place.dataDir, "go-on");
    const command = `until [ -e ${flag} ]; do sleep 0.2; done; echo done > b.txt`;
    const { goalId } = (await cos(place, "goal", "add", "Wait", "--run", command)).json<{ goalId: string }>();
    const bot = await start();
    await cos(place, "autopilot", "start");
    await bot.event((event) => event.msg === "agent.started");
    const { runId } = await show(goalId);

    // It ends itself with 1 when stopping takes it more than nine seconds.
    bot.kill("SIGTERM");
    bot.kill("SIGTERM");
    const { code } = await bot.exited;
    const left = processesWith("COS_RUN", runId);
    await writeFile(flag, "");
    await start();
    const done = await eventually("complete", async () => {
      const shown = await show(goalId);
      return shown.status === "complete" && shown;
    });

    expect(code).toBe(0);
    expect(left).toEqual([]);
    expect(done.runId).toBe(runId);
  });

  it("a merge that waits for a person's hook keeps no goal from being given back when its terminal is closed", async () => {
    const repository = join(place.dataDir, "person");
    const isPushing = join(place.dataDir, "is-pushing");
    const hook = `#!/bin/sh\ncase "$1" in refs/cos/merging/*) touch ${isPushing}; exec sleep 60 >/dev/null 2>&1;; esac\n`;
    await writeFile(join(repository, ".git/hooks/update"), hook, { mode: 0o755 });
    const first = (await cos(place, "goal", "add", "First", "--run", "echo done > b.txt")).json<{ goalId: string }>();
    const bot = await start();
    await cos(place, "autopilot", "start");
    await eventually("complete", async () => (await show(first.goalId)).status === "complete");
    const second = (await cos(place, "goal", "add", "Second", "--run", "sleep 1000")).json<{ goalId: string }>();
    await cos(place, "autopilot", "start");
    await bot.event((event) => event.msg === "agent.started" && event.goalId === second.goalId);
    expect((await cos(place, "goal", "merge", first.goalId)).code).toBe(0);
    await query("update cos.merges set due_at = now()");
    await eventually("the push waits", async () => existsSync(isPushing));

    bot.kill("SIGHUP");
    const { code } = await bot.exited;

    expect(code).toBe(0);
    expect(bot.events.map(({ msg }) => msg)).toContain("stop.tick-left");
    const held = "select leased_by, interruptions from cos.goals where goal_id = $1";
    expect(await query(held, [second.goalId])).toEqual([{ leased_by: null, interruptions: 0 }]);
  });

  it("stop --now from another process kills the whole group within 5 s and says what was cut", async () => {
    const { goalId } = (await cos(place, "goal", "add", "For ever", "--run", "sleep 1000 & sleep 1000")).json<{
      goalId: string;
    }>();
    const bot = await start();
    await cos(place, "autopilot", "start");
    await bot.event((event) => event.msg === "agent.started");
    const { runId } = await show(goalId);

    const stopped = (await cos(place, "autopilot", "stop", "--now")).json<{ cut: string[] }>();
    await eventually("no process of the run", async () => processesWith("COS_RUN", runId).length === 0);

    expect(stopped.cut).toEqual([goalId]);
    const parked = await eventually("parked", async () => {
      const shown = await show(goalId);
      return shown.status === "blocked" && shown;
    });
    expect(parked.outcome).toContain(`cos goal resume ${goalId}`);
  });
});
