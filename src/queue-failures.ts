import { errorWords } from "./core/errors.ts";
import { redisTrouble } from "./core/outages/redis.ts";
import type { Trouble } from "./core/outages/trouble.ts";
import { isSocketError, troubleOf } from "./db/connection/failures.ts";

/** What errors of the queue mean where it is on Redis. */

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

/** What kind of trouble keeps Redis away, for words about it. */
export function redisTroubleOf(error: unknown): Trouble {
  return redisTrouble(errorWords(error)) ?? troubleOf(error);
}
