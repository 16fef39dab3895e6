import { NotRecorded } from "./not-recorded.ts";
import type { ReadRest } from "./read-each.ts";
import { sleep } from "./sleep.ts";
import type { ChatLog } from "./platform.ts";

/** What people wrote while nobody listened, fetched after every gap. */

/** Before what failed is tried again; the last one ever after. */
const usualPausesMs = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000];

interface Missed {
  /** What it returns reads the places that a platform failed at. */
  readonly fetch: ReadRest;
  /** The platform's word for what went wrong. */
  readonly word: (error: unknown) => string;
  /** Trying again is of no use before a person has done something. */
  readonly isHopeless: (error: unknown) => boolean;
  readonly name: string;
  readonly log: ChatLog;
  readonly stopping: AbortSignal;
  readonly pausesMs?: readonly number[];
}

/** Fetches what was missed, one time after the other: who asks while it is fetched has it fetched once more. */
export function openCatchUp(missed: Missed): () => void {
  let isRunning = false;
  let again = new AbortController();

  async function run(): Promise<void> {
    while (again.signal.aborted && !missed.stopping.aborted) {
      again = new AbortController();
      await fetchMissed(missed, again.signal);
    }
    isRunning = false;
  }

  return () => {
    again.abort();
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
 * Tries `fetch` until it has gone through, and then what it has left: a limit or an outage only makes it later. Fetching twice is safe,
 * because what is known already is recognised by its id. `again`: all is to be fetched anew, with what is left. Never rejects.
 */
async function fetchMissed(
  { fetch, word, isHopeless, name, log, stopping, pausesMs = usualPausesMs }: Missed,
  again: AbortSignal,
): Promise<void> {
  let read: ReadRest = fetch;
  for (let time = 0; !stopping.aborted && (read === fetch || !again.aborted); time += 1) {
    const pauseMs = pausesMs[time] ?? pausesMs.at(-1) ?? 0;
    try {
      const rest = await read();
      if (rest === null) return;
      read = rest;
    } catch (error) {
      if (!(error instanceof NotRecorded)) log("warn", `${name}.catch-up-put-off`, { error: word(error), pauseMs });
      if (isHopeless(error)) return;
    }
    await sleep(pauseMs, read === fetch ? stopping : AbortSignal.any([stopping, again]));
  }
}
