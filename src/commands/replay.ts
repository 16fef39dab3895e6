import { existsSync } from "node:fs";
import { replayCard } from "../core/cards/replay-card.ts";
import type { ReplayedCheck } from "../core/task-loop/replay.ts";
import { getGoal } from "../db/goals.ts";
import { tasksOf } from "../db/tasks.ts";
import type { Deps } from "../deps.ts";
import { pinBase } from "../turns/shared/base.ts";
import { replayCheck } from "../turns/task-loop/replay.ts";
import { goalNotFound } from "./goal-change.ts";
import { command, type CommandResult, done, refused, UsageError } from "./command.ts";
import { anyId, name } from "./fields.ts";
import { refuseWorked } from "./worked.ts";

export const replay = command({
  name: "replay",
  summary: "Check a goal's recorded tasks again in both modes, and compare the results.",
  access: "change",
  options: {
    goal: anyId("ID", "the goal").optional(),
    task: name("ID", "only this task (default: every recorded one)").array(),
  },
  run: (deps, _caller, { goal, task }) => runReplay(deps, goal, task),
});

async function runReplay(deps: Deps, goalId: string | undefined, wanted: readonly string[]): Promise<CommandResult> {
  if (goalId === undefined) throw new UsageError("--goal ID is missing", "goal");
  const { db } = deps.database;
  const goal = await getGoal(db, goalId);
  if (goal === null) return goalNotFound(goalId);
  const worked = await refuseWorked(db, goal);
  if (worked !== null) return worked;
  const all = await tasksOf(db, goalId);
  const unknown = wanted.find((id) => !all.some((task) => task.id === id));
  if (unknown !== undefined) return refused(`${goalId} has no task ${unknown}`, `cos goal show ${goalId}`);
  const tasks = all.filter((task) => task.commit !== null && (wanted.length === 0 || wanted.includes(task.id)));
  if (tasks.length === 0 || goal.runId === null)
    return refused(`${goalId} has no recorded task to check`, `cos goal show ${goalId}`);
  const base = await pinBase(deps, goal.repositoryId);
  if (base.type === "failed") return refused(base.reason, "cos doctor");
  if (!existsSync(base.mirror.dir)) return refused(`the work of ${goalId} lies on the machine that did it`);

  const checks: ReplayedCheck[] = [];
  for (const task of tasks) {
    for (const mode of ["legacy", "layered"] as const) {
      deps.log.info("replay.checking", { goalId, taskId: task.id, mode });
      const replaying = { goal, runId: goal.runId, task, commit: task.commit ?? base.commit, base };
      const replayed = await replayCheck(deps, replaying, mode, new AbortController().signal);
      if (replayed.type === "refused") return refused(replayed.reason, "cos doctor");
      checks.push(replayed.check);
    }
  }
  return done({ goalId, checks }, replayCard(goalId, checks));
}
