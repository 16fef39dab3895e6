import { GitError } from "../../agent/git/git.ts";
import type { LoopPhase } from "../../core/task-loop/workflow.ts";
import { asBefore, recoverWave } from "../../core/task-loop/wave.ts";
import { ofGoal } from "../../core/events/write.ts";
import { getGoal } from "../../db/goals.ts";
import { loopBefore, openRunOf, updateRun } from "../../db/runs.ts";
import { tasksOf, updateTask } from "../../db/tasks.ts";
import { appendTimeline } from "../../db/timeline.ts";
import type { Deps } from "../../deps.ts";
import { type Base, pinBase } from "../shared/base.ts";
import { goOn } from "../goal/go-on.ts";
import { inTurn, lost, type StepResult } from "../shared/in-turn.ts";
import { keepPhase, type LeaseKeeper } from "../shared/lease-keeper.ts";
import { withWhatCameBack } from "./came-back.ts";
import { checkWave, selectCheckMode } from "./check-wave.ts";
import { implementWave } from "./implement-wave.ts";
import { persistWave } from "./persist-wave.ts";
import { bringWave } from "./share-wave.ts";
import { loopOf } from "../../core/task-loop/state.ts";
import { putBackTasks } from "./put-back.ts";
import type { LoopTurn } from "./stored.ts";
import { tellSetupFailure } from "./stops.ts";
import { recordTurn } from "../../db/transitions.ts";

/**
 * Runs one phase of a goal's task loop (seed 003). The stored state says which phase. Goals without tasks do not use the loop:
 * `implement.ts` works them and `verify.ts` checks them.
 *
 * @param isDecided whether this turn has already been allowed to spend money
 */
export async function loopTurn(deps: Deps, keptTurn: LeaseKeeper, isDecided: boolean): Promise<StepResult> {
  const { lease } = keptTurn;
  const goal = await getGoal(deps.database.db, lease.goalId);
  const run = await openRunOf(deps.database.db, lease.goalId);
  if (goal === null || run === null) throw new Error(`goal ${lease.goalId} loops without an open run`);
  const keeper = keepPhase(keptTurn);
  const turn = await withWhatCameBack(deps, { goal, run, lease, keeper, state: loopOf(run) });
  if (turn === null) return lost;
  const over = isDecided || !callsAgents(turn.state.phase) ? null : await goOn(deps, keptTurn, { reserves: false });
  if (over !== null) return over;
  switch (turn.state.phase) {
    case "spec_check_mode_select":
      return await selectCheckMode(deps, turn);
    case "completeness_verification":
      return await toVerification(deps, keeper);
    case "implement_task":
    case "fix_ci":
      return await onBase(deps, turn, implementWave);
    case "spec_check_legacy":
    case "spec_check_layered":
      return await onBase(deps, turn, checkWave);
    case "spec_check_persist":
      return await onBase(deps, turn, persistWave);
    case "task_loop_handoff":
    case "run_stopped_setup_failure":
      throw new Error(`goal ${goal.goalId} loops in run ${run.runId}, whose loop has ended: ${turn.state.phase}`);
  }
}

type Pinned = Extract<Base, { type: "pinned" }>;

/** Runs a phase that works on git, after repairing what a crash left. If git fails or something is missing there, the run stops (S3-SF). */
async function onBase(
  deps: Deps,
  begun: LoopTurn,
  phase: (deps: Deps, turn: LoopTurn, base: Pinned) => Promise<StepResult>,
): Promise<StepResult> {
  const fails = async (turn: LoopTurn, summary: string): Promise<StepResult> => {
    // This phase may have stored the wave after the run was read.
    const { wave } = loopOf((await openRunOf(deps.database.db, turn.goal.goalId)) ?? turn.run);
    return await tellSetupFailure(deps, turn, { statuses: wave === null ? {} : asBefore(wave), summary });
  };
  const found = await recovered(deps, begun);
  if (found === null) return lost;
  if (found.type === "unusable") return await tellSetupFailure(deps, begun, { statuses: {}, summary: found.reason });
  const { turn } = found;
  try {
    const base = await pinBase(deps, turn.goal.repositoryId);
    if (base.type === "failed") return await fails(turn, base.reason);
    return (await bringWave(deps, turn, base)) ?? (await phase(deps, turn, base));
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return await fails(turn, error.message);
  }
}

