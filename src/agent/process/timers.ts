/** The source of waiting: real time in the product, a manual clock in tests, so that no slow machine affects them. */
export interface Timers {
  /** Calls `work` once after `ms` milliseconds (at most 24 days), unless the returned function was called before. */
  after(ms: number, work: () => void): () => void;
}

/** Node fires a longer timer immediately. */
const longestMs = 2 ** 31 - 1;

export const realTimers: Timers = {
  after(ms, work) {
    const timer = setTimeout(work, Math.min(ms, longestMs));
    return () => clearTimeout(timer);
  },
};
