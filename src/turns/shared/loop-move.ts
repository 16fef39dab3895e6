import { ofGoal } from "../../core/events/write.ts";
import type { Goal } from "../../core/goals/goal.ts";
import type { LoopState } from "../../core/task-loop/state.ts";
import { type LoopStatus, type NextPhase, nextPhase, nothingYet } from "../../core/task-loop/workflow.ts";
import type { Db } from "../../db/connection/client.ts";
import { type Run, updateRun } from "../../db/runs.ts";
import { appendTimeline } from "../../db/timeline.ts";
import type { Deps } from "../../deps.ts";

/** The result of a phase of a task loop. */
export interface LoopMove {
  /** Decides the next phase. */
  readonly status: Partial<LoopStatus>;
  /** Stored with the next phase. */
  readonly state: Partial<Omit<LoopState, "phase" | "iteration">>;
  /** One line for the timeline. */
  readonly summary: string;
  /** Paths that its tasks changed. */
  readonly files?: readonly string[];
}

/**
 * Moves a task loop to its next phase (`nextPhase`) and records that in the goal's timeline. No other code writes the phase of a loop.
 * Runs in the caller's transaction, under the goal's lock.
 */
export async function moveLoop(
  tx: Db,
  deps: Pick<Deps, "now">,
  { goal, run, state }: { readonly goal: Goal; readonly run: Run; readonly state: LoopState },
  move: LoopMove,
): Promise<NextPhase> {
  const next = nextPhase(state.phase, { ...nothingYet, ...move.status });
  const { iteration } = state;
  const { files = [] } = move;
  const changed = files.length === 0 ? {} : { files: [...new Set(files)].slice(0, 200) };
  await updateRun(tx, run.runId, { loop: { ...state, ...move.state, phase: next.phase, iteration: iteration + 1 } });
  await appendTimeline(tx, {
    event: "loop.phase",
    ...ofGoal({ ...goal, runId: run.runId }, deps.now()),
    detail: { from: state.phase, to: next.phase, reason: next.reason, summary: move.summary, iteration, ...changed },
  });
  return next;
}
