/** In seconds. No limit is shorter, since the machine may be busy. Each limit is a multiple of it, so that limits seldom differ. */
const shortest = 30;
const times = 10;

/**
 * Returns the timeout of a trial in seconds: ten times as long as the command took with the work (`tookMs`; null when not known), but
 * never longer than the command's own timeout. Trials need a timeout because a failing test often hangs: it never closes its server.
 */
export function trialLimit(timeoutSeconds: number, tookMs: number | null): number {
  if (tookMs === null) return timeoutSeconds;
  const limit = Math.ceil((times * tookMs) / (shortest * 1000)) * shortest;
  return Math.min(timeoutSeconds, Math.max(shortest, limit));
}
