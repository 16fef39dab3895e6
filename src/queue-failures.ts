import { setTimeout as sleep } from "node:timers/promises";
import { errorWords } from "./core/errors.ts";
import { redisTrouble } from "./core/outages/redis.ts";
import { troubleAdvice, troubleWords } from "./core/cards/outage-words.ts";
import { isOfSettings, type ServerAddress, type Trouble } from "./core/outages/trouble.ts";
import { whereOf } from "./core/outages/where.ts";
import { databaseFailure, isSocketError, sqlState, databaseTrouble } from "./db/connection/failures.ts";

/** Classifies errors of the queue, and handles its workers after one. */

/** Redis cannot be reached, or rejects commands. */
export class QueueAway extends Error {
  override readonly name = "QueueAway";

  constructor(cause: Error) {
    super(`Redis does not answer: ${errorWords(cause)}`, { cause });
  }
}

/** True when an error passed to `onError` means that Redis is away. */
export function isQueueAway(error: unknown): boolean {
  return error instanceof QueueAway;
}

/** Converts the error of a Redis command; QueueAway when it means that Redis is away. */
export function redisFailure(error: unknown): Error {
  const failure = error instanceof Error ? error : new Error(String(error));
  return isSocketError(failure) || redisTrouble(failure.message) !== null ? new QueueAway(failure) : failure;
}

/**
 * Converts an error of the queue; QueueAway or DatabaseAway when it means that.
 * @param redisUrl null: the queue is on PostgreSQL
 */
export function queueFailure(error: unknown, redisUrl: string | null): Error {
  return redisUrl === null ? databaseFailure(error) : redisFailure(error);
}

/** True when the queue has lost a job that is running: it was emptied, or restarted without its data. The job itself goes on. */
export function isForgottenJob(error: Error): boolean {
  return /^(?:could not renew lock|Missing key|Missing lock) for job /.test(error.message);
}

/** The kind of trouble with Redis, for messages. */
export function redisTroubleOf(error: unknown): Trouble {
  return redisTrouble(errorWords(error)) ?? databaseTrouble(error);
}

/**
 * The message of a start that waited too long for its queue, with what to check.
 * @param redisUrl null: the queue is on PostgreSQL
 */
export function silenceWords(redisUrl: string | null): string {
  return redisUrl === null
    ? "the queue's connections to PostgreSQL were not made in time. Check that PostgreSQL runs and has enough of them for us: its max_connections, and the limits of the role and the database."
    : "the queue does not answer. Check that Redis runs and that REDIS_URL is right.";
}

/** The workers cannot start; the message says what to do. */
export class QueueError extends Error {}

/** Throws QueueError for a Redis that will never accept REDIS_URL or lacks the database. Waiting would not help. */
export function refuseRedis(trouble: Trouble | null, url: string): void {
  if (trouble === null || !isOfSettings(trouble)) return;
  const place: ServerAddress = { name: "Redis", setting: "REDIS_URL", where: whereOf(url, 6379) };
  throw new QueueError(`the queue cannot be used: ${troubleWords(trouble, place)}. ${troubleAdvice(trouble, place)}`);
}

/** Rejects with `words` after `ms` milliseconds: BullMQ waits forever for a Redis that is away. */
export async function soon<Value>(what: Promise<Value>, ms: number, words: string): Promise<Value> {
  const late = sleep(Math.max(ms, 0), undefined, { ref: false }).then(() => {
    throw new QueueError(words);
  });
  return await Promise.race([what, late]);
}

const longestCloseMs = 3_000;

/** Closes workers or queues, then their shared engine. Never throws, and waits at most some seconds for each. */
export async function closeAll(
  parts: readonly { close(): Promise<void> }[],
  engine: { close(): Promise<void> },
): Promise<void> {
  // BullMQ waits forever for a server that is away.
  await Promise.race([
    Promise.allSettled(parts.map((part) => part.close())),
    sleep(longestCloseMs, undefined, { ref: false }),
  ]);
  await Promise.race([engine.close().catch(() => undefined), sleep(longestCloseMs, undefined, { ref: false })]);
}

/** A job's error without NUL: PostgreSQL cannot store NUL, and such an error would leave its job active forever. */
export function withoutNul(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  return new Error(message.replaceAll("\u0000", "\uFFFD"), { cause: error });
}

/** Pause of a worker after a server refused its commands. Jobs added meanwhile wait as long. */
const restMs = 2_000;

/** The part of a worker that is used here. */
interface PausableWorker {
  /** Set while the worker closes. */
  readonly closing: Promise<void> | undefined;
  isPaused(): boolean;
  pause(doNotWaitActive: boolean): Promise<void>;
  resume(): Promise<void>;
}

/** Pauses a worker after a refusal: BullMQ 6.7.0 otherwise repeats the command at once, many times a second. */
export async function restWorkers(worker: PausableWorker, error: Error): Promise<void> {
  const isRefused = sqlState(error) !== null || redisTrouble(error.message) !== null;
  if (!isRefused || worker.isPaused()) return;
  await worker.pause(true);
  await sleep(restMs, undefined, { ref: false });
  if (worker.closing === undefined) await worker.resume();
}

/** By this time BullMQ has made its new connection after a loss. */
const listenAgainMs = 1_000;

/**
 * Reconnects a worker: BullMQ 6.7.0 takes a connection that breaks just as it begins to listen for a working one, and never listens
 * again.
 */
export function listenAgain(backend: { reconnectBlocking(): Promise<void> }): void {
  setTimeout(() => void backend.reconnectBlocking(), listenAgainMs).unref();
}
