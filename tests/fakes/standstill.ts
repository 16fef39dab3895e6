import { setTimeout as sleep } from "node:timers/promises";

/** How long a process stood still at most, in ms. */
export interface Standstill {
  longestMs(): number;
  stop(): number;
}

/** Watches how long this process, or what answers `ask`, stands still. */
export function watchStandstill(ask: () => Promise<unknown>): Standstill {
  let longestMs = 0;
  const over = new AbortController();
  void (async () => {
    for (let last = performance.now(); !over.signal.aborted; last = performance.now()) {
      await sleep(50);
      if (!over.signal.aborted) await ask();
      longestMs = Math.max(longestMs, performance.now() - last);
    }
  })();
  return {
    longestMs: () => longestMs,
    stop() {
      over.abort();
      return longestMs;
    },
  };
}
