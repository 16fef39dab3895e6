/** In seconds. No limit is shorter, since the machine may be busy, and each is a multiple of it, so that limits seldom differ. */
const shortest = 30;
const times = 10;

/**
 * How long a trial may take, in seconds: ten times as long as the command took with the work (`tookMs`; null: not known), and never longer
 * than the command itself may. There is a limit because a test that fails often hangs: it never closes its server.
 */
export function trialLimit(timeoutSeconds: number, tookMs: number | null): number {
  if (tookMs === null) return timeoutSeconds;
  const limit = Math.ceil((times * tookMs) / (shortest * 1000)) * shortest;
  return Math.min(timeoutSeconds, Math.max(shortest, limit));
}
