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
  /** Ends the work for another reason, such as a ceiling. The first reason is kept. */
  cut(reason: CutReason): void;
  /**
   * To be called before a child process is started or anything outside the database is changed. Renews the lease if the last renewal is older
   * than `atMostMs`, by default if it is overdue (this process may have been suspended). Returns why the work must end, or null when the
   * lease is ours. With 0 it always asks the database.
   */
  confirm(atMostMs?: number): Promise<CutReason | null>;
  /** The same with a lease that the caller has just read (`readLease`), so that one statement can read other facts too. */
  confirmAs(seen: LiveLease | null): Promise<CutReason | null>;
  /** True when the next renewal is due. */
  isDue(): boolean;
  /** Notes that a statement sent at this time has renewed the lease. */
  renewed(sentAtMs: number): void;
  /**
   * Notes that a transaction of the turn has locked the goal's row. Until it ends, no other worker can take the lease, and a renewal would
   * only wait. Returns the function to call when the transaction is over.
   */
  lock(): () => void;
  /** Call once, when the turn is over. */
  stop(): void;
}

type KeeperDeps = Pick<Deps, "database" | "policy" | "signals" | "log">;

/** The leases that this process keeps, including lost ones whose work is still being ended. */
const kept = new Set<Lease>();

/** Returns the goals that this process still works under this name. They are not claimed again, even if their leases were lost. */
export function goalsWorkedBy(leasedBy: string): string[] {
  return [...kept].filter((lease) => lease.leasedBy === leasedBy).map((lease) => lease.goalId);
}

/**
 * Renews the lease every few seconds. The same statement reads a person's stop request (D4), and a notification causes a renewal at once.
 * When it could not renew for too long, the lease counts as lost, because another worker may have the goal. `claimedAtMs`: this
 * process's running time (`performance.now`) before the claim was sent. All times are taken before a statement is sent, so that the
 * lease never ends earlier than assumed here.
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
    // The transaction that has locked the row renews the lease itself.
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

  /** Counts the lease as lost when it was not renewed in time, for example because a renewal hangs. */
  function giveUpWhenLate(): void {
    if (locks === 0 && sinceRenewedMs() > giveUpAfterMs) cut("lost");
  }

  const stopLooking = lookForCuts(deps, lease, shutdown, { renew: () => void renew(), giveUpWhenLate, cut });
  // A slow claim has already used a part of its lease.
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

/** Acts on a lease that was read: cuts the work, or renews the lease if little time is left, for example after the machine was suspended. */
async function heed(
  seen: LiveLease | null,
  keeper: { cut(why: CutReason): void; renew(): Promise<void>; readonly enoughMs: number },
): Promise<void> {
  const why = seen === null ? "lost" : seen.stopRequested;
  if (why !== null) keeper.cut(why);
  if (seen !== null && seen.leftMs < keeper.enoughMs) await keeper.renew();
}

/** Renews on a timer and cuts the turn on a stop request or at shutdown. Returns the function that ends this. */
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

/** Returns a keeper for one phase. Reasons that cut the turn also cut the phase. Reasons of the phase, such as a ceiling, do not cut the turn. */
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
