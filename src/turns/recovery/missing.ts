import type { Goal } from "../../core/goals/goal.ts";
import { loopOf, type LoopState } from "../../core/task-loop/state.ts";
import { shorten } from "../../core/text.ts";
import type { Db } from "../../db/connection/client.ts";
import { type Run, updateRun } from "../../db/runs.ts";
import { insertTasks, tasksOf } from "../../db/tasks.ts";
import type { Deps } from "../../deps.ts";

/**
 * Work that was found missing after every task had passed: it becomes a task of its own, which is told what is missing
 * and checked like every other (S3-TR-13). `phase` is where the loop goes on: a repair of what could not be pushed is
 * fix_ci (C-47).
 */
export async function addMissingWork(
  tx: Db,
  deps: Pick<Deps, "now">,
  { goal, run }: { readonly goal: Goal; readonly run: Run },
  missing: {
    readonly prefix: "missing" | "push";
    readonly title: string;
    readonly criteria: readonly string[];
    readonly feedback: string;
  },
): Promise<void> {
  const known = await tasksOf(tx, goal.goalId);
  const number = known.filter((task) => task.id.startsWith(`${missing.prefix}-`)).length + 1;
  await insertTasks(tx, [
    {
      goalId: goal.goalId,
      id: `${missing.prefix}-${number}`,
      position: known.length,
      title: missing.title,
      acceptanceCriteria: missing.criteria.map((each) => shorten(each, 1000)),
      filesAllowed: [],
      dependsOn: [],
      status: "pending",
      feedback: missing.feedback,
      updatedAt: deps.now(),
    },
  ]);
  const phase: LoopState["phase"] = missing.prefix === "push" ? "fix_ci" : "implement_task";
  await updateRun(tx, run.runId, { loop: { ...loopOf(run), phase, wave: null, checked: {} } });
}
