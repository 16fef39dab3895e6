import { failedFlags, passedFlags } from "../../core/task-loop/flags.ts";
import { readPhaseReport } from "../../core/task-loop/phase-report.ts";
import { endMerges, type TaskMerge } from "../../core/task-loop/wave.ts";
import { count } from "../../core/text.ts";
import { updateRun } from "../../db/runs.ts";
import { tasksOf, updateTask } from "../../db/tasks.ts";
import type { Deps } from "../../deps.ts";
import type { Base } from "../shared/base.ts";
import { lost, type StepResult } from "../shared/in-turn.ts";
import { clearTaskPlaces } from "./place.ts";
import { shareWave } from "./share-wave.ts";
import { type LoopTurn, recordPhase } from "./stored.ts";

/**
 * Phase `spec_check_persist`: merges tasks that passed into the goal's branch, in the order of their ids (C-51), and sets the flags that
 * decide the next phase. Nothing refers to the merge commits until they are recorded, so a kill in the middle leaves no half-merged branch.
 */
export async function persistWave(
  deps: Deps,
  turn: LoopTurn,
  base: Extract<Base, { type: "pinned" }>,
): Promise<StepResult> {
  const { goal, run, state } = turn;
  const tasks = await tasksOf(deps.database.db, goal.goalId);
  // After a check that took too long there is no wave, and its tasks have failed (S3-PT-06).
  const wave = state.wave ?? { waveId: "wave-none", phase: "spec_check", taskIds: [], before: {} };
  const checked = wave.taskIds.filter((id) => state.checked[id] === "passed").toSorted();
  const before = run.headCommit ?? run.baseCommit ?? base.commit;
  let tip = before;
  const merges: { taskId: string; merge: TaskMerge }[] = [];
  for (const taskId of checked) {
    const head = tasks.find((task) => task.id === taskId)?.commit ?? tip;
    const merge = await deps.git.mergeCommits({
      mirror: base.mirror,
      tip,
      head,
      message: `Merge ${taskId} of ${goal.goalId}\n`,
    });
    merges.push({ taskId, merge });
    if (merge.type === "conflict") break;
    tip = merge.commit;
  }
  if (tip !== before) await shareWave(deps, turn, base, [tip]);
  const isAlone = (goal.taskParallel ?? 1) === 1;
  const merged = endMerges(wave, checked, merges);
  const failed = wave.taskIds.filter((id) => !merged.passed.includes(id));
  const left = tasks.filter((task) => task.status !== "passed" && !merged.passed.includes(task.id)).length;
  const isDone = failed.length === 0 && left === 0;
  const attemptsOf = (id: string): number => tasks.find((task) => task.id === id)?.attempts ?? 0;
  const flags = failed.length > 0 || state.wave === null ? failedFlags : passedFlags(left);
  const report = { ...readPhaseReport("spec_check_persist", null, { ...flags }), reasons: failed };
  const result = await recordPhase(deps, turn, {
    status: flags,
    state: { wave: null, checked: {} },
    summary: `${merged.summary}${failed.length === 0 ? "" : `; failed: ${failed.join(", ")}`}`,
    ...(isDone ? { outcome: `${count(tasks.length, "task")} done.` } : {}),
    reports: [{ taskId: null, report, evidence: null }],
    async write(tx) {
      const now = deps.now();
      // A commit without any work of the goal is recorded only when all tasks are done: then the base branch already has the whole work.
      if (tip !== before || isDone) await updateRun(tx, run.runId, { headCommit: tip });
      // The feedback of a task that was worked alone is removed; in a wave it stays (S3-EV-05, S3-EV-06).
      for (const id of merged.passed)
        await updateTask(tx, goal.goalId, id, {
          status: "passed",
          ...(isAlone ? { feedback: null } : {}),
          updatedAt: now,
        });
      for (const id of failed) {
        const told = merged.feedback[id];
        const feedback = told === undefined ? {} : { feedback: told };
        // The next attempt does not go on from work that is in conflict.
        const begins = {
          ...(id === merged.conflict ? { commitFrom: null } : {}),
          ...(merged.uncounted.includes(id) ? { attempts: Math.max(0, attemptsOf(id) - 1) } : {}),
        };
        await updateTask(tx, goal.goalId, id, { status: "failed", ...feedback, ...begins, updatedAt: now });
      }
    },
  });
  // If the lease was lost, another worker may use the same places.
  if (result !== lost) await clearTaskPlaces(deps, { base, goalId: goal.goalId }, merged.passed);
  return result;
}
