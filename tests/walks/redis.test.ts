import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type Bot, cos, eventually, type Place, startBot } from "../fakes/bot.ts";
import { type FreshDatabase, freshDatabase } from "../fakes/database.ts";
import { makeRepository } from "../fakes/repository.ts";

function isInstalled(): boolean {
  try {
    execFileSync("redis-server", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
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

  it("takes one goal from add to complete", async () => {
    database = await freshDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), "cos-redis-"));
    const port = await freePort();
    redis = spawn("redis-server", ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", dataDir], {
      stdio: "ignore",
    });
    place = { databaseUrl: database.url, dataDir, environment: { REDIS_URL: `redis://127.0.0.1:${port}` } };
    await cos(place, "repo", "add", await makeRepository(join(dataDir, "person"), { "a.txt": "a\n" }), "--setup", "");
    const { goalId } = (await cos(place, "goal", "add", "Go", "--run", "echo b > b.txt")).json<{ goalId: string }>();
    bot = await startBot(place);

    await cos(place, "autopilot", "start");
    const claimed = await bot.event((event) => event.msg === "goal.claimed");
    await eventually(
      "complete",
      async () => (await cos(place, "goal", "show", goalId)).json<{ status: string }>().status === "complete",
    );

    expect(claimed.goalId).toBe(goalId);
    const health = (await (await fetch(`${bot.url}/healthz`)).json()) as { queue: string };
    expect(health.queue).toBe("redis");
  });
});
