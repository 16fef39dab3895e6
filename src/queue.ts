import { createPostgresBackend, Queue, Worker, withBackend } from "bullmq";
import { Redis } from "ioredis";
import pg from "pg";
import { type JobName, queueOf } from "./core/jobs.ts";

/**
 * The only file that constructs BullMQ objects; it picks the engine: PostgreSQL, or Redis with `REDIS_URL`. Jobs are
 * doorbells (D6): no ids, no payload, no retries, so whatever the queue loses the next tick finds in the rows.
 */
export interface Doorbell {
  /**
   * Asks that somebody looks, now or after a while. Never throws: a bell that does not ring is only slower, and
   * `onError` hears of it.
   */
  ring(job: JobName, afterMs?: number): Promise<void>;
  close(): Promise<void>;
}

export interface QueueSettings {
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  readonly onError: (error: Error) => void;
}

/** Opens every queue for ringing; connects at the first ring. */
export function openDoorbell(settings: QueueSettings): Doorbell {
  let opened: { engine: Engine; queues: Map<string, Ringable> } | null = null;

  function open() {
    const engine = openEngine(settings);
    return { engine, queues: new Map(queueNames.map((name) => [name, engine.queue(name)])) };
  }

  return {
    async ring(job, afterMs = 0) {
      try {
        opened ??= open();
        const delay = Math.ceil(Math.min(afterMs, longestDelayMs));
        await opened.queues.get(queueOf[job])?.add(job, {}, { ...jobOptions, delay });
      } catch (error) {
        settings.onError(asError(error));
        // A rejected readiness is remembered by BullMQ for ever, so the next ring starts afresh.
        const broken = opened;
        opened = null;
        if (broken !== null) void closeAll([...broken.queues.values()], broken.engine);
      }
    },
    async close() {
      if (opened !== null) await closeAll([...opened.queues.values()], opened.engine);
      opened = null;
    },
  };
}

/** What a job does; ending handlers that run long is up to them. */
export type JobHandlers = { readonly [Name in JobName]: () => Promise<void> };

/** Starts one BullMQ worker a queue. The database must be up and migrated (a worker built earlier stays dead). */
export async function startWorkers(
  settings: QueueSettings,
  handlers: JobHandlers,
  parallel: number,
): Promise<{ close(): Promise<void> }> {
  const engine = openEngine(settings);

  async function run(jobName: string): Promise<void> {
    if (!isJobName(jobName)) return;
    try {
      await handlers[jobName]();
    } catch (error) {
      throw withoutNul(error);
    }
  }

  const workers = queueNames.map((name) => engine.worker(name, run, name === "goals" ? parallel : 1));
  await Promise.all(workers.map((worker) => worker.waitUntilReady()));
  return { close: () => closeAll(workers, engine) };
}

/** Further away than that, the tick sees it first. */
const longestDelayMs = 24 * 60 * 60_000;

const queueNames = [...new Set(Object.values(queueOf))];
const jobOptions = { attempts: 1, removeOnComplete: true, removeOnFail: { age: 3600 } };
const workerOptions = { runRetryDelay: 1000, lockDuration: 10_000, stalledInterval: 5000, maxStalledCount: 1 };

type PostgresPool = Parameters<typeof createPostgresBackend>[1]["connection"];

interface Ringable {
  add(name: string, payload: object, options: typeof jobOptions & { readonly delay: number }): Promise<unknown>;
  close(): Promise<void>;
}

interface Working {
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
}

interface Engine {
  queue(name: string): Ringable;
  worker(name: string, run: (jobName: string) => Promise<void>, concurrency: number): Working;
  close(): Promise<void>;
}

function openEngine(settings: QueueSettings): Engine {
  return settings.redisUrl === null ? openPostgres(settings) : openRedis(settings.redisUrl, settings.onError);
}

function openPostgres({ databaseUrl, onError }: QueueSettings): Engine {
  // One pool for everything of BullMQ in this process: each worker parks a LISTEN connection in it.
  const options = "-c search_path=bullmq";
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 15, options, keepAlive: true });
  pool.setMaxListeners(0);
  pool.on("error", onError);
  const postgres = withBackend(createPostgresBackend);
  // BullMQ describes a pool by what it uses of it; with exact optional properties pg's own type does not match that.
  const connection = pool as unknown as PostgresPool;
  return {
    queue: (name) => new postgres.Queue(name, { connection }).on("error", onError),
    worker: (name, run, concurrency) =>
      new postgres.Worker(name, (job) => run(job.name), { connection, concurrency, ...workerOptions }).on(
        "error",
        onError,
      ),
    close: () => pool.end(),
  };
}

function openRedis(url: string, onError: (error: Error) => void): Engine {
  const redis = new Redis(url, { maxRetriesPerRequest: null });
  redis.on("error", onError);
  return {
    queue: (name) => new Queue(name, { connection: redis }).on("error", onError),
    worker: (name, run, concurrency) =>
      new Worker(name, (job) => run(job.name), { connection: redis, concurrency, ...workerOptions }).on(
        "error",
        onError,
      ),
    close: async () => redis.disconnect(),
  };
}

async function closeAll(parts: readonly { close(): Promise<void> }[], engine: Engine): Promise<void> {
  await Promise.allSettled(parts.map((part) => part.close()));
  await engine.close().catch(() => undefined);
}

function isJobName(name: string): name is JobName {
  return Object.hasOwn(queueOf, name);
}

/** PostgreSQL cannot store NUL: an error that holds one would leave its job active for ever. */
function withoutNul(error: unknown): Error {
  const { message } = asError(error);
  return new Error(message.replaceAll("\u0000", "\uFFFD"), { cause: error });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
