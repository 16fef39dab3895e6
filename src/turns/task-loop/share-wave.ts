import { failedFlags } from "../../core/task-loop/flags.ts";
import { asBefore } from "../../core/task-loop/wave.ts";
import { type TaskRow, tasksOf, updateTask } from "../../db/tasks.ts";
import type { Deps } from "../../deps.ts";
import type { Base } from "../shared/base.ts";
import type { StepResult } from "../shared/in-turn.ts";
import { fetchWork, shareWork } from "../shared/shared-work.ts";
import { waitForStore } from "../goal/recorded-work.ts";
import { type LoopTurn, recordPhase } from "./stored.ts";

/**
 * The commits of tasks are in one machine's mirror until they are merged. Each phase is a turn of its own, and another machine may take the
 * next one, so the commits are shared in the store.
 */

type Pinned = Extract<Base, { type: "pinned" }>;

/** Puts these commits into the store, in one bundle with the goal's recorded commit and the commits from which unfinished tasks go on. */
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

/** Whether the next attempt at a task goes on from the task's commit. */
function goesOn({ status, commit, commitFrom }: TaskRow): boolean {
  return status !== "passed" && commit !== null && commitFrom !== null;
}

/**
 * Called before a phase that needs the commits of tasks. Fetches them from the store if they are not on this machine. Returns null if the
 * phase can go on. Commits that cannot be fetched are made again. If they were to be checked or merged, that counts as an attempt, so that
 * two machines without a store do not repeat this for ever.
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
