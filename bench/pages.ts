import { request } from "node:http";
import { startConsole } from "../src/console/server.ts";
import type { Deps } from "../src/deps.ts";
import { call } from "./engine.ts";
import { openOldWorld } from "./history/world.ts";
import { readOptions } from "./options.ts";
import { makeBusy } from "./pages/busy.ts";

/**
 * What each page of the console weighs and takes after years of work: `npm run bench:pages`, with `--finished`, `--waiting`,
 * `--questions`, `--repeats` and `--json`. A PostgreSQL of its own is filled; then each page is asked for by a browser that takes
 * gzip, its start not counted. Exit 1 when a page is heavier or its median slower than is promised.
 */
const limits = { bytes: 60_000, ms: 300 };

const options = readOptions(
  "npm run bench:pages",
  { json: "print the numbers as JSON" },
  {
    finished: { help: "goals that have ended", byDefault: 100_000, least: 500, most: 2_000_000, isWhole: true },
    waiting: { help: "goals that wait", byDefault: 5_000, least: 0, most: 100_000, isWhole: true },
    questions: { help: "questions that are open", byDefault: 100, least: 1, most: 1_000, isWhole: true },
    repeats: { help: "how often each is asked for", byDefault: 7, least: 1, most: 100, isWhole: true },
  },
);

interface Asked {
  readonly name: string;
  /** As it is sent: compressed. */
  readonly bytes: number;
  /** From the question to the last byte, of every repeat. */
  readonly ms: readonly number[];
}

const token = "bench";

async function measure(deps: Deps, pages: readonly (readonly [string, string])[]): Promise<Asked[]> {
  const health = async () => ({ db: "ok", isDatabaseAway: false, queue: "postgres", space: "ok", platforms: {} });
  const served = await startConsole(deps, { token, health });
  try {
    const asked: Asked[] = [];
    for (const [name, path] of pages) {
      const ms: number[] = [];
      let bytes = 0;
      for (let index = 0; index < options.repeats; index += 1) {
        const from = performance.now();
        bytes = await bytesOf(`${served.url}${path}`);
        ms.push(performance.now() - from);
      }
      asked.push({ name, bytes, ms });
    }
    return asked;
  } finally {
    await served.stop();
  }
}

/** What is sent for a page, without its headers. Rejects where it is not there. */
async function bytesOf(url: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, "accept-encoding": "gzip" };
  return await new Promise((resolve, reject) => {
    const sent = request(url, { headers }, (answer) => {
      let bytes = 0;
      answer.on("data", (part: Buffer) => {
        bytes += part.length;
      });
      answer.on("end", () => {
        if (answer.statusCode === 200) resolve(bytes);
        else reject(new Error(`${url}: ${answer.statusCode}`));
      });
      answer.on("error", reject);
    });
    sent.on("error", reject);
    sent.end();
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function report(asked: readonly Asked[]): void {
  const { finished, waiting, questions, repeats } = options;
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ limits, finished, waiting, questions, asked })}\n`);
    return;
  }
  const rows = asked.map(({ name, bytes, ms }) => [
    name,
    (bytes / 1000).toFixed(1),
    median(ms).toFixed(0),
    Math.max(...ms).toFixed(0),
  ]);
  const lines = [["page", "kB", "ms, median", "longest"], ...rows].map(([name = "", ...cells]) =>
    [name.padEnd(28), ...cells.map((cell) => cell.padStart(12))].join(""),
  );
  const after = `After ${finished} finished goals, with ${waiting} waiting and ${questions} questions, ${repeats} times each.`;
  const allowed = `Allowed: ${limits.bytes / 1000} kB, ${limits.ms} ms.`;
  process.stdout.write(`${[after, "", ...lines, "", allowed].join("\n")}\n`);
}

async function main(): Promise<void> {
  const world = await openOldWorld(options);
  try {
    const { deps } = world;
    const ask = (...words: string[]) => call(deps, ...words);
    const { questions } = options;
    const pages = await makeBusy({ ...world, call: ask }, { questions, days: 60, events: 1_000 });
    const asked = await measure(deps, pages);
    report(asked);
    process.exitCode = asked.every(({ bytes, ms }) => bytes <= limits.bytes && median(ms) <= limits.ms) ? 0 : 1;
  } finally {
    await world.close();
  }
}

await main();
