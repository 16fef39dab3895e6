import { createPostgresBackend, Queue, Worker, withBackend } from "bullmq";
import { Redis } from "ioredis";
import { setTimeout as sleep } from "node:timers/promises";
import { type JobName, queueOf } from "./core/jobs.ts";
import { droppingPolicy } from "./core/outages/redis.ts";
import type { Trouble } from "./core/outages/trouble.ts";
import { openPool } from "./db/connection/connections.ts";
import { databaseFailure } from "./db/connection/failures.ts";
import {
  closeAll,
  listenAgain,
  QueueAway,
  queueFailure,
  redisTroubleOf,
  refuseRedis,
  restWorkers,
  silenceWords,
  soon,
  withoutNul,
} from "./queue-failures.ts";

/**
 * The only file that constructs BullMQ objects. It picks the engine: PostgreSQL, or Redis with `REDIS_URL`. Jobs are doorbells (D6): no
 * ids, no payload, no retries. So whatever the queue loses, the next tick finds in the rows.
 */
export interface Doorbell {
  /**
   * Requests a look, now or after a delay. Never throws and never waits long: a lost ring only makes things slower, and `onError` gets
   * the error. While one ring is unanswered, further rings are skipped.
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
  /** Rings that were not answered in time. They arrive when the queue is back; more of them would only pile up. */
  const unheard = new Set<Promise<unknown>>();

  function open() {
    const engine = openEngine(settings);
    return { engine, queues: new Map(queueNames.map((name) => [name, engine.queue(name)])) };
  }

  return {
    async ring(job, afterMs = 0) {
      if (unheard.size > 0) return;
      let mine = opened;
      try {
        mine = opened ??= open();
        const delay = Math.ceil(Math.min(afterMs, longestDelayMs));
        const added = mine.queues.get(queueOf[job])?.add(job, {}, { ...jobOptions, delay });
        // BullMQ waits forever for a Redis that is away; the ring arrives when it is back.
        const isLate = sleep(longestRingMs, true, { ref: false });
        if (added === undefined || (await Promise.race([added, isLate])) !== true) return;
        const forget = () => unheard.delete(added);
        unheard.add(added);
        void added.then(forget, forget);
        if (settings.redisUrl !== null) settings.onError(new QueueAway(new Error("it was rung in vain")));
      } catch (error) {
        settings.onError(queueFailure(error, settings.redisUrl));
        // BullMQ remembers a failed connection forever, so the next ring opens new queues.
        if (mine === null || mine !== opened) return;
        opened = null;
        unheard.clear();
        void closeAll([...mine.queues.values()], mine.engine);
      }
    },
    async close() {
      if (opened !== null) await closeAll([...opened.queues.values()], opened.engine);
      opened = null;
    },
  };
}

/** The function of each job. A handler that runs long must end by itself. */
export type JobHandlers = { readonly [Name in JobName]: () => Promise<void> };

/** Starts one BullMQ worker for each queue. The database must be migrated. Rejects when the queue stays away for ten seconds. */
export async function startWorkers(
  settings: QueueSettings,
  handlers: JobHandlers,
  parallel: number,
): Promise<{ close(): Promise<void> }> {
  async function run(jobName: string): Promise<void> {
    if (!isJobName(jobName)) return;
    try {
      await handlers[jobName]();
    } catch (error) {
      throw withoutNul(error);
    }
  }

  if (settings.redisUrl !== null) refuseRedis(await probeRedis(settings.redisUrl), settings.redisUrl);
  const end = performance.now() + starting.longestMs;
  while (true) {
    const engine = openEngine(settings);
    const workers = queueNames.map((name) => engine.worker(name, run, name === "goals" ? parallel : 1));
    try {
      await soon(
        Promise.all(workers.map((worker) => worker.waitUntilReady())),
        end - performance.now(),
        silenceWords(settings.redisUrl),
      );
      return { close: () => closeAll(workers, engine) };
    } catch (error) {
      // BullMQ remembers forever that a worker was not ready, so the workers are built again.
      void closeAll(workers, engine);
      const failure = queueFailure(error, settings.redisUrl);
      if (performance.now() > end) throw failure;
      settings.onError(failure);
      await sleep(starting.pauseMs);
    }
  }
}

/** Limits for a start during a lost connection or a server restart. */
const starting = { longestMs: 10_000, pauseMs: 500 } as const;

const longestRingMs = 3_000;
const longestProbeMs = 5_000;

/** For a longer delay, the tick is earlier. */
const longestDelayMs = 24 * 60 * 60_000;

const queueNames = [...new Set(Object.values(queueOf))];
const jobOptions = { attempts: 1, removeOnComplete: true, removeOnFail: { age: 3600 } };
/** The job of a dead worker is only a bell: the tick has found its row long before. So stalled jobs are rarely checked. */
const workerOptions = { runRetryDelay: 1000, lockDuration: 10_000, stalledInterval: 30_000, maxStalledCount: 1 };
/** Seconds a worker sleeps when its queue is empty or broken; PostgreSQL wakes it for a new job. */
const drainDelay = 10;

