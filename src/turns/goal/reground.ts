import { contractOf, hasContract } from "../../core/acceptance/goal-contract.ts";
import type { Goal, PhaseOfRun } from "../../core/goals/goal.ts";
import { standingOn, standsAlike } from "../../core/goals/ground.ts";
import { groundsOf } from "../../db/grounds.ts";
import { openRunOf, type Run, updateRun } from "../../db/runs.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { mark } from "../../db/connection/marks.ts";
import type { Deps } from "../../deps.ts";
import { pinBase } from "../shared/base.ts";
import { endWithoutGround } from "./no-ground.ts";
import type { RunStart } from "../shared/begin-run.ts";
import { inTurn, lost, type StepResult } from "../shared/in-turn.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import { keepPeoplesWords } from "../shared/peoples-words.ts";
import { shareWork } from "../shared/shared-work.ts";
import { beginTasksAnew } from "../shared/tasks-anew.ts";
import { failToStart } from "./failed-phase.ts";
import { ofGoal } from "../../core/events/write.ts";
import { recordTurn } from "../../db/transitions.ts";
import { layGround, readBeginning } from "./ground.ts";

/**
 * Before a phase after the start: checks whether the run still stands on the current commits of the goals that it builds on. Null when it
 * does. Otherwise the goal waits, or is put on the new commits, and finished work is verified again.
 */
export async function regroundTurn(deps: Deps, keeper: LeaseKeeper, goal: Goal): Promise<StepResult | null> {
  const { db } = deps.database;
  const run = await openRunOf(db, keeper.lease.goalId);
  const stands = standingOn(goal.after, await groundsOf(db, goal.after));
  if (stands === null) return await endWithoutGround(deps, keeper, { type: "waits" });
  const isUnmoved = run === null || standsAlike(run.standsOn, stands);
  if (run === null || (isUnmoved && goal.phase !== "verify" && goal.phase !== "finish")) return null;

  const { repository, work } = await readBeginning(db, goal);
  const base = await pinBase(deps, goal.repositoryId, repository);
  if (base.type === "failed") return await failToStart(deps, keeper, base.reason);
  const ground = await layGround(deps, goal, base, work);
  if (ground.type === "failed") return await failToStart(deps, keeper, ground.reason);
  if (ground.type !== "laid") return await endWithoutGround(deps, keeper, ground);
  const headCommit = ground.start.headCommit ?? null;
  if (isUnmoved && headCommit === run.headCommit) return null;
  if (headCommit !== null) {
    const work = { goalId: goal.goalId, runId: run.runId, commit: headCommit, mirror: base.mirror };
    await shareWork(deps, { ...work, repository: base.repository });
  }
  return await recordGround(deps, keeper, run, { ...ground.start, headCommit, checks: base.repository.checks });
}

/** The new start of its work, with the repository's checks. */
interface NewGround extends RunStart {
  readonly headCommit: string | null;
  readonly checks: readonly string[];
}

async function recordGround(
  deps: Deps,
  keeper: LeaseKeeper,
  run: Run,
  { baseCommit, headCommit, standsOn = [], checks }: NewGround,
): Promise<StepResult> {
  const result = await inTurn(deps, keeper, async (tx, goal): Promise<StepResult> => {
    const isAnew = goal.taskParallel !== null && headCommit === null && run.headCommit !== null;
    if (isAnew) await beginTasksAnew(tx, goal.goalId, deps.now());
    const ground = { baseCommit, headCommit, standsOn: [...standsOn], verifyRound: 0 };
    await updateRun(tx, run.runId, { ...ground, ...(isAnew ? { loop: null } : {}) });
    if (headCommit !== null) await keepPeoplesWords(tx, goal, { runId: run.runId, commit: headCommit });
    const on = standsOn.map((each) => each.goalId);
    const phase = phaseOn(goal, headCommit, checks);
    const outcome = `On top of ${on.join(" and ")} as it is now.`;
    await recordTurn(tx, { lease: keeper.lease, goal }, { type: "entersPhase", phase, outcome }, deps.now());
    const { goalId } = goal;
    const about = ofGoal({ ...goal, runId: run.runId }, deps.now());
    await appendTimeline(tx, { event: "goal.regrounded", ...about, detail: { on, commit: headCommit } });
    mark(tx, "goal", goalId);
    return { type: "next" };
  });
  return result ?? lost;
}

/** The next phase on the new ground. Finished work is verified again, or goes to the last phase when nothing can be verified. */
function phaseOn({ phase, criteria }: Goal, headCommit: string | null, checks: readonly string[]): PhaseOfRun {
  if (headCommit === null || phase === "start") return "implement";
  if (phase !== "verify" && phase !== "finish") return phase;
  return hasContract(contractOf(criteria, checks, 1)) ? "verify" : "finish";
}
