import type { Goal } from "../../core/goals/goal.ts";
import { type LoopState, loopAtWhole } from "../../core/task-loop/state.ts";
import { freeId } from "../../core/task-loop/tasks.ts";
import { shorten } from "../../core/text.ts";
import type { Db } from "../../db/connection/client.ts";
import type { Run } from "../../db/runs.ts";
import { insertTasks, tasksOf } from "../../db/tasks.ts";
import type { Deps } from "../../deps.ts";
import { moveLoop } from "../shared/loop-move.ts";

/** Work that the list of tasks lacks. */
export interface MissingWork {
  readonly prefix: "missing" | "push";
  readonly title: string;
  readonly criteria: readonly string[];
  readonly found: string;
}

interface Missed {
  readonly goal: Goal;
  readonly run: Run;
}

/**
 * Adds a task for work that was found missing after all tasks had passed. Its agent and its check are told what was found (S3-TR-13). The
 * repair of a refused push is fix_ci (C-47).
 */
export async function addMissingWork(
  tx: Db,
  deps: Pick<Deps, "now">,
  missed: Missed,
  work: MissingWork,
): Promise<void> {
  await addTask(tx, deps, missed.goal, work);
  await toMissingWork(tx, deps, missed, { prefix: work.prefix, summary: work.title });
}

/** Adds a task after all others. */
export async function addTask(tx: Db, deps: Pick<Deps, "now">, { goalId }: Goal, work: MissingWork): Promise<void> {
  const known = await tasksOf(tx, goalId);
  await insertTasks(tx, [
    {
      goalId,
      id: freeId(
        work.prefix,
        known.map(({ id }) => id),
      ),
      position: known.length,
      title: work.title,
      acceptanceCriteria: work.criteria.map((each) => shorten(each, 1000)),
      filesAllowed: [],
      dependsOn: [],
      status: "pending",
      found: work.found,
      updatedAt: deps.now(),
    },
  ]);
}

/** Lets the loop of a run whose whole was verified continue with missing work. Returns the loop's state. */
export async function toMissingWork(
  tx: Db,
  deps: Pick<Deps, "now">,
  { goal, run, state = loopAtWhole(run) }: Missed & { readonly state?: LoopState },
  { prefix, summary }: Pick<MissingWork, "prefix"> & { readonly summary: string },
): Promise<LoopState> {
  const status = prefix === "push" ? { pushFailed: true } : { missingWork: true };
  const anew = { wave: null, checked: {} };
  const next = await moveLoop(tx, deps, { goal, run, state }, { status, state: anew, summary });
  return { ...state, ...anew, phase: next.phase, iteration: state.iteration + 1 };
}
