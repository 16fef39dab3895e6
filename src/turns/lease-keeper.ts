import type { CutReason } from "../core/goals/after.ts";
import { type Lease, renewLease } from "../db/leases.ts";
import type { Deps } from "../deps.ts";

/** Keeps a lease while its turn works, and says why the work must end. */
export interface LeaseKeeper {
  /** Aborts when the work must end; `cutReason` then says why. */
  readonly signal: AbortSignal;
  cutReason(): CutReason | null;
  /** Ends the work for a reason of the turn's own, such as its ceiling. The first reason stands. */
  cut(reason: CutReason): void;
  stop(): void;
}

/**
 * Renews every few seconds and learns in the same statement what a person asked (D4); a notification makes it look at
 * once. When it could not renew for long, the lease counts as lost: another worker may have the goal by now.
 */
export function keepLease(
  deps: Pick<Deps, "database" | "policy" | "signals" | "log">,
  lease: Lease,
  shutdown: AbortSignal,
): LeaseKeeper {
  const { forMs, renewEveryMs, giveUpAfterMs } = deps.policy.lease;
  const controller = new AbortController();
  let reason: CutReason | null = null;
  let lastRenewed = performance.now();
  let renewing = false;

  function cut(why: CutReason): void {
    reason ??= why;
    controller.abort();
  }

  async function renew(): Promise<void> {
    if (renewing) return;
    renewing = true;
    try {
      const renewed = await renewLease(deps.database.db, lease, forMs);
      lastRenewed = performance.now();
      if (renewed.type === "lost") cut("lost");
      else if (renewed.stopRequested !== null) cut(renewed.stopRequested);
    } catch (error) {
      deps.log.warn("lease.not-renewed", { goalId: lease.goalId, error });
    } finally {
      renewing = false;
    }
    if (performance.now() - lastRenewed > giveUpAfterMs) cut("lost");
  }

  const timer = setInterval(() => void renew(), renewEveryMs);
  // A renewal that hangs must not outlive the lease.
  const watchdog = setInterval(() => {
    if (performance.now() - lastRenewed > giveUpAfterMs) cut("lost");
  }, 1000);
  const unsubscribe = deps.signals.on((signal) => {
    if (signal.type === "stop" && signal.goalId === lease.goalId) void renew();
  });
  const onShutdown = () => cut("shutdown");
  if (shutdown.aborted) onShutdown();
  shutdown.addEventListener("abort", onShutdown, { once: true });

  return {
    signal: controller.signal,
    cutReason: () => reason,
    cut,
    stop() {
      clearInterval(timer);
      clearInterval(watchdog);
      unsubscribe();
      shutdown.removeEventListener("abort", onShutdown);
    },
  };
}
