/** Where waiting comes from: time itself in the product, a clock set by hand in tests, which no slow machine can run ahead of. */
export interface Timers {
  /** Calls `work` once after `ms` milliseconds, or after 24 days where that is longer, unless the returned function was called before. */
  after(ms: number, work: () => void): () => void;
}

/** Node fires a timer that is longer at once. */
const longestMs = 2 ** 31 - 1;

export const realTimers: Timers = {
  after(ms, work) {
    const timer = setTimeout(work, Math.min(ms, longestMs));
    return () => clearTimeout(timer);
  },
};
