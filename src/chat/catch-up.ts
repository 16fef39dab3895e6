import { NotRecorded } from "./not-recorded.ts";
import { sleep } from "./sleep.ts";
import type { ChatLog } from "./platform.ts";

/** What people wrote while nobody listened, fetched after every gap. */

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

/**
 * Tries `fetch` until it has gone through: a limit or an outage only makes it later. Fetching twice is safe, because what
 * is known already is recognised by its id. Never rejects.
 */
export async function fetchMissed(options: {
  readonly fetch: () => Promise<void>;
  /** The platform's word for what went wrong. */
  readonly word: (error: unknown) => string;
  /** Trying again is of no use before a person has done something. */
  readonly isHopeless: (error: unknown) => boolean;
  readonly name: string;
  readonly log: ChatLog;
  readonly stopping: AbortSignal;
}): Promise<void> {
  const { fetch, word, isHopeless, name, log, stopping } = options;
  for (let pauseMs = firstPauseMs; !stopping.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await fetch();
    } catch (error) {
      if (!(error instanceof NotRecorded)) log("warn", `${name}.catch-up-put-off`, { error: word(error), pauseMs });
      if (isHopeless(error)) return;
      await sleep(pauseMs, stopping);
    }
  }
}