/** Whether a phase calls agents, which costs money. The other phases only change what is stored. */
function callsAgents(phase: LoopPhase): boolean {
  return waveWork(phase) !== "other" || phase === "fix_ci";
}

/**
 * Repairs the stored state after a crash: tasks in progress without a wave have failed, and a wave with the wrong phase is corrected;
 * both are recorded as an event. A wave that cannot be used stops the run (S3-CR-01…06). Null if the lease was lost.
 */
async function recovered(
  deps: Deps,
  turn: LoopTurn,
): Promise<
  { readonly type: "ready"; readonly turn: LoopTurn } | { readonly type: "unusable"; readonly reason: string } | null
> {
  const { goal, run, state } = turn;
  if (run.loop === null && !(await afterEndedRun(deps, turn))) return null;
  const tasks = await tasksOf(deps.database.db, goal.goalId);
  const found = recoverWave(waveWork(state.phase), state.wave, tasks);
  if (found.type === "setup-failure") {
    deps.log.warn("loop.recovered", { goalId: goal.goalId, found: found.type, reason: found.reason });
    return { type: "unusable", reason: found.reason };
  }
  const corrected = found.type === "resume" && found.corrected;
  const orphans = found.type === "fine" ? [] : found.orphans;
  if (!corrected && orphans.length === 0) return { type: "ready", turn };
  const now = deps.now();
  const next = found.type === "resume" ? { ...state, wave: found.wave } : state;
  const written = await inTurn(deps, turn.keeper, async (tx) => {
    for (const id of orphans) {
      const feedback = "Its worker was lost: the work on it begins again.";
      await updateTask(tx, goal.goalId, id, { status: "failed", feedback, updatedAt: now });
    }
    await updateRun(tx, run.runId, { loop: next });
    const detail = { found: found.type, orphans, corrected };
    await appendTimeline(tx, {
      event: "loop.recovered",
      ...ofGoal({ ...goal, runId: run.runId }, now),
      detail,
    });
    return true;
  });
  if (written === null) return null;
  deps.log.warn("loop.recovered", { goalId: goal.goalId, found: found.type });
  return { type: "ready", turn: { ...turn, state: next } };
}

/**
 * If an edit, a skip or the ceiling ended the previous run in the middle of a wave, the tasks of the wave become what they were before it,
 * and it does not count as an attempt. Returns false if the lease was lost.
 */
async function afterEndedRun(deps: Deps, { goal, run, keeper }: LoopTurn): Promise<boolean> {
  const before = await loopBefore(deps.database.db, goal.goalId, run.runId);
  const wave = before?.loop?.wave ?? null;
  if (wave === null) return true;
  const working = (await tasksOf(deps.database.db, goal.goalId)).filter((task) => task.status === "in_progress");
  const taskIds = working.map((task) => task.id).filter((id) => wave.taskIds.includes(id));
  if (taskIds.length === 0) return true;
  const written = await inTurn(deps, keeper, async (tx) => {
    await putBackTasks(tx, deps, goal.goalId, asBefore({ ...wave, taskIds }));
    return true;
  });
  return written !== null;
}

function waveWork(phase: LoopPhase): "implement_task" | "spec_check" | "other" {
  if (phase === "implement_task") return "implement_task";
  return phase === "spec_check_legacy" || phase === "spec_check_layered" ? "spec_check" : "other";
}

/** All tasks have passed. The goal goes on to its verification, as every goal does. */
async function toVerification(deps: Deps, keeper: LeaseKeeper): Promise<StepResult> {
  const result = await inTurn(deps, keeper, async (tx, goal): Promise<StepResult> => {
    await recordTurn(tx, { lease: keeper.lease, goal }, { type: "entersPhase", phase: "verify" }, deps.now());
    return { type: "next" };
  });
  return result ?? lost;
}
