import { setTimeout as delay } from "node:timers/promises";

/** Waits. Resolves early when `stopping` is aborted; never rejects. */
export async function sleep(ms: number, stopping: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: stopping }).catch(() => undefined);
}
