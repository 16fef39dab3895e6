import type { Goal } from "../src/core/goals/goal.ts";
import { getGoal } from "../src/db/goals.ts";
import { pinBase } from "../src/turns/base.ts";
import { claimGoal, type Claim } from "../src/db/leases.ts";
import { appendTimeline } from "../src/db/timeline.ts";
import type { Deps } from "../src/deps.ts";
import { askAboutInterruptions, failToStart } from "../src/turns/trouble.ts";
import { findWayTurn } from "../src/turns/find-way.ts";
import { finishTurn } from "../src/turns/finish.ts";
import { layGround, regroundTurn } from "../src/turns/ground.ts";
import { endWithoutGround } from "../src/turns/no-ground.ts";
import { implementTurn } from "../src/turns/implement.ts";
import { loopTurn } from "../src/turns/task-loop/loop.ts";
import { type StepResult, startTurn } from "../src/turns/start.ts";
import { verifyTurn } from "../src/turns/verify.ts";

/** What the worker's loop needs beside the doors: who it is, and when to stop. */
export interface Worker {
  /** `machine/pid/start time` (D4). */
  readonly leasedBy: string;
  readonly shutdown: AbortSignal;
}

/**
 * Claims ready goals and moves each one as far as it goes, until none is left. Called for every doorbell and by the
 * tick; a call that finds nothing returns at once. An error in one turn ends that turn only: its lease runs out and
 * the goal is claimed again (D8).
 */
export async function runGoals(deps: Deps, worker: Worker): Promise<void> {
  while (!worker.shutdown.aborted) {
    const claim = await claimGoal(deps.database.db, worker.leasedBy, deps.policy.lease.forMs, deps.now());
    if (claim === null) return;
    deps.log.info("goal.claimed", {
      goalId: claim.goal.goalId,
      turn: claim.lease.turn,
      interrupted: claim.interrupted,
    });
    if (claim.interrupted) await tellInterrupted(deps, claim);
    await runTurn(deps, worker, claim);
  }
}

/** The turn before this one was cut short by us: said once, so that `why` shows the hop. */
async function tellInterrupted(deps: Deps, { goal, lease }: Claim): Promise<void> {
  const { goalId, sessionId, runId, interruptions, phase } = goal;
  const detail = { turn: lease.turn, interruptions, phase };
  await appendTimeline(deps.database.db, {
    event: "goal.interrupted",
    goalId,
    sessionId,
    runId,
    at: deps.now(),
    detail,
  });
}

async function runTurn(deps: Deps, worker: Worker, claim: Claim): Promise<void> {
  const { lease } = claim;
  let result: StepResult = await step(deps, worker, claim, claim.goal);
  while (result.type === "next") {
    const goal = await getGoal(deps.database.db, lease.goalId);
    if (goal === null) throw new Error(`goal ${lease.goalId} vanished in its turn`);
    result = await step(deps, worker, claim, goal);
  }
  deps.log.info("turn.over", { goalId: lease.goalId, turn: lease.turn });
  if (result.ring) await deps.ring("run-goal");
  else if (claim.goal.campaignId !== null) await deps.ring("run-campaign-day");
  if (result.ringAfterMs != null) await deps.ring("retry-goal", result.ringAfterMs);
}

async function step(deps: Deps, worker: Worker, { lease }: Claim, goal: Goal): Promise<StepResult> {
  if (goal.interruptions >= deps.policy.goals.interruptionsBeforeHiccup)
    return await askAboutInterruptions(deps, lease);
  const moved = goal.phase === "start" || goal.after.length === 0 ? null : await regroundTurn(deps, lease, goal);
  if (moved !== null) return moved;
  switch (goal.phase) {
    case "start": {
      const base = await pinBase(deps, goal.repositoryId);
      if (base.type === "failed") return await failToStart(deps, lease, base.reason);
      const ground = await layGround(deps, goal, base);
      switch (ground.type) {
        case "failed":
          return await failToStart(deps, lease, ground.reason);
        case "laid":
          return await startTurn(deps, lease, base.commit, ground.start);
        case "waits":
        case "stuck":
        case "conflict":
          return await endWithoutGround(deps, lease, ground);
      }
    }
    case "recover":
      return await findWayTurn(deps, lease, worker.shutdown);
    case "implement":
      // A goal with tasks works them in its loop; one without is one task itself.
      return goal.taskParallel === null
        ? await implementTurn(deps, lease, worker.shutdown)
        : await loopTurn(deps, lease, worker.shutdown);
    case "verify":
      return await verifyTurn(deps, lease, worker.shutdown);
    case "finish":
      return await finishTurn(deps, lease, worker.shutdown);
  }
}
