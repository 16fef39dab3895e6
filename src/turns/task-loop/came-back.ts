import { askedOfWorker, whatCameBack } from "../../core/task-loop/came-back.ts";
import type { LoopPhase } from "../../core/task-loop/workflow.ts";
import { updateRun, workOf } from "../../db/runs.ts";
import { tasksOf } from "../../db/tasks.ts";
import { type Deps, sha256 } from "../../deps.ts";
import { addTask, toMissingWork } from "../recovery/missing.ts";
import { inTurn } from "../shared/in-turn.ts";
import type { LoopTurn } from "./stored.ts";

/** Phases in which no wave is being worked, so that a task can be added. */
const between: readonly LoopPhase[] = ["implement_task", "fix_ci", "completeness_verification"];

/**
 * Called before a phase. Feedback that was given to the run, or a change of the goal after all tasks had passed, becomes a new task. This
 * is the only place that adds it, because an agent of a task sees only its task. Null if the lease was lost.
 */
export async function withWhatCameBack(deps: Deps, turn: LoopTurn): Promise<LoopTurn | null> {
  const { goal, run, state } = turn;
  if (!between.includes(state.phase)) return turn;
  const told = sha256(askedOfWorker(goal));
  // The prompts of a wave that begins again contain the goal as it is now. Feedback waits for the end of the wave.
  if (state.wave !== null) return { ...turn, state: { ...state, told } };
  const isOpen = (await tasksOf(deps.database.db, goal.goalId)).some(({ status }) => status !== "passed");
  // If it is not known what the tasks were told, because an older version did not store it, nothing counts as changed.
  const before = isOpen ? told : (state.told ?? (await toldBefore(deps, goal.goalId)) ?? told);
  const back = whatCameBack({ goal, feedback: run.feedback, isOpen, isChanged: told !== before });
  // The new state is stored together with the next wave.
  const knowing: LoopTurn = { ...turn, state: { ...state, told } };
  if (back === null) return knowing;
  const next = await inTurn(deps, turn.keeper, async (tx): Promise<LoopTurn> => {
    await addTask(tx, deps, goal, { ...back, prefix: "missing" });
    await updateRun(tx, run.runId, { feedback: null });
    const heard = { ...knowing, run: { ...run, feedback: null } };
    if (state.phase !== "completeness_verification") return heard;
    return { ...heard, state: await toMissingWork(tx, deps, heard, { prefix: "missing", summary: back.title }) };
  });
  if (next !== null) deps.log.info("loop.came-back", { goalId: goal.goalId, title: back.title });
  return next;
}

/** Hash of what the tasks of the goal were told last, from an earlier run; undefined if no run stored it. */
async function toldBefore(deps: Deps, goalId: string): Promise<string | undefined> {
  const runs = await workOf(deps.database.db, goalId);
  return runs.find((each) => each.loop?.told !== undefined)?.loop?.told;
}
