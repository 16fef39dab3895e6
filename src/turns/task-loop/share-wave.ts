import { failedFlags } from "../../core/task-loop/flags.ts";
import { asBefore } from "../../core/task-loop/wave.ts";
import { type TaskRow, tasksOf, updateTask } from "../../db/tasks.ts";
import type { Deps } from "../../deps.ts";
import type { Base } from "../shared/base.ts";
import type { StepResult } from "../shared/in-turn.ts";
import { fetchWork, shareWork } from "../shared/shared-work.ts";
import { waitForStore } from "../goal/recorded-work.ts";
import { type LoopTurn, recordPhase } from "./stored.ts";

/** What tasks have made before it is merged lies in one machine's mirror; each phase is a turn, and another machine may take the next. */

type Pinned = Extract<Base, { type: "pinned" }>;

/** Puts these commits into the store, with what the goal has recorded and what tasks that have not passed go on from: a run has one bundle. */
export async function shareWave(
  deps: Deps,
  { goal, run }: LoopTurn,
  { mirror, repository }: Pinned,
  commits: readonly string[],
): Promise<void> {
  if (deps.store === null || commits.length === 0) return;
  const all = run.headCommit === null ? [...commits] : [run.headCommit, ...commits];
  for (const { commit } of (await tasksOf(deps.database.db, goal.goalId)).filter(goesOn))
    if (commit !== null && (await deps.git.hasCommit(mirror, commit))) all.push(commit);
  const commit = await deps.git.joinCommits(mirror, [...new Set(all)]);
  await shareWork(deps, { goalId: goal.goalId, runId: run.runId, commit, repository, mirror });
}

/** Whether the next attempt at a task goes on from what it has. */
function goesOn({ status, commit, commitFrom }: TaskRow): boolean {
  return status !== "passed" && commit !== null && commitFrom !== null;
}

/**
 * Before a phase that needs what tasks have made: null where it is here, or was brought here. What cannot be had is made again; where it
 * was to be checked or merged that is an attempt, so that two machines without a store come to an end.
 */
export async function bringWave(deps: Deps, turn: LoopTurn, { mirror }: Pinned): Promise<StepResult | null> {
  const { goal, run, state } = turn;
  const { wave } = state;
  const made = wave?.phase === "spec_check" ? wave : null;
  const tasks = (await tasksOf(deps.database.db, goal.goalId)).filter((task) =>
    made === null ? goesOn(task) : made.taskIds.includes(task.id),
  );
  const isHere = async ({ commit }: TaskRow): Promise<boolean> =>
    commit === null || (await deps.git.hasCommit(mirror, commit));
  const areHere = async (): Promise<boolean> => (await Promise.all(tasks.map(isHere))).every(Boolean);
  if (await areHere()) return null;
  const fetched = await fetchWork(deps, { goalId: goal.goalId, runId: run.runId, mirror });
  if (typeof fetched === "object") return await waitForStore(deps, turn.keeper, fetched.away);
  if (await areHere()) return null;
  deps.log.warn("loop.work-lost", { goalId: goal.goalId, waveId: wave?.waveId ?? null });
  if (made === null) return null;
  return await recordPhase(deps, turn, {
    status: failedFlags,
    state: { wave: null, checked: {} },
    summary: `wave ${made.waveId}: what its tasks made is on another machine, and is made again`,
    reports: [],
    async write(tx) {
      const updatedAt = deps.now();
      for (const [id, status] of Object.entries(asBefore(made)))
        await updateTask(tx, goal.goalId, id, { status, commit: null, commitFrom: null, updatedAt });
    },
  });
}
