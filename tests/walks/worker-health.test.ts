import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { eventually, projectDir } from "../fakes/bot.ts";
import { freshDatabase, type FreshDatabase } from "../fakes/database.ts";
import { cleanUp, dataDirectory } from "../fakes/embedded.ts";

/** A process that only works goals says how it is, to whoever started it. */

let folder: string;
let database: FreshDatabase;
const started: { readonly child: ChildProcess; readonly exited: Promise<unknown> }[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cos-worker-"));
  database = await freshDatabase();
});
afterEach(async () => {
  for (const { child } of started) child.kill("SIGTERM");
  await Promise.all(started.splice(0).map(({ exited }) => exited));
  await cleanUp();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Starts a worker alone; what it has printed so far. */
function worker(environment: Readonly<Record<string, string>>): () => string {
  const child = spawn(process.execPath, [join(projectDir, "bin/start.mjs")], {
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      DATABASE_URL: database.url,
      COS_DATA_DIR: join(folder, "data"),
      COS_ISOLATION: "off",
      COS_ROLES: "worker",
      ...environment,
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  started.push({ child, exited: new Promise((resolve) => child.once("exit", resolve)) });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  return () => output;
}

it("[F-606] a worker alone serves its health and metrics where a port was set, and no pages", async () => {
  const output = worker({ PORT: "0" });
  const url = await eventually("health", async () => /Health: (http:\S+)\/healthz/.exec(output())?.[1]);

  const health = await fetch(`${url}/healthz`);
  expect([health.status, await health.json()]).toEqual([
    200,
    { status: "ok", db: "ok", queue: "postgres", space: "ok", platforms: {} },
  ]);
  expect(await (await fetch(`${url}/metrics`)).text()).toContain("cos_");
  expect((await fetch(`${url}/`)).status).toBe(404);

  const taken = worker({ PORT: new URL(url).port });
  await eventually("the next worker", async () => /Health is not served: .*EADDRINUSE/.test(taken()));
  const silent = worker({});
  await eventually("the last worker", async () => silent().includes("Working 1 goal"));
  expect(silent()).not.toMatch(/Health|share it/);
});

it("a worker alone on the embedded database says who shares it", async () => {
  const dataDir = dataDirectory({ mode: 0o711 });
  const output = worker({ DATABASE_URL: "", COS_DATA_DIR: dataDir });
  await eventually("the worker", async () => output().includes("Working 1 goal"));
  expect(output()).toContain("Only processes with this data directory share it: set the bot's DATABASE_URL");
});

it("a repository that COS_REPO names and nobody knows is told at the start", async () => {
  const output = worker({ COS_REPO: "gone" });
  await eventually("the worker", async () => output().includes("Working 1 goal"));
  expect(output()).toContain("COS_REPO names gone, and no repository is called that: cos repo list.");
});
