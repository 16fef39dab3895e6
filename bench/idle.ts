import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { runGoals } from "../jobs/run-goal.ts";
import { parseConfig } from "../src/config.ts";
import type { Deps } from "../src/deps.ts";
import { openLog } from "../src/log.ts";
import { tick } from "../src/tick.ts";
import { processIdentity } from "../src/turns/shared/process-identity.ts";
import { openWorld } from "../src/world.ts";
import { call, makeRepository } from "./engine.ts";
import { readOptions } from "./options.ts";
import { countAnew, countStatements, cpuMs, mostAsked, type Postgres, treeCpuMs, startPostgres } from "./postgres.ts";

/**
 * What the real bot costs while nothing is to be done: `npm run bench:idle`, with `--quick` and `--json`. A PostgreSQL of
 * its own counts the statements, the kernel counts the CPU; first on an empty database, then with 500 goals that were asked
 * about and that nobody answered. Exit 1 above five statements a second or one percent of a core, both processes together.
 */
const limits = { statementsPerSecond: 5, cpuPercent: 1 };

const options = readOptions(
  "npm run bench:idle",
  { quick: "half a minute each, and 50 goals", json: "print the numbers as JSON" },
  {},
);
const isQuick = options.quick;
const measureMs = isQuick ? 30_000 : 120_000;
/** What a start leaves to be compiled and collected is not idleness. */
const settleMs = 45_000;
const parkedGoals = isQuick ? 50 : 500;

const projectDir = join(dirname(fileURLToPath(import.meta.url)), "..");

interface Idle {
  readonly state: string;
  /** Everything that any connection of the bot sent but BEGIN and COMMIT, as the server counted it. */
  readonly statementsPerSecond: number;
  readonly nodeCpuPercent: number;
  readonly postgresCpuPercent: number;
  /** How often the bot's main thread went from sleep to work. */
  readonly wakeUpsPerSecond: number;
  /** Which statements were asked most, with how often in the whole measurement. */
  readonly mostAsked: readonly string[];
}

interface Bot {
  readonly child: ChildProcess;
  readonly pid: number;
}

async function startBot(dataDir: string, databaseUrl: string): Promise<Bot> {
  const child = spawn(process.execPath, [join(projectDir, "bin/start.mjs")], {
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: process.env["HOME"] ?? "",
      COS_DATA_DIR: join(dataDir, "bot"),
      COS_TIMEZONE: "UTC",
      COS_LOG_LEVEL: "warn",
      DATABASE_URL: databaseUrl,
      PORT: "0",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise<void>((resolve, reject) => {
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes("at a time.")) resolve();
    });
    child.once("exit", () => reject(new Error(`the bot ended:\n${output}`)));
  });
  return { child, pid: child.pid ?? 0 };
}

async function stopBot({ child }: Bot): Promise<void> {
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await exited;
}

function wakeUps(pid: number): number {
  const found = /^voluntary_ctxt_switches:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(found?.[1]);
}

async function measure(state: string, dataDir: string, { url, server }: Postgres): Promise<Idle> {
  const bot = await startBot(dataDir, url);
  try {
    await sleep(settleMs);
    await countAnew(url);
    const before = {
      node: cpuMs(bot.pid),
      postgres: treeCpuMs(server.pid),
      wakeUps: wakeUps(bot.pid),
      ms: performance.now(),
    };
    await sleep(measureMs);
    const seconds = (performance.now() - before.ms) / 1000;
    const percentOf = (ms: number) => (ms / 1000 / seconds) * 100;
    return {
      state,
      nodeCpuPercent: percentOf(cpuMs(bot.pid) - before.node),
      postgresCpuPercent: percentOf(treeCpuMs(server.pid) - before.postgres),
      wakeUpsPerSecond: (wakeUps(bot.pid) - before.wakeUps) / seconds,
      statementsPerSecond: (await countStatements(url)) / seconds,
      mostAsked: await mostAsked(url),
    };
  } finally {
    await stopBot(bot);
  }
}

