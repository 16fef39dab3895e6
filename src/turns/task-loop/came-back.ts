import { askedOfWorker, whatCameBack } from "../../core/task-loop/came-back.ts";
import type { LoopPhase } from "../../core/task-loop/workflow.ts";
import { updateRun, workOf } from "../../db/runs.ts";
import { tasksOf } from "../../db/tasks.ts";
import { type Deps, sha256 } from "../../deps.ts";
import { addTask, toMissingWork } from "../recovery/missing.ts";
import { inTurn } from "../shared/in-turn.ts";
import type { LoopTurn } from "./stored.ts";

/** Phases in which no wave is under way, where a task can be added. */
const between: readonly LoopPhase[] = ["implement_task", "fix_ci", "completeness_verification"];

/**
 * Before a phase: what came back to the run, or was changed since every task passed, becomes a task of its own, here and
 * nowhere else. Agents of tasks see nothing of a run but their task. Null when the lease was lost.
 */
export async function withWhatCameBack(deps: Deps, turn: LoopTurn): Promise<LoopTurn | null> {
  const { goal, run, state } = turn;
  if (!between.includes(state.phase)) return turn;
  const told = sha256(askedOfWorker(goal));
  // A wave that begins again is told what the goal asks by now; what came back waits for its end.
  if (state.wave !== null) return { ...turn, state: { ...state, told } };
  const isOpen = (await tasksOf(deps.database.db, goal.goalId)).some(({ status }) => status !== "passed");
  // Where nobody knows it, from before it was kept, nothing is taken for changed.
  const before = isOpen ? told : (state.told ?? (await toldBefore(deps, goal.goalId)) ?? told);
  const back = whatCameBack({ goal, feedback: run.feedback, isOpen, isChanged: told !== before });
  // Stored with the wave that is told it.
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

/** What the tasks of a goal were told last, in an earlier run. */
async function toldBefore(deps: Deps, goalId: string): Promise<string | undefined> {
  const runs = await workOf(deps.database.db, goalId);
  return runs.find((each) => each.loop?.told !== undefined)?.loop?.told;
}
