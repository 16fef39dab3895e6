import { setTimeout as sleep } from "node:timers/promises";
import type { Goal, Phase } from "../src/core/goals/goal.ts";
import { pinBase } from "../src/turns/shared/base.ts";
import type { Claimable } from "../src/db/ready-goals.ts";
import { claimNext, type Claim } from "../src/db/leases.ts";
import { ofGoal } from "../src/core/events/write.ts";
import { appendTimeline } from "../src/db/timeline.ts";
import type { Deps } from "../src/deps.ts";
import { logAbout } from "../src/log.ts";
import { asWorked, type Claimed, readClaimed, readWorked, type Recorded, type Worked } from "../src/facts/worked.ts";
import { interruptFor } from "../src/turns/goal/interrupted.ts";
import { askAboutInterruptions, failToStart } from "../src/turns/goal/trouble.ts";
import { findWayTurn } from "../src/turns/goal/find-way.ts";
import { finishTurn } from "../src/turns/goal/finish.ts";
import { layGround, readBeginning } from "../src/turns/goal/ground.ts";
import { regroundTurn } from "../src/turns/goal/reground.ts";
import { endWithoutGround } from "../src/turns/goal/no-ground.ts";
import { implementTurn } from "../src/turns/goal/implement.ts";
import { noteNotFollowed } from "../src/turns/goal/following.ts";
import { bringRecordedWork } from "../src/turns/goal/recorded-work.ts";
import { takeRefusedCallsOf } from "../src/turns/goal/refused-calls.ts";
import { storeOutputs } from "../src/turns/housekeeping/store-outputs.ts";
import { loopTurn } from "../src/turns/task-loop/loop.ts";
import type { SpanAbout } from "../src/tracing/tracing.ts";
import type { StepResult } from "../src/turns/shared/in-turn.ts";
import { leftByThis } from "../src/turns/shared/own-lacks.ts";
import { handBack, handBackUnfit } from "../src/turns/goal/hand-back.ts";
import { heldBy, keepLease, type LeaseKeeper } from "../src/turns/shared/lease-keeper.ts";
import { reviewTurn } from "../src/turns/goal/review.ts";
import { startTurn } from "../src/turns/goal/start.ts";
import { verifyTurn } from "../src/turns/goal/verify.ts";

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
    const held = heldBy(worker.leasedBy);
    const only = (await deps.space()).isShort ? "at-work" : "any";
    const which: Claimable = {
      only,
      labels: deps.config.labels,
      left: leftByThis(deps.database),
      machine: deps.config.machine,
    };
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
    await logAbout({ goalId, turn, ...(sessionId === null ? {} : { sessionId }) }, () =>
      work(deps, worker, claim, claimedAtMs),
    );
  }
}

