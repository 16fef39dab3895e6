import { setTimeout as sleep } from "node:timers/promises";
import { errorWords } from "./core/errors.ts";
import { isOfSettings, passesByItself, type Trouble } from "./core/outages/trouble.ts";
import { DatabaseAway, isAway, isUnavailable, databaseTrouble } from "./db/connection/failures.ts";

/** How long a start waits for a database that is away. */

/** One that cannot be reached at all soon says so. */
const longestWaitMs = 10_000;
/** One that answers that it starts or stops is where it should be; it may have to read its log first. */
const longestRestartMs = 60_000;

const pauseMs = 250;

/** Asks a database that this process has not met yet: one that is just starting, or being restarted, is waited for. */
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

/** What keeps it away, without the words that say that it is. */
function reasonOf(error: unknown): string {
  return errorWords(error instanceof DatabaseAway ? error.cause : error);
}

/** A wrong password or a name that nobody knows stays wrong: there is nothing to wait for. */
function longestWaitOver(error: unknown): number {
  if (!isUnavailable(error)) return 0;
  const trouble = databaseTrouble(error);
  if (trouble.type === "unknown-host" || isOfSettings(trouble)) return 0;
  return trouble.type === "starting" || trouble.type === "stopping" ? longestRestartMs : longestWaitMs;
}

interface WaitOptions {
  /** What keeps the database away now; null when it answers. */
  readonly probe: () => Promise<Trouble | null>;
  readonly onProgress: (text: string) => void;
  /** Between two looks. */
  readonly everyMs?: number;
}

/**
 * Does a step of a start once the database was met: one that fails because it went away is done again when it is back, however long
 * that takes, as a process that runs waits for it, too. The step may run more than once. Throws what has another reason.
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
