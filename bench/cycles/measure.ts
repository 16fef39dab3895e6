import { ask, countAnew, countStatements, type Postgres, treeCpuMs } from "../postgres.ts";
import type { Subject } from "./subject.ts";

/** What goals cost in one stretch of time, each figure but the first two for one goal. */
export interface Measured {
  readonly subject: Subject["name"];
  /** Goals that had finished before. */
  readonly finished: number;
  readonly concurrency: number;
  readonly cycles: number;
  readonly perSecond: number;
  readonly decisionToDoneMs: { readonly p50: number; readonly p99: number };
  /** Sent to PostgreSQL, without BEGIN and COMMIT; and what a Redis was asked. */
  readonly statements: number;
  readonly queueCommands: number;
  /** Transactions that took a number: each that wrote or locked a row. */
  readonly writes: number;
  /** Inserted, updated or deleted. */
  readonly rows: number;
  readonly nodeCpuMs: number;
  readonly postgresCpuMs: number;
}

interface Measuring {
  readonly concurrency: number;
  readonly seconds: number;
  /** Cycles before that are not measured. */
  readonly warmUp: number;
}

/** Opens the subject, lets it warm up, and sends goals through it until the time is over; those under way are finished. */
export async function measure(
  { url: countsUrl, server }: Postgres,
  subject: Subject,
  { concurrency, seconds, warmUp }: Measuring,
): Promise<Measured> {
  const { databaseUrl: url, name, finished } = subject;
  const rowsBefore = await rowsWritten(url);
  const opened = await subject.open(concurrency);
  const lanes = Array.from({ length: concurrency }, (_, lane) => lane);
  const took: number[] = [];
  const until = async (isOver: (done: number) => boolean): Promise<void> => {
    await Promise.all(
      lanes.map(async (lane) => {
        for (let done = 0; !isOver(done); done += 1) took.push(await opened.cycle(lane));
      }),
    );
  };
  await until((done) => done * concurrency >= warmUp);
  const warmedUp = took.splice(0).length;

  await countAnew(countsUrl);
  const queueBefore = await subject.queueCommands();
  const writesBefore = await transactionsTaken(url);
  const postgresBefore = treeCpuMs(server.pid);
  const nodeBefore = process.cpuUsage();
  const startedMs = performance.now();
  await until(() => performance.now() - startedMs > seconds * 1000);
  const ms = performance.now() - startedMs;
  const node = process.cpuUsage(nodeBefore);
  const postgresMs = treeCpuMs(server.pid) - postgresBefore;
  const writes = (await transactionsTaken(url)) - writesBefore;
  const statements = await countStatements(countsUrl);
  const queueCommands = (await subject.queueCommands()) - queueBefore;
  await opened.close();

  const cycles = took.length;
  return {
    subject: name,
    finished,
    concurrency,
    cycles,
    perSecond: (cycles * 1000) / ms,
    decisionToDoneMs: { p50: percentile(took, 50), p99: percentile(took, 99) },
    statements: statements / cycles,
    queueCommands: queueCommands / cycles,
    writes: writes / cycles,
    // A connection tells what it wrote when it ends: these are of the warm-up too.
    rows: ((await rowsWritten(url)) - rowsBefore) / (cycles + warmedUp),
    nodeCpuMs: (node.user + node.system) / 1000 / cycles,
    postgresCpuMs: postgresMs / cycles,
  };
}

async function transactionsTaken(url: string): Promise<number> {
  const [row] = await ask(url, "select pg_snapshot_xmax(pg_current_snapshot())::text as next /* bench */");
  return Number(row?.["next"]);
}

async function rowsWritten(url: string): Promise<number> {
  const [row] = await ask(
    url,
    `select tup_inserted + tup_updated + tup_deleted as rows from pg_stat_database
     where datname = current_database() /* bench */`,
  );
  return Number(row?.["rows"]);
}

/** By the nearest rank; 0 of nothing. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? 0;
}