/** Goals that the engine asked about, until nobody had answered in time. The clock that they meet lies behind ours. */
async function park(dataDir: string, databaseUrl: string): Promise<void> {
  const parsed = parseConfig({ COS_DATA_DIR: join(dataDir, "bot"), DATABASE_URL: databaseUrl, COS_TIMEZONE: "UTC" });
  if (parsed.type === "invalid") throw new Error(parsed.problems.join("; "));
  const { config } = parsed;
  const world = await openWorld(config, openLog("silent"), {
    listens: false,
    serves: false,
    mayStart: true,
    onProgress: () => undefined,
  });
  const expireMs = config.policy.checkpoints.expireAfterMs;
  let now = new Date(Date.now() - (parkedGoals + 1) * (expireMs + 60_000));
  const deps: Deps = { ...world.deps, now: () => now, ring: async () => undefined };

  try {
    const repository = join(dataDir, "repository");
    await makeRepository(repository, { "README.md": "A repository.\n" });
    await call(deps, "repo", "add", repository, "--setup", "");
    const goals = Array.from({ length: parkedGoals }, (_, index) => ({
      text: `Park ${index}`,
      run: "true",
      tags: ["ui"],
    }));
    writeFileSync(join(dataDir, "goals.json"), JSON.stringify(goals));
    await call(deps, "goal", "add", "--from", join(dataDir, "goals.json"));
    await call(deps, "autopilot", "start");
    const worker = { leasedBy: processIdentity(config.machine), shutdown: new AbortController().signal };
    while (true) {
      await runGoals(deps, worker);
      const pending = (await call(deps, "goals", "--status", "pending")) as unknown[];
      if (pending.length === 0) break;
      if (process.stderr.isTTY)
        process.stderr.write(`\r${parkedGoals - pending.length} of ${parkedGoals} goals parked `);
      now = new Date(now.getTime() + expireMs + 60_000);
      await tick(deps);
    }
    if (process.stderr.isTTY) process.stderr.write("\n");
    // What is due by now is work, and done before it is quiet.
    now = new Date();
    await tick(deps);
  } finally {
    await world.close();
  }
}

function report(lines: readonly Idle[]): void {
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ limits, lines })}\n`);
    return;
  }
  const row = (cells: readonly string[]): string =>
    cells.map((cell, index) => (index === 0 ? cell.padEnd(20) : cell.padStart(16))).join("");
  const body = lines.map((line) =>
    row([
      line.state,
      line.statementsPerSecond.toFixed(2),
      `${line.nodeCpuPercent.toFixed(2)} %`,
      `${line.postgresCpuPercent.toFixed(2)} %`,
      line.wakeUpsPerSecond.toFixed(1),
    ]),
  );
  const head = row(["idle", "statements/s", "Node", "PostgreSQL", "wake-ups/s"]);
  const allowed = `Allowed: ${limits.statementsPerSecond} statements/s, ${limits.cpuPercent} % of a core for both.`;
  const asked = lines
    .filter((line) => !isWithin(line))
    .flatMap((line) => ["", `Asked most with ${line.state}:`, ...line.mostAsked]);
  process.stdout.write(`${[head, ...body, "", allowed, ...asked].join("\n")}\n`);
}

function isWithin({ statementsPerSecond, nodeCpuPercent, postgresCpuPercent }: Idle): boolean {
  return statementsPerSecond < limits.statementsPerSecond && nodeCpuPercent + postgresCpuPercent < limits.cpuPercent;
}

async function main(): Promise<void> {
  const dataDir = realpathSync(mkdtempSync(join(tmpdir(), "cos-idle-")));
  // As root the server is another user, who must be able to enter.
  chmodSync(dataDir, 0o711);
  const postgres = await startPostgres(dataDir);
  try {
    const empty = await measure("nothing to do", dataDir, postgres);
    await park(dataDir, postgres.url);
    const parked = await measure(`${parkedGoals} parked goals`, dataDir, postgres);
    report([empty, parked]);
    process.exitCode = [empty, parked].every(isWithin) ? 0 : 1;
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

await main();
