import type { Goal } from "../../core/goals/goal.ts";
import { loopAtWhole } from "../../core/task-loop/state.ts";
import { shorten } from "../../core/text.ts";
import type { Db } from "../../db/connection/client.ts";
import type { Run } from "../../db/runs.ts";
import { insertTasks, tasksOf } from "../../db/tasks.ts";
import type { Deps } from "../../deps.ts";
import { moveLoop } from "../shared/loop-move.ts";

/**
 * Work that was found missing after every task had passed: it becomes a task of its own, which is told what was found
 * and checked like every other, by a check that is told it too (S3-TR-13). A repair of what could not be pushed is fix_ci (C-47).
 */
export async function addMissingWork(
  tx: Db,
  deps: Pick<Deps, "now">,
  { goal, run }: { readonly goal: Goal; readonly run: Run },
  missing: {
    readonly prefix: "missing" | "push";
    readonly title: string;
    readonly criteria: readonly string[];
    readonly found: string;
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
      found: missing.found,
      updatedAt: deps.now(),
    },
  ]);
  const status = missing.prefix === "push" ? { pushFailed: true } : { missingWork: true };
  const move = { status, state: { wave: null, checked: {} }, summary: missing.title };
  await moveLoop(tx, deps, { goal, run, state: loopAtWhole(run) }, move);
}
