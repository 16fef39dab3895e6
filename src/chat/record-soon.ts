import { NotRecorded } from "./not-recorded.ts";
import { tryAgain } from "./try-again.ts";

/** Records actions although the database may be away: platforms wait three seconds, we retry for a minute (D13). */

export interface RecordingTimes {
  readonly notYetAfterMs: number;
  readonly keepTryingMs: number;
}

export type Soon<Result> =
  | { readonly type: "recorded"; readonly result: Result }
  /** `later` resolves with the result, or with null when it could not be recorded. */
  | { readonly type: "not-yet"; readonly later: Promise<Result | null> };

/**
 * Retries until `work` is recorded. Resolves with its result, or after `notYetAfterMs` with a promise of it. Rejects with what `work`
 * rejects with, unless that is NotRecorded.
 */
export async function recordSoon<Result>(work: () => Promise<Result>, times: RecordingTimes): Promise<Soon<Result>> {
  const trying = retryUntilRecorded(work, times.keepTryingMs);
  const late = new Promise<"late">((resolve) => setTimeout(() => resolve("late"), times.notYetAfterMs).unref());
  const first = await Promise.race([trying, late]);
  if (first === "late") return { type: "not-yet", later: trying.then((tried) => tried?.result ?? null) };
  return first === null
    ? { type: "not-yet", later: Promise.resolve(null) }
    : { type: "recorded", result: first.result };
}

/**
 * Records the deletion of one or more messages, with retries while the database is away. Throws NotRecorded when it stays away too long.
 */
export async function hearDeleted(forget: () => Promise<void>, times: RecordingTimes): Promise<void> {
  const soon = await recordSoon(async () => {
    await forget();
    return true;
  }, times);
  if (soon.type === "not-yet" && (await soon.later) === null) throw new NotRecorded("the database is not available");
}

async function retryUntilRecorded<Result>(
  work: () => Promise<Result>,
  forMs: number,
): Promise<{ result: Result } | null> {
  const isWorth = (error: unknown): boolean => error instanceof NotRecorded;
  try {
    return { result: await tryAgain(work, { forMs, isWorth, stopping: null }) };
  } catch (error) {
    if (error instanceof NotRecorded) return null;
    throw error;
  }
}
