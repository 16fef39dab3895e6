import { setTimeout as delay } from "node:timers/promises";
import { sleep } from "./sleep.ts";

export interface Tries {
  readonly forMs: number;
  /** True when another try may help after this error. */
  readonly isWorth: (error: unknown) => boolean;
  /** When aborted, no further try begins; null when only the time limit ends them. */
  readonly stopping: AbortSignal | null;
}

/** Retries `work` until it succeeds: after 200 ms, then with growing pauses of up to 3 s. Throws what the last try throws. */
export async function tryAgain<Result>(
  work: () => Promise<Result>,
  { forMs, isWorth, stopping }: Tries,
): Promise<Result> {
  const end = performance.now() + forMs;
  for (let pauseMs = 200; ; pauseMs = Math.min(pauseMs * 2, 3000)) {
    try {
      return await work();
    } catch (error) {
      if (!isWorth(error) || performance.now() + pauseMs > end) throw error;
      await (stopping === null ? delay(pauseMs) : sleep(pauseMs, stopping));
      if (stopping?.aborted === true) throw error;
    }
  }
}
