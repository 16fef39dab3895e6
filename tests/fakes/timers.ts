import type { Timers } from "../../src/agent/process/timers.ts";

/** Timers of a clock that a test moves: nothing comes due by itself, however slow the machine is. */
export interface HandTimers extends Timers {
  /** Moves the clock; what comes due meanwhile is called, in its order. */
  advance(ms: number): void;
  /** How many wait; with a length, those that were begun with exactly that; with a time, those that come due within it. */
  waiting(ms?: number, within?: number): number;
}

export function handTimers(): HandTimers {
  const waits = new Set<{ readonly at: number; readonly ms: number; readonly work: () => void }>();
  let now = 0;
  return {
    after(ms, work) {
      // What is due at once needs no clock.
      if (ms <= 0) {
        const immediate = setImmediate(work);
        return () => clearImmediate(immediate);
      }
      const wait = { at: now + ms, ms, work };
      waits.add(wait);
      return () => waits.delete(wait);
    },
    advance(ms) {
      now += ms;
      for (const wait of [...waits].sort((a, b) => a.at - b.at)) {
        if (wait.at > now || !waits.delete(wait)) continue;
        wait.work();
      }
    },
    waiting: (ms, within) =>
      [...waits].filter((wait) => (ms ?? wait.ms) === wait.ms && wait.at <= now + (within ?? Infinity)).length,
  };
}
