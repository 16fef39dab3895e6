import { setTimeout as sleep } from "node:timers/promises";
import { errorWords } from "./core/errors.ts";
import { isOfSettings, passesByItself, type Trouble } from "./core/outages/trouble.ts";
import { DatabaseAway, isAway, isUnavailable, databaseTrouble } from "./db/connection/failures.ts";

/** How long a start waits for a database that is away. */

/** Wait for a database that cannot be reached at all. */
const longestWaitMs = 10_000;
/** Wait for a database that answers that it starts or stops; it may have to read its log first. */
const longestRestartMs = 60_000;

const pauseMs = 250;

/** Runs the first question to a database. Retries while the database is starting or being restarted. */
export async function whenThere<Answer>(
  ask: () => Promise<Answer>,
  onProgress: (text: string) => void,
): Promise<Answer> {
  const since = performance.now();
  let toldMs = 0;
  while (true) {
    try {
      return await ask();
    } catch (error) {
      const waitMs = longestWaitOver(error);
      if (performance.now() - since >= waitMs) throw error;
      if (waitMs > toldMs)
        onProgress(`The database does not answer (${reasonOf(error)}); trying for ${waitMs / 1000} s.`);
      toldMs = Math.max(toldMs, waitMs);
      await sleep(pauseMs);
    }
  }
}

/** The cause of the failure, without the words that the database is away. */
function reasonOf(error: unknown): string {
  return errorWords(error instanceof DatabaseAway ? error.cause : error);
}

/** The time to wait after an error. Zero for a wrong password or an unknown name, which waiting does not change. */
function longestWaitOver(error: unknown): number {
  if (!isUnavailable(error)) return 0;
  const trouble = databaseTrouble(error);
  if (trouble.type === "unknown-host" || isOfSettings(trouble)) return 0;
  return trouble.type === "starting" || trouble.type === "stopping" ? longestRestartMs : longestWaitMs;
}

interface WaitOptions {
  /** The current trouble of the database; null when it answers. */
  readonly probe: () => Promise<Trouble | null>;
  readonly onProgress: (text: string) => void;
  /** Interval between two probes. */
  readonly everyMs?: number;
}

/**
 * Runs a step of a start after the database was reached. When it fails because the database went away, it is repeated when the database
 * is back, however long that takes, like a running process would wait. The step may run more than once. Rethrows other errors.
 */
export async function whenBack<Result>(
  step: () => Promise<Result>,
  { probe, onProgress, everyMs = 1_000 }: WaitOptions,
): Promise<Result> {
  let isTold = false;
  while (true) {
    try {
      return await step();
    } catch (error) {
      let trouble = isAway(error) ? databaseTrouble(error) : await probe();
      if (trouble === null || !passesByItself(trouble)) throw error;
      if (!isTold) onProgress("The database went away. The start goes on when it is back.");
      isTold = true;
      do {
        await sleep(everyMs);
        trouble = await probe();
      } while (trouble !== null && passesByItself(trouble));
    }
  }
}
