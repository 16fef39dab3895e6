/** Nobody waits longer because somebody outside, or what stands before them, said so. */
export const longestAskedMs = 60 * 60_000;

/** How long is waited of what somebody outside asked for, at least `leastMs`, whatever that was: no time, one that has passed, years. */
export function askedWaitMs(ms: number, leastMs: number): number {
  return Number.isNaN(ms) ? 1000 : Math.min(Math.max(ms, leastMs), longestAskedMs);
}
