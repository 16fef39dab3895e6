import { setTimeout as delay } from "node:timers/promises";
import { troubleOf } from "./rest.ts";

/** How long an answer is sent again, and whether it may reach Discord twice without being shown twice. */
export interface AgainLimits {
  readonly forMs: number;
  readonly isSafeTwice: boolean;
}

/**
 * Makes a call again while the network loses it, or Discord fails. What may be shown already is made again only where that shows
 * nothing twice. Throws what the last call throws.
 */
export async function sendAgain<Result>(
  call: () => Promise<Result>,
  { forMs, isSafeTwice }: AgainLimits,
): Promise<Result> {
  const end = performance.now() + forMs;
  for (let pauseMs = 200; ; pauseMs = Math.min(pauseMs * 2, 3000)) {
    try {
      return await call();
    } catch (error) {
      if (!isLost(error, isSafeTwice) || performance.now() + pauseMs > end) throw error;
      await delay(pauseMs);
    }
  }
}

/** Limits are waited for by the client itself. */
function isLost(error: unknown, isSafeTwice: boolean): boolean {
  const trouble = troubleOf(error);
  if (trouble.type !== "retry" || (trouble.why !== "unreachable" && trouble.why !== "failed")) return false;
  return isSafeTwice || !trouble.mayBeShown;
}
