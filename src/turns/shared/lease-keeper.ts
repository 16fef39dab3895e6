import type { CutReason } from "../../core/goals/after.ts";
import { type Lease, renewLease } from "../../db/leases.ts";
import type { LiveLease } from "../../db/turn-locks.ts";
import type { Deps } from "../../deps.ts";

/** Keeps the lease of a turn from its claim to its last write, and says why the work must end. */
export interface LeaseKeeper {
  readonly lease: Lease;
  /** Aborts when the work must end; `cutReason` then says why. */
  readonly signal: AbortSignal;
  cutReason(): CutReason | null;
  /** Ends the work for a reason of its own, such as a ceiling. The first reason stands. */
  cut(reason: CutReason): void;
  /**
   * Before a child is started or anything outside of the database is changed: renews when that is longer ago than this, by
   * default when it is overdue (this process may have stood still), and returns why the work must end, null when the lease
   * is ours. With 0 the database is asked in any case.
   */
  confirm(atMostMs?: number): Promise<CutReason | null>;
  /** The same by what was read of the lease just now (`readLease`): with what else is asked then it is one statement. */
  confirmAs(seen: LiveLease | null): Promise<CutReason | null>;
  /** Whether the next renewal is due. */
  isDue(): boolean;
  /** The lease was renewed by a statement that was sent then. */
  renewed(sentAtMs: number): void;
  /**
   * While a transaction of the turn holds its row, nobody can take the lease, and a renewal would only wait. Returns what to
   * call when the transaction is over.
   */
  lock(): () => void;
  /** Call once, when the turn is over. */
  stop(): void;
}

type KeeperDeps = Pick<Deps, "database" | "policy" | "signals" | "log">;

/** The leases that this process keeps now, also those that it has lost and whose work is still being ended. */
const kept = new Set<Lease>();

/** The goals that are still worked here under this name: they are not claimed again, whatever became of their leases. */
export function goalsWorkedBy(leasedBy: string): string[] {
  return [...kept].filter((lease) => lease.leasedBy === leasedBy).map((lease) => lease.goalId);
}

/**
 * Renews every few seconds and learns in the same statement what a person asked (D4); a notification makes it look at
 * once. When it could not renew for long, the lease counts as lost: another worker may have the goal by now. `claimedAtMs`:
 * this process's running time (`performance.now`) before the claim was sent; all times here are taken before a statement is
 * sent, so that the lease lasts longer than we think, never shorter.
 */
export function keepLease(deps: KeeperDeps, lease: Lease, shutdown: AbortSignal, claimedAtMs: number): LeaseKeeper {
  const { renewEveryMs, giveUpAfterMs } = deps.policy.lease;
  const controller = new AbortController();
  let reason: CutReason | null = null;
  let renewedAtMs = claimedAtMs;
  let renewing: Promise<void> | null = null;
  let locks = 0;
  kept.add(lease);

  const sinceRenewedMs = (): number => performance.now() - renewedAtMs;

  function noteRenewal(sentAtMs: number): void {
    renewedAtMs = Math.max(renewedAtMs, sentAtMs);
  }

  function cut(why: CutReason): void {
    reason ??= why;
    controller.abort();
  }

  function renew(): Promise<void> {
    // The transaction that holds the row renews it; a second statement would only wait for it.
    if (locks > 0 || reason === "lost") return Promise.resolve();
    renewing ??= renewNow().finally(() => {
      renewing = null;
    });
    return renewing;
  }

  async function renewNow(): Promise<void> {
    const sentAtMs = performance.now();
    try {
      const renewed = await renewLease(deps.database.db, lease);
      if (renewed.type === "lost") return cut("lost");
      noteRenewal(sentAtMs);
      if (renewed.stopRequested !== null) cut(renewed.stopRequested);
    } catch (error) {
      deps.log.warn("lease.not-renewed", { goalId: lease.goalId, error });
    }
  }

  /** A renewal that hangs must not outlive the lease. */
  function giveUpWhenLate(): void {
    if (locks === 0 && sinceRenewedMs() > giveUpAfterMs) cut("lost");
  }

  const stopLooking = lookForCuts(deps, lease, shutdown, { renew: () => void renew(), giveUpWhenLate, cut });
  // A claim that took long has used up some of its lease.
  if (sinceRenewedMs() >= renewEveryMs) void renew();

  return {
    lease,
    signal: controller.signal,
    cutReason: () => reason,
    cut,
    async confirm(atMostMs = 2 * renewEveryMs) {
      if (sinceRenewedMs() > atMostMs) await renew();
      giveUpWhenLate();
      return reason;
    },
    async confirmAs(seen) {
      await heed(seen, { cut, renew, enoughMs: lease.forMs - giveUpAfterMs });
      giveUpWhenLate();
      return reason;
    },
    isDue: () => sinceRenewedMs() >= renewEveryMs,
    renewed: noteRenewal,
    lock() {
      locks += 1;
      return () => {
        locks -= 1;
      };
    },
    stop() {
      stopLooking();
      kept.delete(lease);
    },
  };
}

/** Hears what was read of a lease: it ends the work, or is renewed where little is left of it, as after a machine has stood still. */
async function heed(
  seen: LiveLease | null,
  keeper: { cut(why: CutReason): void; renew(): Promise<void>; readonly enoughMs: number },
): Promise<void> {
  const why = seen === null ? "lost" : seen.stopRequested;
  if (why !== null) keeper.cut(why);
  if (seen !== null && seen.leftMs < keeper.enoughMs) await keeper.renew();
}

/** Renews on a timer, and looks for what cuts the turn; answers how to stop that. */
function lookForCuts(
  deps: KeeperDeps,
  lease: Lease,
  shutdown: AbortSignal,
  { renew, giveUpWhenLate, cut }: { renew(): void; giveUpWhenLate(): void; cut(why: CutReason): void },
): () => void {
  const { renewEveryMs, giveUpAfterMs } = deps.policy.lease;
  const timer = setInterval(renew, renewEveryMs);
  const watchdog = setInterval(giveUpWhenLate, Math.min(1000, giveUpAfterMs / 4));
  const unsubscribe = deps.signals.on((signal) => {
    if (signal.type === "stop" && signal.goalId === lease.goalId) renew();
  });
  const onShutdown = () => cut("shutdown");
  if (shutdown.aborted) onShutdown();
  shutdown.addEventListener("abort", onShutdown, { once: true });
  return () => {
    clearInterval(timer);
    clearInterval(watchdog);
    unsubscribe();
    shutdown.removeEventListener("abort", onShutdown);
  };
}

/** The keeper for one phase: what cuts the turn cuts it too, and its own reasons, such as a ceiling, end with it. */
export function keepPhase(keeper: LeaseKeeper): LeaseKeeper {
  const controller = new AbortController();
  let own: CutReason | null = null;
  const cutReason = (): CutReason | null => own ?? keeper.cutReason();
  return {
    ...keeper,
    signal: AbortSignal.any([keeper.signal, controller.signal]),
    cutReason,
    cut(reason) {
      if (cutReason() === null) own = reason;
      controller.abort();
    },
    async confirm(atMostMs) {
      await keeper.confirm(atMostMs);
      return cutReason();
    },
    async confirmAs(seen) {
      await keeper.confirmAs(seen);
      return cutReason();
    },
  };
}
