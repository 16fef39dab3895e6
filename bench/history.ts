import { startConsole } from "../src/console/server.ts";
import type { Deps } from "../src/deps.ts";
import { tick } from "../src/tick.ts";
import { call } from "./engine.ts";
import { openOldWorld } from "./history/world.ts";
import { readOptions } from "./options.ts";

/**
 * What people wait for after years of work: `npm run bench:history`, with `--finished`, `--waiting` and `--json`. A PostgreSQL
 * of its own is filled with goals that have ended and goals that wait; then every command and page is asked in this process,
 * its start not counted. Exit 1 when the median of one is above a second.
 */
const limitSeconds = 1;

const options = readOptions(
  "npm run bench:history",
  { json: "print the numbers as JSON" },
  {
    finished: { help: "goals that have ended", byDefault: 100_000, least: 0, most: 2_000_000, isWhole: true },
    waiting: { help: "goals that wait", byDefault: 5_000, least: 0, most: 100_000, isWhole: true },
    repeats: { help: "how often each is asked", byDefault: 5, least: 1, most: 100, isWhole: true },
  },
);

interface Asked {
  readonly name: string;
  /** Of every repeat, in order. */
  readonly seconds: readonly number[];
}

const token = "bench";

async function measure(deps: Deps): Promise<Asked[]> {
  const health = async () => ({ db: "ok", isDatabaseAway: false, queue: "postgres", space: "ok", platforms: {} });
  const served = await startConsole(deps, { token, health });
  const page = async (path: string): Promise<void> => {
    const response = await fetch(`${served.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
  };
  const asks: [string, () => Promise<unknown>][] = [
    ["plan", () => call(deps, "plan")],
    ["standup", () => call(deps, "standup")],
    ["status", () => call(deps, "status")],
    ["goals", () => call(deps, "goals")],
    ["weekly", () => call(deps, "weekly")],
    ["checkpoints", () => call(deps, "checkpoints")],
    ["channel page", () => page("/")],
    ["goals page", () => page("/goals")],
    ["/metrics", () => page("/metrics")],
    ["tick", () => tick(deps)],
  ];
  try {
    const asked: Asked[] = [];
    for (const [name, ask] of asks) asked.push({ name, seconds: await repeat(ask) });
    return asked;
  } finally {
    await served.stop();
  }
}

async function repeat(ask: () => Promise<unknown>): Promise<number[]> {
  const seconds: number[] = [];
  for (let index = 0; index < options.repeats; index += 1) {
    const from = performance.now();
    await ask();
    seconds.push((performance.now() - from) / 1000);
  }
  return seconds;
}

function median(seconds: readonly number[]): number {
  return seconds.toSorted((one, other) => one - other)[Math.floor(seconds.length / 2)] ?? 0;
}

function report(asked: readonly Asked[]): void {
  const { finished, waiting } = options;
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ limitSeconds, finished, waiting, asked })}\n`);
    return;
  }
  const rows = asked.map(({ name, seconds }) => [name, median(seconds).toFixed(3), Math.max(...seconds).toFixed(3)]);
  const lines = [["seconds", "median", "longest"], ...rows].map(([name = "", ...cells]) =>
    [name.padEnd(16), ...cells.map((cell) => cell.padStart(10))].join(""),
  );
  const after = `After ${finished} finished goals, with ${waiting} waiting, ${options.repeats} times each.`;
  process.stdout.write(`${[after, "", ...lines, "", `Allowed: ${limitSeconds} s.`].join("\n")}\n`);
}

async function main(): Promise<void> {
  const { deps, close } = await openOldWorld(options);
  try {
    const asked = await measure(deps);
    report(asked);
    process.exitCode = asked.every(({ seconds }) => median(seconds) <= limitSeconds) ? 0 : 1;
  } finally {
    await close();
  }
}

await main();
