import type { PermissionAsk } from "../../agent/process/runner.ts";
import { decideInterruption } from "../../core/goals/after.ts";
import { NoSpace } from "../../core/space/no-space.ts";
import { readPhaseReport } from "../../core/task-loop/phase-report.ts";
import type { WaveResult } from "../../core/task-loop/wave.ts";
import { firstLine } from "../../core/text.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";
import { updateRun } from "../../db/runs.ts";
import { insertPhaseReport, type TaskRow, updateTask } from "../../db/tasks.ts";
import { recordTurn, turnWrite } from "../../db/transitions.ts";
import type { Deps } from "../../deps.ts";
import { actOnCut, asAsked, recordCut } from "../goal/cut.ts";
import { goOn } from "../goal/go-on.ts";
import { heldFailure, tellFailure } from "../goal/held.ts";
import { recordFailure } from "../recovery/recover.ts";
import { countFailure } from "../shared/breaker.ts";
import { inTurn, lost, type StepResult } from "../shared/in-turn.ts";
import { moveLoop } from "../shared/loop-move.ts";
import { askAbout } from "../shared/ask-about.ts";
import { permissionQuestion, wasAnswered } from "../shared/permission.ts";
import { endGoal } from "../shared/end-goal.ts";
import { putBackTasks } from "./put-back.ts";
import type { LoopTurn } from "./stored.ts";
import type { Stop } from "./what-stops.ts";

/** Ends of a task loop outside of its phases. */

/** The place to work could not be prepared: the run stops at once, and its tasks become what they were before (S3-SF-01…06). */
export async function tellSetupFailure(
  deps: Deps,
  { lease, keeper, run, state }: LoopTurn,
  ended: Pick<WaveResult, "statuses" | "summary">,
): Promise<StepResult> {
  const result = await inTurn(deps, keeper, async (tx, goal): Promise<StepResult> => {
    const asked = await asAsked(tx, deps, keeper, { goal, run });
    if (asked !== null) return asked;
    const now = deps.now();
    await putBackTasks(tx, deps, goal.goalId, ended.statuses);
    const summary = ended.summary;
    await moveLoop(tx, deps, { goal, run, state }, { status: { setupFailed: true }, state: { wave: null }, summary });
    const { goalId, sessionId } = goal;
    const report = { ...readPhaseReport(state.phase, null, {}), outcome: summary, reasons: ["setup_failed"] };
    await insertPhaseReport(tx, {
      goalId,
      runId: run.runId,
      iteration: state.iteration,
      taskId: null,
      report,
      at: now,
    });
    await countFailure(tx, deps, goal, run.runId);
    const outcome = `Setup failed: ${summary}`;
    const write = turnWrite(tx, { lease, goal }, deps.now);
    await endGoal(tx, deps, { goal, write }, { status: "failed", outcome, kind: "setup" });
    lookAt(tx, sessionId);
    return { type: "over" };
  });
  return result ?? lost;
}

/** Acts on the interruption of a wave whose finished work has been stored. Throws NoSpace, which the caller of the turn records. */
export async function actOnStop(deps: Deps, turn: LoopTurn, stop: Stop): Promise<StepResult> {
  switch (stop.type) {
    case "cut":
      return await recordCut(deps, turn.keeper, turn.run, stop.why);
    case "ask":
      return await tellPermission(deps, turn, stop.ask);
    case "no-space":
      throw new NoSpace(stop.reason);
    case "no-money":
      return await withoutMoney(deps, turn);
    case "provider":
      return await tellFailure(deps, turn, stop.result, heldFailure(stop.result));
    case "not-started":
      return await tellNotStarted(deps, turn, stop.reason);
  }
}

/**
 * The money that was left when the turn began was gone when the agents were to begin. The same decision as at the beginning of a turn
 * follows (D22). If there is enough money again, the goal goes on at once.
 */
