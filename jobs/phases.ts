import type { Goal, Phase } from "../src/core/goals/goal.ts";
import { pinBase } from "../src/turns/shared/base.ts";
import type { Deps } from "../src/deps.ts";
import {
  asWorked,
  type ClaimedGoal,
  readClaimed,
  readWorked,
  type Recorded,
  type Worked,
} from "../src/facts/worked.ts";
import { askAboutInterruptions, failToStart } from "../src/turns/goal/failed-phase.ts";
import { chooseApproachTurn } from "../src/turns/goal/choose-approach.ts";
import { finishTurn } from "../src/turns/goal/finish.ts";
import { layGround, readBeginning } from "../src/turns/goal/ground.ts";
import { regroundTurn } from "../src/turns/goal/reground.ts";
import { endWithoutGround } from "../src/turns/goal/no-ground.ts";
import { implementTurn } from "../src/turns/goal/implement.ts";
import { noteNotFollowed } from "../src/turns/goal/following.ts";
import { bringRecordedWork } from "../src/turns/goal/recorded-work.ts";
import { takeRefusedCallsOf } from "../src/turns/goal/refused-calls.ts";
import { loopTurn } from "../src/turns/task-loop/loop.ts";
import type { StepResult } from "../src/turns/shared/in-turn.ts";
import { handBack, handBackUnfit } from "../src/turns/goal/hand-back.ts";
import type { LeaseKeeper } from "../src/turns/shared/lease-keeper.ts";
import { reviewTurn } from "../src/turns/goal/review.ts";
import { startTurn } from "../src/turns/goal/start.ts";
import { askAgainAboutEscalation, askAgainAboutResult } from "../src/turns/goal/unanswered.ts";
import { verifyTurn } from "../src/turns/goal/verify.ts";

/** How a turn ended. */
export type Over = Extract<StepResult, { type: "over" }>;

/** Runs phases one after another until the lease is given back. */
export async function runPhases(deps: Deps, keeper: LeaseKeeper, claimed: Goal): Promise<Over> {
  let goal = claimed;
  let recorded: Recorded | null = null;
  let result: StepResult = await firstStep(deps, keeper, goal);
  while (result.type === "next") {
    recorded = result.recorded ?? recorded;
    const before = goal.phase;
    const left: ClaimedGoal = result.worked ?? (await readClaimed(deps.database.db, goal.goalId));
    goal = left.goal;
    const worked = left.run === null ? null : asWorked(left);
    result = await step(deps, keeper, { goal, worked, recorded, before });
  }
  return result;
}

/** The first phase of a turn. Work that an earlier turn recorded on another machine is fetched first. */
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
  /** The goal with its run and repository, if they were just read. */
  readonly worked: Worked | null;
  /** What its runs recorded before this turn, if that was read. */
  readonly recorded: Recorded | null;
  /** The phase that this turn has just completed. Null for its first phase. */
  readonly before: Phase | null;
}

/** Runs one phase, and records commands that the goal's own processes called in it and may not. */
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
  const unagreed = before === null && goal.phase !== "start" ? await askAgainAboutEscalation(deps, keeper, goal) : null;
  if (unagreed !== null) return unagreed;
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
          const started = await startTurn(deps, keeper, goal, { start: ground.start, payers });
          return started.type === "next" ? { ...started, recorded } : started;
        }
        case "waits":
        case "stuck":
        case "conflict":
          return await endWithoutGround(deps, keeper, ground);
      }
    }
    case "recover":
      return await chooseApproachTurn(deps, keeper);
    case "implement": {
      // Its spending was decided at the start in this same turn, or is decided now (D3).
      const isDecided = before === "start";
      // A goal with tasks works them in the task loop. A goal without is one task.
      return goal.taskParallel === null
        ? await implementTurn(deps, keeper, isDecided, worked)
        : await loopTurn(deps, keeper, isDecided);
    }
    case "verify":
      return (await reviewTurn(deps, keeper, goal, "test")) ?? (await verifyTurn(deps, keeper));
    case "finish":
      // Without criteria and checks there was no verify phase, so the tests are reviewed here.
      return (
        // When a turn begins here, a question about the result may have expired without an answer.
        (before === null ? await askAgainAboutResult(deps, keeper, goal) : null) ??
        (await reviewTurn(deps, keeper, goal, "test")) ??
        (await reviewTurn(deps, keeper, goal, "code")) ??
        (await reviewTurn(deps, keeper, goal, "spec")) ??
        (await finishTurn(deps, keeper, worked, next.recorded))
      );
  }
}
