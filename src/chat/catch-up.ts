import { NotRecorded } from "./not-recorded.ts";
import { sleep } from "./sleep.ts";
import type { ChatLog } from "./platform.ts";

/** What people wrote while nobody listened, fetched after every gap. */

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

interface Missed {
  readonly fetch: () => Promise<void>;
  /** The platform's word for what went wrong. */
  readonly word: (error: unknown) => string;
  /** Trying again is of no use before a person has done something. */
  readonly isHopeless: (error: unknown) => boolean;
  readonly name: string;
  readonly log: ChatLog;
  readonly stopping: AbortSignal;
}

/** Fetches what was missed, one time after the other: who asks while it is fetched has it fetched once more. */
export function openCatchUp(missed: Missed): () => void {
  let isRunning = false;
  let again = false;

  async function run(): Promise<void> {
    while (again && !missed.stopping.aborted) {
      again = false;
      await fetchMissed(missed);
    }
    isRunning = false;
  }

  return () => {
    again = true;
    if (isRunning) return;
    isRunning = true;
    void run();
  };
}

/** Hears what somebody has done; where the database is away for too long, it is fetched once it is back. Rejects with what else `work` does. */
export async function hearOrFetch(work: Promise<unknown>, fetch: () => void): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof NotRecorded)) throw error;
    fetch();
  }
}

/** Hears how calls into the channel end, and says when it lets us in again after it had not: nobody told us of what was written meanwhile. */
export function openDoorWatch(onOpen: () => void): (call: "well" | "shut" | "other") => void {
  let isShut = false;
  return (call) => {
    if (call === "shut") isShut = true;
    if (call !== "well" || !isShut) return;
    isShut = false;
    onOpen();
  };
}

/**
 * Tries `fetch` until it has gone through: a limit or an outage only makes it later. Fetching twice is safe, because what
 * is known already is recognised by its id. Never rejects.
 */
async function fetchMissed({ fetch, word, isHopeless, name, log, stopping }: Missed): Promise<void> {
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
