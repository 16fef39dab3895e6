/** Where waiting comes from: time itself in the product, a clock set by hand in tests, which no slow machine can run ahead of. */
export interface Timers {
  /** Calls `work` once after `ms` milliseconds, unless the returned function was called before. */
  after(ms: number, work: () => void): () => void;
}

export const realTimers: Timers = {
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};
