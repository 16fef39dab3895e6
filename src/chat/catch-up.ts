import { NotRecorded } from "./not-recorded.ts";
import type { ReadRest } from "./read-each.ts";
import { sleep } from "./sleep.ts";
import type { ChatLog } from "./platform.ts";

/** Fetches what people wrote while no process was listening, after every gap. */

/** Pauses before each retry; the last one is used for all further retries. */
const usualPausesMs = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000];

interface Missed {
  /** Fetches everything. The returned function reads the places at which the platform failed. */
  readonly fetch: ReadRest;
  /** Describes an error in the platform's words. */
  readonly word: (error: unknown) => string;
  /** True when a retry is useless until a person has changed something. */
  readonly isHopeless: (error: unknown) => boolean;
  readonly name: string;
  readonly log: ChatLog;
  readonly stopping: AbortSignal;
  readonly pausesMs?: readonly number[];
}

/** Returns a function that starts a fetch. Only one fetch runs at a time; a call during a fetch starts another one after it. */
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

/**
 * Waits for `work`, which records an event. If the database was away for too long, starts a fetch instead. Rejects with any other error
 * of `work`.
 */
export async function hearOrFetch(work: Promise<unknown>, fetch: () => void): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof NotRecorded)) throw error;
    fetch();
  }
}

/**
 * Returns a function that gets the result of each call into the channel. Calls `onOpen` when a call succeeds after one was shut out: the
 * platform sent no events for what was written in between.
 */
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
 * Retries `fetch` until it succeeds, then retries the places that it left. A rate limit or an outage only delays it. Fetching twice is
 * safe: known messages are recognised by their id. Stops early when `again` is aborted while only places are left, because then
 * everything is fetched anew. Never rejects.
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
