import { type Profiler, Session } from "node:inspector/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { runGoals } from "../../jobs/run-goal.ts";
import { parseConfig } from "../../src/config.ts";
import { startConsole } from "../../src/console/server.ts";
import type { Deps } from "../../src/deps.ts";
import { openLog } from "../../src/log.ts";
import { processIdentity } from "../../src/turns/shared/process-identity.ts";
import { openWorld } from "../../src/world.ts";
import { makeDataDir, removeDataDir } from "../data-dir.ts";
import { call, makeRepository } from "../engine.ts";
import { projectDir } from "./source.ts";

/** Files of `src` and `jobs` in which a function ran, in the order of their names; cards' words and the log apart. */
export interface Walks {
  /** From the form on the console to its answer. */
  readonly click: readonly string[];
  /** From the claim of a goal that was approved until it is complete: real git, its own command as the executor. */
  readonly goal: readonly string[];
}

/** Takes both walks in this process, on an embedded PostgreSQL in a temporary folder, while V8 counts what is called. */
export async function takeWalks(): Promise<Walks> {
  const dataDir = await makeDataDir("cos-shape");
  const parsed = parseConfig({ COS_DATA_DIR: dataDir, COS_TIMEZONE: "UTC", PORT: "0" });
  if (parsed.type === "invalid") throw new Error(parsed.problems.join("; "));
  const world = await openWorld(parsed.config, openLog("silent"), {
    listens: false,
    serves: true,
    mayStart: true,
    onProgress: () => undefined,
  });
  try {
    return await walksIn({ ...world.deps, ring: async () => undefined }, dataDir);
  } finally {
    await world.close();
    await removeDataDir(dataDir);
  }
}

async function walksIn(deps: Deps, dataDir: string): Promise<Walks> {
  const worker = { leasedBy: processIdentity(deps.config.machine), shutdown: new AbortController().signal };
  const work = () => runGoals(deps, worker);
  const press = await pressable(deps);
  const counting = await startCounting();
  try {
    const repository = join(dataDir, "repository");
    await makeRepository(repository, { "README.md": "A repository.\n" });
    await call(deps, "repo", "add", repository, "--setup", "");
    // The first of two is not looked at: what is loaded or opened once belongs to no walk.
    await askOne(deps, work);
    await press.proceed(await openQuestion(deps));
    await work();
    const goalId = await askOne(deps, work);
    const question = await openQuestion(deps);
    const click = await counting.during(() => press.proceed(question));
    const goal = await counting.during(work);
    const ended = (await call(deps, "goal", "show", goalId)) as { status: string };
    if (ended.status !== "complete") throw new Error(`the goal's walk ended as ${ended.status}`);
    return { click, goal };
  } finally {
    await counting.stop();
    await press.stop();
  }
}

/** A goal that was asked about; its id. */
async function askOne(deps: Deps, work: () => Promise<void>): Promise<string> {
  const { goalId } = (await call(
    deps,
    "goal",
    "add",
    "Make it blue",
    "--run",
    "echo $COS_RUN > a.txt",
    "--tag",
    "ui",
  )) as {
    goalId: string;
  };
  await call(deps, "autopilot", "start");
  await work();
  return goalId;
}

async function openQuestion(deps: Deps): Promise<string> {
  const [open] = (await call(deps, "checkpoints")) as { checkpointId: string; version: number }[];
  if (open === undefined) throw new Error("nothing was asked");
  return `${open.checkpointId}.${open.version}`;
}

/** The console, and a browser's form on it. */
async function pressable(deps: Deps): Promise<{ proceed(id: string): Promise<void>; stop(): Promise<void> }> {
  const token = "only-for-this-walk";
  const health = { db: "ok", isDatabaseAway: false, queue: "postgres", space: "ok", platforms: {} };
  const console = await startConsole(deps, { token, health: async () => health });
  const opened = await fetch(`${console.url}/?token=${token}`, { redirect: "manual" });
  const headers = { cookie: (opened.headers.get("set-cookie") ?? "").split(";")[0] ?? "", origin: console.url };
  const shown = await (await fetch(`${console.url}/`, { headers })).text();
  const csrf = /name="csrf" value="([^"]+)"/.exec(shown)?.[1] ?? "";
  return {
    async proceed(id) {
      const body = new URLSearchParams({ csrf, id, choice: "proceed", back: "/" });
      const pressed = await fetch(`${console.url}/answer`, { method: "POST", headers, body, redirect: "manual" });
      if (pressed.status !== 303) throw new Error(`the console answered ${pressed.status}: ${await pressed.text()}`);
    },
    stop: () => console.stop(),
  };
}

/** V8's own count of calls, function by function. */
async function startCounting(): Promise<{
  during(walk: () => Promise<void>): Promise<string[]>;
  stop(): Promise<void>;
}> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  return {
    async during(walk) {
      await session.post("Profiler.takePreciseCoverage");
      await walk();
      const { result } = await session.post("Profiler.takePreciseCoverage");
      return result.filter(ran).flatMap(fileOf).sort();
    },
    async stop() {
      await session.post("Profiler.stopPreciseCoverage");
      session.disconnect();
    },
  };
}

/** Whether a function of it was called: what runs while a file is loaded is none. */
function ran({ functions }: Profiler.ScriptCoverage): boolean {
  return functions.some(({ ranges: [whole] }) => whole !== undefined && whole.startOffset > 0 && whole.count > 0);
}

function fileOf({ url }: Profiler.ScriptCoverage): string[] {
  if (!url.startsWith("file:")) return [];
  const file = relative(projectDir, fileURLToPath(new URL(url.replace(/\?.*$/, ""))));
  const isOfProduct = /^(src|jobs)\/.*\.ts$/.test(file) && !file.startsWith("src/core/cards/") && file !== "src/log.ts";
  return isOfProduct ? [file] : [];
}
