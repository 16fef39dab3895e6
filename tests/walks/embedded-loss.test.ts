import { existsSync, renameSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { embeddedPlaces } from "../../src/db/embedded/places.ts";
import { readState } from "../../src/db/embedded/state.ts";
import { type Bot, cos, eventually, type Place, startBot } from "../fakes/bot.ts";
import { cleanUp, dataDirectory, serversOf, supervisorsOf } from "../fakes/embedded.ts";
import { makeRepository } from "../fakes/repository.ts";

/** A real bot on the embedded PostgreSQL, whose server dies under it (D31). */

let place: Place;
let bot: Bot;

// Process tables are read from /proc.
describe.skipIf(process.platform !== "linux")("a bot whose embedded server dies", () => {
  beforeEach(async () => {
    place = { databaseUrl: "", dataDir: dataDirectory({ mode: 0o711 }) };
    bot = await startBot(place);
  });
  afterEach(async () => {
    bot.kill("SIGKILL");
    await bot.exited;
    await cleanUp();
  });

  async function health(): Promise<{ readonly db: string }> {
    return (await (await fetch(`${bot.url}/healthz`)).json()) as { db: string };
  }

  function killServer(): void {
    for (const pid of serversOf(place.dataDir)) process.kill(pid, "SIGKILL");
  }

  it("[F-101] by kill -9, again and again with a goal at work: it is started again, and the goal ends", async () => {
    const path = await makeRepository(join(place.dataDir, "person"), { "a.txt": "a\n" });
    await cos(place, "repo", "add", path, "--setup", "");
    const go = join(place.dataDir, "go");
    const added = await cos(
      place,
      "goal",
      "add",
      "Go",
      "--run",
      `until [ -e ${go} ]; do sleep 0.1; done; echo b > b.txt`,
    );
    const { goalId } = added.json<{ goalId: string }>();
    await cos(place, "autopilot", "start");
    await bot.event((event) => event.msg === "agent.started");

    for (let times = 0; times < 3; times += 1) {
      const [before] = serversOf(place.dataDir);
      killServer();
      await eventually("another server", async () => serversOf(place.dataDir).some((pid) => pid !== before));
      await eventually("health", async () => (await health()).db === "ok");
    }
    writeFileSync(go, "");

    await eventually(
      "the goal to end",
      async () => (await cos(place, "goal", "show", goalId)).json<{ status: string }>().status === "complete",
    );
    const why = (await cos(place, "goal", "show", goalId)).json<{ errorCount: number }>();
    expect(why.errorCount).toBe(0);
  });

  it("[F-101] [F-113] and cannot be started: health says why, and it comes back as soon as it can", async () => {
    const { insideCluster, outsideCluster } = embeddedPlaces(place.dataDir);
    const cluster = existsSync(insideCluster) ? insideCluster : outsideCluster;
    const control = join(cluster, "global", "pg_control");

    renameSync(control, `${control}.away`);
    killServer();
    const away = await eventually("the reason", async () => {
      const now = await health();
      return now.db.includes("cannot be started") && now;
    });
    renameSync(`${control}.away`, control);
    await eventually("the database", async () => (await health()).db === "ok");

    expect(away.db).toContain("the embedded PostgreSQL cannot be started");
    expect(away.db).toContain("pg_control");
    const troubles = bot.events.filter((event) => event.level >= 50).map((event) => event.msg);
    expect(troubles.filter((event) => event === "database.away")).toEqual(["database.away"]);
  });

  it("[F-101] [F-113] and comes back at another port: health says to start the bot again", async () => {
    const port = readState(embeddedPlaces(place.dataDir))?.port ?? 0;
    const [supervisor] = supervisorsOf(place.dataDir);
    process.kill(supervisor ?? 0, "SIGSTOP");
    killServer();
    const squatter = await eventually("the port", () => listen(port));
    process.kill(supervisor ?? 0, "SIGCONT");

    const moved = await eventually("the word of it", async () => {
      const now = await health();
      return now.db.includes("another address") && now;
    });
    squatter.close();

    expect(moved.db).toContain("npm start");
    expect((await cos(place, "goals")).code).toBe(0);
  });
});

function listen(port: number): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", () => resolve(null));
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}
