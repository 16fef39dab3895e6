/** In seconds: of a short one the machine may be busy, and limits that differ by little are the same. */
const shortest = 30;
const times = 10;

/**
 * How long a trial may take, in seconds: a test that fails often waits for ever, since it does not come to closing its server. Never
 * longer than the command itself may, and ten times as long as it took with the work (`tookMs`; null: not known).
 */
export function trialLimit(timeoutSeconds: number, tookMs: number | null): number {
  if (tookMs === null) return timeoutSeconds;
  const limit = Math.ceil((times * tookMs) / (shortest * 1000)) * shortest;
  return Math.min(timeoutSeconds, Math.max(shortest, limit));
}