async function withoutMoney(deps: Deps, { lease, keeper }: LoopTurn): Promise<StepResult> {
  const over = await goOn(deps, keeper, { reserves: false });
  if (over !== null) return over;
  const result = await inTurn(deps, keeper, async (tx, goal): Promise<StepResult> => {
    const asked = await asAsked(tx, deps, keeper, { goal });
    if (asked !== null) return asked;
    const now = deps.now();
    await recordTurn(tx, { lease, goal }, { type: "letsGo", at: now }, now);
    lookAt(tx, goal.sessionId);
    return { type: "over" };
  });
  return result ?? lost;
}

/** An agent did not begin in time (F-305). The same wave begins again by itself. */
async function tellNotStarted(deps: Deps, { lease, keeper, run }: LoopTurn, reason: string): Promise<StepResult> {
  const result = await inTurn(deps, keeper, async (tx, goal): Promise<StepResult> => {
    const write = turnWrite(tx, { lease, goal }, deps.now);
    const decision = decideInterruption({ by: "agent", reason }, goal.stopRequested);
    await actOnCut(tx, deps, { goal, run, decision, write });
    mark(tx, "goal", goal.goalId);
    lookAt(tx, goal.sessionId);
    return { type: "over" };
  });
  return result ?? lost;
}

/** A task has failed as often as it may. The goal's attempt has failed, and the recovery ladder decides what follows. */
export async function tellExhausted(deps: Deps, turn: LoopTurn, tired: readonly TaskRow[]): Promise<StepResult> {
  const { lease, keeper, run } = turn;
  const result = await inTurn(deps, keeper, async (tx, goal): Promise<StepResult> => {
    const asked = await asAsked(tx, deps, keeper, { goal, run });
    if (asked !== null) return asked;
    const now = deps.now();
    // In the goal's next attempt the task has all its attempts again, with the last feedback.
    for (const task of tired) await updateTask(tx, goal.goalId, task.id, { attempts: 0, updatedAt: now });
    await updateRun(tx, run.runId, { loop: { ...turn.state, wave: null } });
    const reason = `Tasks failed ${deps.policy.tasks.attempts} times: ${tired.map((task) => `${task.id}: ${firstLine(task.feedback ?? "failed", 120)}`).join("; ")}`;
    const failed = {
      goal,
      run,
      turn: lease.turn,
      end: "unverified",
      reason,
      exitCode: null,
      output: "",
      said: "",
      own: null,
      criteria: tired.map((task) => task.id),
      // The changed files are in the commits of several tasks, not in one.
      files: [],
      commit: null,
    } as const;
    const write = turnWrite(tx, { lease, goal }, deps.now);
    const ringAfterMs = await recordFailure(tx, deps, failed, write);
    mark(tx, "goal", goal.goalId);
    lookAt(tx, goal.sessionId);
    return { type: "over", ringAfterMs };
  });
  return result ?? lost;
}

/**
 * A worker asked for a permission that nobody gave in time. The goal waits for the answer, and then the same wave begins again (D29). The
 * attempt is not counted.
 */
export async function tellPermission(
  deps: Deps,
  { lease, keeper, run, state }: LoopTurn,
  ask: PermissionAsk,
): Promise<StepResult> {
  const result = await inTurn(deps, keeper, async (tx, goal): Promise<StepResult> => {
    const asked = await asAsked(tx, deps, keeper, { goal, run });
    if (asked !== null) return asked;
    const summary = `asked to ${ask.kind}: ${ask.title}`;
    await moveLoop(tx, deps, { goal, run, state }, { status: { restartPhase: true }, state: {}, summary });
    const isAnswered = await wasAnswered(tx, goal.goalId, ask);
    if (!isAnswered) await askAbout(tx, deps, { goal, runId: run.runId, ...permissionQuestion(ask) });
    const transition = isAnswered
      ? ({ type: "isCut", at: deps.now(), interruptions: 0 } as const)
      : { type: "asks" as const };
    await recordTurn(tx, { lease, goal }, transition, deps.now());
    mark(tx, "goal", goal.goalId);
    lookAt(tx, goal.sessionId);
    return { type: "over" };
  });
  return result ?? lost;
}
