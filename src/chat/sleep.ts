import { setTimeout as delay } from "node:timers/promises";

/** Ends early, without a word, when it is stopping. */
export async function sleep(ms: number, stopping: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: stopping }).catch(() => undefined);
}
