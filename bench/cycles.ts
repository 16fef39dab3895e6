import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { enginesOf, type Line } from "./cycles/line.ts";
import { type Measured, measure, percentile } from "./cycles/measure.ts";
import { copyFinished } from "./cycles/finished.ts";
import { openSubjects, type Subject } from "./cycles/subject.ts";
import { readOptions } from "./options.ts";
import { ask, type Postgres, startPostgres } from "./postgres.ts";

/**
 * How fast goals go through the engine, beside the least that they could cost: `npm run bench`, with `--help`. Bot, worker,
 * delivery and queue are live in this process, git and executors do nothing; the floor (bench/floor.ts) and both queues take
 * turns on one PostgreSQL, so that what else the machine does meets all of them. Every figure is the median of the repeats.
 */
const options = readOptions(
  "npm run bench",
  {
    json: "print the figures of each queue, and every repeat, as JSON",
    money: "goals are worked by an agent that costs money",
    quick: "under a minute: one repeat of two seconds, hardly warmed up; says whether it runs, not how fast",
  },
  {
    repeats: { help: "how often all of them are measured", byDefault: 3, least: 1, most: 50, isWhole: true },
    finished: {
      help: "measured also after so many finished goals, in a database beside the empty one",
      byDefault: 0,
      least: 0,
      most: 2_000_000,
      isWhole: true,
    },
    seconds: { help: "how long each is measured", byDefault: 10, least: 1, most: 600 },
  },
);

const concurrencies = [1, 16];

/**
 * Cycles before those that are measured: so many that each connection has asked everything once, and most of this process is
 * compiled: a bot that runs, not one that starts. A quick run has no time for that.
 */
const { repeats, seconds, warmUp } = options.quick
  ? { repeats: 1, seconds: 2, warmUp: 16 }
  : { repeats: options.repeats, seconds: options.seconds, warmUp: 160 };

async function measureAll(dataDir: string): Promise<Measured[]> {
  const postgres = await startPostgres(dataDir);
  const full = options.finished === 0 ? null : { databaseUrl: await another(postgres), finished: options.finished };
  const byAgent = options.money;
  const { subjects, close } = await openSubjects({ databaseUrl: postgres.url, full, dataDir, byAgent });
  const measured: Measured[] = [];
  try {
    await prepare(subjects);
    if (full !== null) {
      progress(`makes ${full.finished} finished goals`);
      await copyFinished(full.databaseUrl, full.finished);
    }
    if (!subjects.some(({ name }) => name === "Redis")) progress("redis-server is not installed: Redis is left out");
    for (let repeat = 1; repeat <= repeats; repeat += 1) {
      for (const concurrency of concurrencies) {
        for (const subject of subjects) {
          const found = await measure(postgres, subject, { concurrency, seconds, warmUp });
          measured.push(found);
          const rate = `${found.perSecond.toFixed(1)} cycles/s`;
          progress(`${repeat} of ${repeats}: ${nameOf(found)}, ${concurrency} at once: ${rate}`);
        }
      }
    }
    return measured;
  } finally {
    close();
    await postgres.stop();
  }
}

/** What is made once, such as tables, is nobody's cycle. */
async function prepare(subjects: readonly Subject[]): Promise<void> {
  for (const subject of subjects) {
    const opened = await subject.open(1);
    await opened.cycle(0);
    await opened.close();
  }
}

/** Another database on the same server. */
async function another({ url }: Postgres): Promise<string> {
  await ask(url, "create database cos_finished");
  const other = new URL(url);
  other.pathname = "/cos_finished";
  return other.href;
}

function nameOf({ subject, finished }: Pick<Measured, "subject" | "finished">): string {
  return finished === 0 ? subject : `${subject} after ${finished}`;
}

