import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterEach, describe, expect, it } from "vitest";
import { type Bot, cos, eventually, type Place, startBot } from "../fakes/bot.ts";
import { type FreshDatabase, freshDatabase } from "../fakes/database.ts";
import { freePort } from "../fakes/port.ts";
import { makeRepository } from "../fakes/repository.ts";

function isInstalled(): boolean {
  try {
    execFileSync("redis-server", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(!isInstalled())("the queue on Redis", () => {
  let database: FreshDatabase;
  let place: Place;
  let redis: ChildProcess;
  let bot: Bot | null = null;

  afterEach(async () => {
    bot?.kill("SIGKILL");
    redis.kill("SIGKILL");
    await database.drop();
    await rm(place.dataDir, { recursive: true, force: true });
  });

  function startRedis(port: number): void {
    const { dataDir } = place;
    redis = spawn("redis-server", ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", dataDir], {
      stdio: "ignore",
    });
  }

  async function begin(): Promise<number> {
    database = await freshDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), "cos-redis-"));
    const port = await freePort();
    place = { databaseUrl: database.url, dataDir, environment: { REDIS_URL: `redis://127.0.0.1:${port}` } };
    startRedis(port);
    await cos(place, "repo", "add", await makeRepository(join(dataDir, "person"), { "a.txt": "a\n" }), "--setup", "");
    return port;
  }

  async function health(): Promise<{ status: string; queue: string }> {
    return (await (await fetch(`${bot?.url}/healthz`)).json()) as { status: string; queue: string };
  }

  it("takes one goal from add to complete", async () => {
    await begin();
    const { goalId } = (await cos(place, "goal", "add", "Go", "--run", "echo b > b.txt")).json<{ goalId: string }>();
    bot = await startBot(place);

    await cos(place, "autopilot", "start");
    const claimed = await bot.event((event) => event.msg === "goal.claimed");
    await eventually(
      "complete",
      async () => (await cos(place, "goal", "show", goalId)).json<{ status: string }>().status === "complete",
    );

    expect(claimed.goalId).toBe(goalId);
    expect((await health()).queue).toBe("redis");
  });

  it("[F-101] [F-113] that goes away: commands answer, goals go on by the tick, one line says so, and it is used again", async () => {
    const port = await begin();
    bot = await startBot(place);

    redis.kill("SIGKILL");
    await bot.event((event) => event.msg === "queue.away");
    const away = await health();
    const added = await cos(place, "goal", "add", "Go", "--run", "echo b > b.txt");
    const { goalId } = added.json<{ goalId: string }>();
    const started = await cos(place, "autopilot", "start");
    await eventually(
      "complete",
      async () => (await cos(place, "goal", "show", goalId)).json<{ status: string }>().status === "complete",
    );
    startRedis(port);
    await bot.event((event) => event.msg === "queue.back");

    expect([added.code, started.code]).toEqual([0, 0]);
    expect(away.queue).toContain(`nothing listens at 127.0.0.1:${port}. Check that Redis runs there`);
    await eventually("health", async () => (await health()).status === "ok");
    const troubles = bot.events.filter((event) => event.level >= 40).map((event) => event.msg);
    expect(troubles.filter((event) => event !== "queue.still-away")).toEqual(["queue.away", "queue.back"]);
  });

  it("that loses all it knew while a goal is worked: the session goes on, and there is nothing to say", async () => {
    const port = await begin();
    const gate = join(place.dataDir, "gate");
    const run = (name: string) => `until [ -e ${gate} ]; do sleep 0.1; done; echo b > ${name}.txt`;
    const add = async (name: string) =>
      (await cos(place, "goal", "add", name, "--run", run(name))).json<{ goalId: string }>().goalId;
    const goalIds = [await add("one"), await add("two")];
    bot = await startBot(place);
    await cos(place, "autopilot", "start");
    await bot.event(({ msg }) => msg === "agent.started");

    const client = new Redis(port, "127.0.0.1");
    await client.flushall();
    client.disconnect();
    await writeFile(gate, "");

    for (const goalId of goalIds) await bot.event((event) => event.msg === "turn.over" && event.goalId === goalId);
    expect(bot.events.filter(({ level }) => level >= 40)).toEqual([]);
  });
});
