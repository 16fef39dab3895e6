/** Maximum wait that an external server can cause. */
export const longestAskedMs = 60 * 60_000;

/** Returns the time to wait when an external server asked for `ms`: at least `leastMs`, at most an hour, and 1 s for NaN. */
export function askedWaitMs(ms: number, leastMs: number): number {
  return Number.isNaN(ms) ? 1000 : Math.min(Math.max(ms, leastMs), longestAskedMs);
}
