import { setTimeout as sleep } from "node:timers/promises";
import type { Claimable } from "../src/db/ready-goals.ts";
import { claimNext, type Claim } from "../src/db/leases.ts";
import { ofGoal } from "../src/core/events/write.ts";
import { appendTimeline } from "../src/db/timeline.ts";
import type { Deps } from "../src/deps.ts";
import { logAbout } from "../src/log.ts";
import { readClaimed } from "../src/facts/worked.ts";
import { interruptFor } from "../src/turns/goal/interrupted.ts";
import { storeOutputs } from "../src/turns/housekeeping/store-outputs.ts";
import type { SpanAbout } from "../src/tracing/tracing.ts";
import { timesReady } from "../src/turns/shared/next.ts";
import { leftByThis } from "../src/turns/shared/own-lacks.ts";
import { goalsWorkedBy, keepLease, type LeaseKeeper } from "../src/turns/shared/lease-keeper.ts";
import { type Over, runPhases } from "./phases.ts";

/** The worker of a loop: its identity, and when to stop. */
export interface Worker {
  /** `machine/pid/start time` (D4). */
  readonly leasedBy: string;
  readonly shutdown: AbortSignal;
}

/**
 * Claims ready goals and works each one as far as possible, until none is left. Called for every doorbell and by the tick. Returns at once
 * when nothing is ready. Goals that are ready but locked are tried again, so that no loop stops while work is left (D6). An error ends only
 * its own turn: the lease expires and the goal is claimed again (D8).
 */
export async function runGoals(deps: Deps, worker: Worker): Promise<void> {
  const { db } = deps.database;
  let inVain = 0;
  while (!worker.shutdown.aborted) {
    const held = goalsWorkedBy(worker.leasedBy);
    const only = (await deps.space()).isShort ? "at-work" : "any";
    const which: Claimable = {
      only,
      labels: deps.config.labels,
      left: leftByThis(deps.database),
      machine: deps.config.machine,
    };
    const readyBefore = timesReady(deps.database);
    const claimedAtMs = performance.now();
    const claimed = await claimNext(db, {
      leasedBy: worker.leasedBy,
      forMs: deps.policy.lease.forMs,
      now: deps.now(),
      held,
      which,
    });
    if (claimed.type === "none") {
      if (!claimed.isLeft) return;
      inVain += 1;
      await pause(Math.min(longestPauseMs, 10 * 2 ** inVain), worker.shutdown);
      continue;
    }
    inVain = 0;
    const { claim } = claimed;
    const { goalId, sessionId, turn } = claim.goal;
    const about = { goalId, turn, ...(sessionId === null ? {} : { sessionId }) };
    const isDone = await logAbout(deps, about, (doors) => work(doors, worker, claim, claimedAtMs));
    // Goals that became ready since then have rung the doorbell.
    if (isDone && !claimed.isLeft && timesReady(deps.database) === readyBefore) return;
  }
}

/** Runs one turn under its lease. True when the goal is done. */
async function work(deps: Deps, worker: Worker, claim: Claim, claimedAtMs: number): Promise<boolean> {
  const keeper = keepLease(deps, claim.lease, worker.shutdown, claimedAtMs);
  try {
    const { goalId: goal, sessionId: session, campaignId: campaign, turn, phase } = claim.goal;
    const about = { goal, session, campaign, turn, phase, interrupted: claim.interrupted };
    return await deps.tracing.span(
      "turn",
      about,
      () => runTurn(deps, keeper, claim),
      () => cameTo(deps, keeper),
    );
  } catch (error) {
    // Ends the processes that the turn has started.
    keeper.cut("lost");
    throw error;
  } finally {
    keeper.stop();
  }
}

/** The goal's status after its turn, or why the turn was interrupted. Read only when spans are exported. */
async function cameTo({ database }: Pick<Deps, "database">, keeper: LeaseKeeper): Promise<SpanAbout> {
  const { goal, repository } = await readClaimed(database.db, keeper.lease.goalId);
  const outcome = keeper.cutReason() ?? goal.status;
  return { outcome, run: goal.runId, repository: repository?.name ?? null };
}

/** Longest pause between two tries at locked goals, in milliseconds. */
const longestPauseMs = 1000;

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

/**
 * After a turn that was interrupted: ends processes that may have outlived it (D5), and records the interruption once, for `why`.
 */
async function clearInterrupted(deps: Deps, { goal, lease }: Claim): Promise<void> {
  const { runId, interruptions, phase } = goal;
  if (runId !== null) await deps.executor.endRun(runId);
  await appendTimeline(deps.database.db, {
    event: "goal.interrupted",
    ...ofGoal(goal, deps.now()),
    detail: { turn: lease.turn, interruptions, phase },
  });
}

/** Records which machine continues after a stop, an answer or a wait, for `why`. */
async function tellPickedUp({ config, database, now }: Deps, { goal, lease }: Claim): Promise<void> {
  await appendTimeline(database.db, {
    event: "goal.picked-up",
    ...ofGoal(goal, now()),
    detail: { machine: config.machine, turn: lease.turn, phase: goal.phase },
  });
}

/** Runs the phases of a turn. A missing or full disk interrupts the turn; other errors are thrown to the caller. */
async function runTurn(deps: Deps, keeper: LeaseKeeper, claim: Claim): Promise<boolean> {
  const { goalId, turn } = claim.lease;
  deps.log.info("goal.claimed", { goalId, turn, interrupted: claim.interrupted });
  let result: Over;
  try {
    if (claim.interrupted) await clearInterrupted(deps, claim);
    else if (claim.goal.phase !== "start") await tellPickedUp(deps, claim);
    result = await runPhases(deps, keeper, claim.goal);
  } catch (error) {
    const interrupted = await interruptFor(deps, keeper, error);
    if (interrupted === null) throw error;
    result = interrupted;
  }
  deps.log.info("turn.over", { goalId, turn });
  if (claim.goal.campaignId !== null) await deps.ring("run-campaign-day");
  if (result.ringAfterMs != null) await deps.ring("retry-goal", result.ringAfterMs);
  // Last, so that a slow store delays only this worker's next goal.
  await storeOutputs(deps);
  return result.isDone === true;
}