function progress(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** The repeats of one subject as their medians. */
function lineOf(measured: readonly Measured[], name: Subject["name"], concurrency: number, finished: number): Line[] {
  const of = (subject: Subject["name"], before: number) =>
    measured.filter((each) => each.subject === subject && each.concurrency === concurrency && each.finished === before);
  const mine = of(name, finished);
  const [first] = mine;
  if (first === undefined) return [];
  const middle = (value: (each: Measured) => number) => percentile(mine.map(value), 50);
  const sharesOf = (others: readonly Measured[]): Pick<Line, "share" | "shares"> => {
    const shares = mine.map((each, repeat) => each.perSecond / (others[repeat]?.perSecond ?? Number.NaN));
    return { share: percentile(shares, 50), shares: [Math.min(...shares), Math.max(...shares)] };
  };
  return [
    {
      ...first,
      cycles: mine.reduce((sum, { cycles }) => sum + cycles, 0),
      perSecond: middle((each) => each.perSecond),
      ...sharesOf(of("floor", 0)),
      ofEmpty: finished === 0 ? null : sharesOf(of(name, 0)),
      decisionToDoneMs: {
        p50: middle((each) => each.decisionToDoneMs.p50),
        p99: middle((each) => each.decisionToDoneMs.p99),
      },
      statements: middle((each) => each.statements),
      queueCommands: middle((each) => each.queueCommands),
      writes: middle((each) => each.writes),
      rows: middle((each) => each.rows),
      nodeCpuMs: middle((each) => each.nodeCpuMs),
      postgresCpuMs: middle((each) => each.postgresCpuMs),
    },
  ];
}

type Column = readonly [string, (line: Line) => string];

const fromTo = (shares: readonly [number, number], digits: number): string =>
  shares.map((share) => share.toFixed(digits)).join(" ");

const aboutEmpty: readonly Column[] = [
  ["of empty", ({ ofEmpty }) => ofEmpty?.share.toFixed(2) ?? ""],
  ["from to", ({ ofEmpty }) => (ofEmpty === null ? "" : fromTo(ofEmpty.shares, 2))],
];

const columns: readonly Column[] = [
  ["at once", (line) => String(line.concurrency)],
  ["cycles/s", (line) => line.perSecond.toFixed(1)],
  ["of floor", (line) => line.share.toFixed(3)],
  ["from to", (line) => fromTo(line.shares, 3)],
  ...(options.finished === 0 ? [] : aboutEmpty),
  ["p50 ms", (line) => line.decisionToDoneMs.p50.toFixed(1)],
  ["p99 ms", (line) => line.decisionToDoneMs.p99.toFixed(1)],
  ["statements", (line) => line.statements.toFixed(1)],
  ["to Redis", (line) => line.queueCommands.toFixed(1)],
  ["writes", (line) => line.writes.toFixed(1)],
  ["rows", (line) => line.rows.toFixed(1)],
  ["Node ms", (line) => line.nodeCpuMs.toFixed(1)],
  ["PostgreSQL ms", (line) => line.postgresCpuMs.toFixed(1)],
];

function table(lines: readonly Line[]): string[] {
  const row = (name: string, cells: readonly string[]): string =>
    [name.padEnd(24), ...cells.map((cell, index) => cell.padStart((columns[index]?.[0].length ?? 0) + 5))].join("");
  return [
    row(
      "",
      columns.map(([head]) => head),
    ),
    ...lines.map((line) =>
      row(
        nameOf(line),
        columns.map(([, cell]) => cell(line)),
      ),
    ),
    "",
    "ms from decision to done, and for one cycle: statements, write transactions, rows, CPU of Node and of PostgreSQL.",
  ];
}

async function main(): Promise<void> {
  const dataDir = realpathSync(mkdtempSync(join(tmpdir(), "cos-cycles-")));
  // As root the server is another user, who must be able to enter.
  chmodSync(dataDir, 0o711);
  try {
    const measured = await measureAll(dataDir);
    const names = ["floor", "PostgreSQL", "Redis"] as const;
    const befores = [...new Set([0, options.finished])];
    const lines = concurrencies.flatMap((concurrency) =>
      names.flatMap((name) => befores.flatMap((finished) => lineOf(measured, name, concurrency, finished))),
    );
    const { json, ...given } = options;
    const value = { engines: enginesOf(lines), options: { ...given, repeats, seconds }, lines, measured };
    if (json) process.stdout.write(`${JSON.stringify(value)}\n`);
    else process.stdout.write(`${table(lines).join("\n")}\n`);
  } finally {
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

await main();
