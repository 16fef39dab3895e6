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

/** Puts these commits into the store, with what the goal has recorded. */
export async function shareWave(
  deps: Deps,
  { goal, run }: LoopTurn,
  { mirror, repository }: Pinned,
  commits: readonly string[],
): Promise<void> {
  if (deps.store === null || commits.length === 0) return;
  const all = run.headCommit === null ? commits : [run.headCommit, ...commits];
  const commit = await deps.git.joinCommits(mirror, all);
  await shareWork(deps, { goalId: goal.goalId, runId: run.runId, commit, repository, mirror });
}

/**
 * Before what was made is checked or merged: null where it is here, or was brought here. What cannot be had is made again: those
 * attempts are counted, so that two machines without a store come to an end.
 */
export async function bringWave(deps: Deps, turn: LoopTurn, { mirror }: Pinned): Promise<StepResult | null> {
  const { goal, run, state } = turn;
  const { wave } = state;
  if (wave === null || wave.phase !== "spec_check") return null;
  const tasks = (await tasksOf(deps.database.db, goal.goalId)).filter(({ id }) => wave.taskIds.includes(id));
  const isHere = async ({ commit }: TaskRow): Promise<boolean> =>
    commit === null || (await deps.git.hasCommit(mirror, commit));
  const areHere = async (): Promise<boolean> => (await Promise.all(tasks.map(isHere))).every(Boolean);
  if (await areHere()) return null;
  const fetched = await fetchWork(deps, { goalId: goal.goalId, runId: run.runId, mirror });
  if (typeof fetched === "object") return await waitForStore(deps, turn.keeper, fetched.away);
  if (await areHere()) return null;
  deps.log.warn("loop.work-lost", { goalId: goal.goalId, waveId: wave.waveId });
  return await recordPhase(deps, turn, {
    status: failedFlags,
    state: { wave: null, checked: {} },
    summary: `wave ${wave.waveId}: what its tasks made is on another machine, and is made again`,
    reports: [],
    async write(tx) {
      const updatedAt = deps.now();
      for (const [id, status] of Object.entries(asBefore(wave)))
        await updateTask(tx, goal.goalId, id, { status, commit: null, commitFrom: null, updatedAt });
    },
  });
}