/** One turn under its lease. */
async function work(deps: Deps, worker: Worker, claim: Claim, claimedAtMs: number): Promise<void> {
  const keeper = keepLease(deps, claim.lease, worker.shutdown, claimedAtMs);
  try {
    const { goalId: goal, sessionId: session, campaignId: campaign, turn, phase } = claim.goal;
    const about = { goal, session, campaign, turn, phase, interrupted: claim.interrupted };
    await deps.tracing.span(
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

/** An error that says that there is no space, or no disk any more, ends the turn as an interruption; every other one is the caller's. */
async function runTurn(deps: Deps, keeper: LeaseKeeper, claim: Claim): Promise<void> {
  const { goalId, turn } = claim.lease;
  deps.log.info("goal.claimed", { goalId, turn, interrupted: claim.interrupted });
  let result: Over;
  try {
    result = await steps(deps, keeper, claim);
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
}

type Over = Extract<StepResult, { type: "over" }>;

/** One phase after the other, until the lease is given back. */
async function steps(deps: Deps, keeper: LeaseKeeper, claim: Claim): Promise<Over> {
  if (claim.interrupted) await clearInterrupted(deps, claim);
  let { goal } = claim;
  let recorded: Recorded | null = null;
  let result: StepResult = await firstStep(deps, keeper, goal);
  while (result.type === "next") {
    recorded = result.recorded ?? recorded;
    const before = goal.phase;
    const claimed: Claimed = result.worked ?? (await readClaimed(deps.database.db, goal.goalId));
    goal = claimed.goal;
    const worked = claimed.run === null ? null : asWorked(claimed);
    result = await step(deps, keeper, { goal, worked, recorded, before });
  }
  return result;
}

/** What an earlier turn recorded may be on another machine: it is brought here before anything goes on from it. */
async function firstStep(deps: Deps, keeper: LeaseKeeper, goal: Goal): Promise<StepResult> {
  if (goal.phase === "start") return await step(deps, keeper, { goal, worked: null, recorded: null, before: null });
  const worked = await readWorked(deps.database.db, goal.goalId);
  const unfit = await handBackUnfit(deps, keeper, goal, worked.repository);
  if (unfit !== null) return unfit;
  const without = await bringRecordedWork(deps, keeper, worked);
  return without ?? (await step(deps, keeper, { goal, worked, recorded: null, before: null }));
}

interface Step {
  readonly goal: Goal;
  /** The goal with its run and repository, where they were read just now. */
  readonly worked: Worked | null;
  /** What its runs had recorded before this turn, where that was read. */
  readonly recorded: Recorded | null;
  /** The phase that this turn has done already; null for its first one. */
  readonly before: Phase | null;
}

/** One phase, and what the goal's own processes called in it and may not. */
async function step(deps: Deps, keeper: LeaseKeeper, next: Step): Promise<StepResult> {
  const { goal } = next;
  await noteNotFollowed(deps, goal);
  const about = { goal: goal.goalId, run: goal.runId, turn: goal.turn, phase: goal.phase };
  const result = await deps.tracing.span(`phase ${goal.phase}`, about, () => perform(deps, keeper, next));
  if (goal.runId !== null) await takeRefusedCallsOf(deps, goal.runId);
  await noteNotFollowed(deps, goal);
  return result;
}

async function perform(deps: Deps, keeper: LeaseKeeper, next: Step): Promise<StepResult> {
  const { goal, worked, before } = next;
  if (goal.interruptions >= deps.policy.goals.interruptionsBeforeHiccup)
    return await askAboutInterruptions(deps, keeper);
  const moved = goal.phase === "start" || goal.after.length === 0 ? null : await regroundTurn(deps, keeper, goal);
  if (moved !== null) return moved;
  switch (goal.phase) {
    case "start": {
      const { repository, work, recorded, payers } = await readBeginning(deps.database.db, goal);
      const unfit = await handBackUnfit(deps, keeper, goal, repository);
      if (unfit !== null) return unfit;
      const base = await pinBase(deps, goal.repositoryId, repository);
      if (base.type === "failed") {
        const left = base.lack === null ? null : await handBack(deps, keeper, base.lack);
        return left ?? (await failToStart(deps, keeper, base.reason));
      }
      const ground = await layGround(deps, goal, base, work);
      switch (ground.type) {
        case "failed":
          return await failToStart(deps, keeper, ground.reason);
        case "laid": {
          const started = await startTurn(deps, keeper, ground.start, payers);
          return started.type === "next" ? { ...started, recorded } : started;
        }
        case "waits":
        case "stuck":
        case "conflict":
          return await endWithoutGround(deps, keeper, ground);
      }
    }
    case "recover":
      return await findWayTurn(deps, keeper);
    case "implement": {
      // Whether it may spend was decided at its start in this very turn, or is asked now (D3).
      const isDecided = before === "start";
      // A goal with tasks works them in its loop; one without is one task itself.
      return goal.taskParallel === null
        ? await implementTurn(deps, keeper, isDecided, worked)
        : await loopTurn(deps, keeper, isDecided);
    }
    case "verify":
      return (await reviewTurn(deps, keeper, goal, "test")) ?? (await verifyTurn(deps, keeper));
    case "finish":
      // Without criteria and checks there was no phase in which the tests were looked at.
      return (
        (await reviewTurn(deps, keeper, goal, "test")) ??
        (await reviewTurn(deps, keeper, goal, "code")) ??
        (await reviewTurn(deps, keeper, goal, "spec")) ??
        (await finishTurn(deps, keeper, worked, next.recorded))
      );
  }
}
