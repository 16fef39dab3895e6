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

/** What the worker's loop needs beside the doors: who it is, and when to stop. */
export interface Worker {
  /** `machine/pid/start time` (D4). */
  readonly leasedBy: string;
  readonly shutdown: AbortSignal;
}

/**
 * Claims ready goals and moves each one as far as it goes, until none is left. Called for every doorbell and by the
 * tick; a call that finds nothing returns at once. What is ready but locked just now is looked at again, so that nobody
 * sleeps while work is left (D6). An error in one turn ends that turn only: its lease runs out and the goal is claimed
 * again (D8).
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
    // What became ready since then was rung for.
    if (isDone && !claimed.isLeft && timesReady(deps.database) === readyBefore) return;
  }
}

/** One turn under its lease; true when its goal is done. */
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
    // What it has started is not left behind.
    keeper.cut("lost");
    throw error;
  } finally {
    keeper.stop();
  }
}

/** How the goal stands after its turn, or why that was cut. Asked only where somebody looks at spans. */
async function cameTo({ database }: Pick<Deps, "database">, keeper: LeaseKeeper): Promise<SpanAbout> {
  const { goal, repository } = await readClaimed(database.db, keeper.lease.goalId);
  const outcome = keeper.cutReason() ?? goal.status;
  return { outcome, run: goal.runId, repository: repository?.name ?? null };
}

/** Between two looks at goals whose rows somebody holds. */
const longestPauseMs = 1000;

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

/**
 * The turn before this one was cut short by us: its children, which may have outlived it, end before anything begins (D5),
 * and it is said once, so that `why` shows the hop.
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

/** So that `why` shows who goes on after a stop, an answer or a wait. */
async function tellPickedUp({ config, database, now }: Deps, { goal, lease }: Claim): Promise<void> {
  await appendTimeline(database.db, {
    event: "goal.picked-up",
    ...ofGoal(goal, now()),
    detail: { machine: config.machine, turn: lease.turn, phase: goal.phase },
  });
}

/** An error that says that there is no space, or no disk any more, ends the turn as an interruption; every other one is the caller's. */
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
  // Last: a store that is slow keeps this worker from its next goal, and nobody else.
  await storeOutputs(deps);
  return result.isDone === true;
}
