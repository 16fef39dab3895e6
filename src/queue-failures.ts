import { setTimeout as sleep } from "node:timers/promises";
import { errorWords } from "./core/errors.ts";
import { redisTrouble } from "./core/outages/redis.ts";
import { troubleAdvice, troubleWords } from "./core/cards/outage-words.ts";
import { isOfSettings, type ServerAddress, type Trouble } from "./core/outages/trouble.ts";
import { whereOf } from "./core/outages/where.ts";
import { databaseFailure, isSocketError, sqlState, databaseTrouble } from "./db/connection/failures.ts";

/** What errors of the queue mean, and what its workers do after one. */

/** Redis cannot be reached, or takes nothing. */
export class QueueAway extends Error {
  override readonly name = "QueueAway";

  constructor(cause: Error) {
    super(`Redis does not answer: ${errorWords(cause)}`, { cause });
  }
}

/** Whether an error that `onError` heard of means that Redis is away. */
export function isQueueAway(error: unknown): boolean {
  return error instanceof QueueAway;
}

/** What a command to Redis failed with, as QueueAway where that is what it means. */
export function redisFailure(error: unknown): Error {
  const failure = error instanceof Error ? error : new Error(String(error));
  return isSocketError(failure) || redisTrouble(failure.message) !== null ? new QueueAway(failure) : failure;
}

/**
 * What the queue failed with, as QueueAway or DatabaseAway where that is what it means.
 * @param redisUrl null: the queue is on PostgreSQL
 */
export function queueFailure(error: unknown, redisUrl: string | null): Error {
  return redisUrl === null ? databaseFailure(error) : redisFailure(error);
}

/** Whether the queue only knows a job no more, that is worked: it was emptied, or came back without what it knew. The bell was heard. */
export function isForgottenJob(error: Error): boolean {
  return /^(?:could not renew lock|Missing key|Missing lock) for job /.test(error.message);
}

/** What kind of trouble keeps Redis away, for words about it. */
export function redisTroubleOf(error: unknown): Trouble {
  return redisTrouble(errorWords(error)) ?? databaseTrouble(error);
}

/**
 * What a start says that waited too long for its queue, and what to look at.
 * @param redisUrl null: the queue is on PostgreSQL
 */
export function silenceWords(redisUrl: string | null): string {
  return redisUrl === null
    ? "the queue's connections to PostgreSQL were not made in time. Check that PostgreSQL runs and has enough of them for us: its max_connections, and the limits of the role and the database."
    : "the queue does not answer. Check that Redis runs and that REDIS_URL is right.";
}

/** The workers cannot start, with what to do about it. */
export class QueueError extends Error {}

/** A Redis that will never let us in as REDIS_URL says, or has no such database, is not waited for. Throws QueueError. */
export function refuseRedis(trouble: Trouble | null, url: string): void {
  if (trouble === null || !isOfSettings(trouble)) return;
  const place: ServerAddress = { name: "Redis", setting: "REDIS_URL", where: whereOf(url, 6379) };
  throw new QueueError(`the queue cannot be used: ${troubleWords(trouble, place)}. ${troubleAdvice(trouble, place)}`);
}

/** Rejects with these words when it takes longer: BullMQ waits for a Redis that is away for ever. */
export async function soon<Value>(what: Promise<Value>, ms: number, words: string): Promise<Value> {
  const late = sleep(Math.max(ms, 0), undefined, { ref: false }).then(() => {
    throw new QueueError(words);
  });
  return await Promise.race([what, late]);
}

const longestCloseMs = 3_000;

/** Closes workers or queues, then what they share. Never throws, and waits for each no longer than some seconds. */
export async function closeAll(
  parts: readonly { close(): Promise<void> }[],
  engine: { close(): Promise<void> },
): Promise<void> {
  // BullMQ waits for what is away for ever.
  await Promise.race([
    Promise.allSettled(parts.map((part) => part.close())),
    sleep(longestCloseMs, undefined, { ref: false }),
  ]);
  await Promise.race([engine.close().catch(() => undefined), sleep(longestCloseMs, undefined, { ref: false })]);
}

/** A job's error as the queue can keep it: PostgreSQL cannot store NUL, and an error that holds one would leave its job active for ever. */
export function withoutNul(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  return new Error(message.replaceAll("\u0000", "\uFFFD"), { cause: error });
}

/** Until a worker asks a server that refuses what it asks again. What is rung meanwhile waits as long. */
const restMs = 2_000;

/** What rests of a worker. */
interface PausableWorker {
  /** Set while it closes. */
  readonly closing: Promise<void> | undefined;
  isPaused(): boolean;
  pause(doNotWaitActive: boolean): Promise<void>;
  resume(): Promise<void>;
}

/** BullMQ 6.7.0 asks a server that answers, and takes nothing, again at once, many times a second: it rests in between. */
export async function restWorkers(worker: PausableWorker, error: Error): Promise<void> {
  const isRefused = sqlState(error) !== null || redisTrouble(error.message) !== null;
  if (!isRefused || worker.isPaused()) return;
  await worker.pause(true);
  await sleep(restMs, undefined, { ref: false });
  if (worker.closing === undefined) await worker.resume();
}

/** After a loss BullMQ has made its new connection by then. */
const listenAgainMs = 1_000;

/** BullMQ 6.7.0 takes a connection that breaks just as it listens for one that listens, and never does again. */
export function listenAgain(backend: { reconnectBlocking(): Promise<void> }): void {
  setTimeout(() => void backend.reconnectBlocking(), listenAgainMs).unref();
}