const longestStatementMs = 60_000;

type PostgresPool = Parameters<typeof createPostgresBackend>[1]["connection"];

interface Ringable {
  add(name: string, payload: object, options: typeof jobOptions & { readonly delay: number }): Promise<unknown>;
  close(): Promise<void>;
}

interface StartedWorker {
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
}

interface Engine {
  queue(name: string): Ringable;
  worker(name: string, run: (jobName: string) => Promise<void>, concurrency: number): StartedWorker;
  close(): Promise<void>;
}

function openEngine(settings: QueueSettings): Engine {
  return settings.redisUrl === null ? openPostgres(settings) : openRedis(settings.redisUrl, settings.onError);
}

function openPostgres({ databaseUrl, onError }: QueueSettings): Engine {
  // One pool for all of BullMQ in this process: each worker keeps a LISTEN connection in it.
  const pool = openPool({ url: databaseUrl, searchPath: "bullmq", size: 15, onError, longestStatementMs });
  pool.setMaxListeners(0);
  const postgres = withBackend((...given: Parameters<typeof createPostgresBackend>) =>
    // After an error BullMQ 6.7.0 sleeps up to this limit, by default an hour, even when nothing can wake it.
    Object.defineProperty(createPostgresBackend(...given), "maximumBlockTimeout", { value: drainDelay }),
  );
  // BullMQ's type for a pool lists what it uses; with exact optional properties pg's own type does not match it.
  const connection = pool as unknown as PostgresPool;
  return {
    queue: (name) => new postgres.Queue(name, { connection }).on("error", (error) => onError(databaseFailure(error))),
    worker(name, run, concurrency) {
      const options = { connection, concurrency, drainDelay, ...workerOptions };
      const worker = new postgres.Worker(name, (job) => run(job.name), options);
      return worker.on("error", (error) => {
        onError(databaseFailure(error));
        void restWorkers(worker, error);
        listenAgain(worker.backend);
      });
    },
    close: () => pool.end(),
  };
}

function openRedis(url: string, onError: (error: Error) => void): Engine {
  const redis = new Redis(url, { maxRetriesPerRequest: null });
  const onAway = (error: Error) => onError(queueFailure(error, url));
  redis.on("error", onAway);
  return {
    queue: (name) => new Queue(name, { connection: redis }).on("error", onAway),
    worker(name, run, concurrency) {
      const worker = new Worker(name, (job) => run(job.name), { connection: redis, concurrency, ...workerOptions });
      return worker.on("error", (error) => {
        onAway(error);
        void restWorkers(worker, error);
      });
    },
    close: async () => redis.disconnect(),
  };
}

/** Tests whether Redis accepts writes, runs our scripts and allows blocking reads. Returns the trouble, else null. Never throws. */
export async function probeRedis(url: string): Promise<Trouble | null> {
  const key = "bull:goals:probe";
  const asked = await askRedis(url, async (redis) => {
    await redis.set(key, "", "PX", 1);
    await redis.eval("return redis.call('exists', KEYS[1])", 1, key);
    await redis.bzpopmin(`${key}:none`, 0.001);
  });
  return asked.trouble;
}

/** The eviction policy by which a full Redis would drop our jobs; null when it drops none, or does not say. Never throws. */
export async function evictionOf(url: string): Promise<string | null> {
  return droppingPolicy((await askRedis(url, (redis) => redis.info("memory"))).answer ?? "");
}

type Asked<Answer> = { readonly answer: Answer | null; readonly trouble: Trouble | null };

/** Runs a question on a separate Redis connection. Never throws. */
async function askRedis<Answer>(url: string, ask: (redis: Redis) => Promise<Answer>): Promise<Asked<Answer>> {
  const redis = new Redis(url, { lazyConnect: true, connectTimeout: longestRingMs, retryStrategy: () => null });
  let said: unknown = null;
  redis.on("error", (error) => {
    said = error;
  });
  try {
    const asked = redis.connect().then(async () => {
      const answer = await ask(redis);
      // An error about the requested database; ioredis goes on in another one.
      return { answer, trouble: said === null ? null : redisTroubleOf(said) };
    });
    // A Redis that hangs accepts a connection and then says nothing.
    const silent = { answer: null, trouble: { type: "silent" } } as const;
    return await Promise.race([asked, sleep(longestProbeMs, silent, { ref: false })]);
  } catch (error) {
    return { answer: null, trouble: redisTroubleOf(said ?? error) };
  } finally {
    redis.disconnect();
  }
}

function isJobName(name: string): name is JobName {
  return Object.hasOwn(queueOf, name);
}
