import { takeAgentOutput } from "../../agent/acp/command.ts";
import { GitError } from "../../agent/git/git.ts";
import { spaceWordsOf } from "../../core/space/no-space.ts";
import { readPhaseReport } from "../../core/task-loop/phase-report.ts";
import type { WorkerEnd } from "../../core/task-loop/wave.ts";
import { firstLine } from "../../core/text.ts";
import type { Db } from "../../db/connection/client.ts";
import { updateRun } from "../../db/runs.ts";
import { insertPhaseReport, type TaskRow, updateTask } from "../../db/tasks.ts";
import { appendTimeline } from "../../db/timeline.ts";
import type { Deps } from "../../deps.ts";
import { inTurn } from "../shared/in-turn.ts";
import { leftOutEvent } from "../shared/left-out.ts";
import { taskBranchOf } from "./place.ts";
import { type LoopTurn, warnOfReports } from "./stored.ts";
import { keepsHalf } from "./what-stops.ts";
import type { Ran, WaveWorker } from "./workers.ts";

/** Commits of the work that a wave's workers left. */

/** A worker that has begun, and the commit at which its task began. */
export interface Begun {
  readonly task: TaskRow;
  readonly worker: WaveWorker;
  /** The goal's commit at which its task began. */
  readonly from: string;
}

export interface KeptWork {
  readonly commits: Readonly<Record<string, string>>;
  /** Commits of unfinished tasks that were stopped for a reason that says nothing about their work. The next attempt goes on from them. */
  readonly unfinished: Readonly<Record<string, string>>;
  readonly failed: Readonly<Record<string, WorkerEnd>>;
  readonly reports: Readonly<Record<string, string | null>>;
  /** Paths changed by all these commits. */
  readonly files: readonly string[];
  /** Paths that git could not add, by task. */
  readonly leftOut: Readonly<Record<string, readonly string[]>>;
  /** Why something could not be kept because of too little space; null if everything was kept. */
  readonly noSpace: string | null;
}

/** Commits the work of finished workers, and of stopped workers that will go on with it, each on its task's branch in the mirror. */
export async function keepWork(
  deps: Deps,
  turn: LoopTurn,
  begun: readonly Begun[],
  ran: Ran["ends"],
): Promise<KeptWork> {
  const kept = {
    commits: {} as Record<string, string>,
    unfinished: {} as Record<string, string>,
    failed: {} as Record<string, WorkerEnd>,
    reports: {} as Record<string, string | null>,
    files: [] as string[],
    leftOut: {} as Record<string, readonly string[]>,
    noSpace: null as string | null,
  };
  for (const each of begun) {
    const { id } = each.task;
    const result = ran[id]?.executed?.result;
    const isDone = ran[id]?.end.type === "finished";
    const goesOn = result !== undefined && keepsHalf(result, turn.keeper.cutReason());
    if (ran[id]?.lacksSpace !== false || !(isDone || goesOn)) continue;
    if (isDone) kept.reports[id] = await takeAgentOutput(each.worker.workplace.worktreeDir, "phase-report.json");
    try {
      const { commit, files, notAdded } = await commitOf(deps, turn, each);
      if (isDone) kept.commits[id] = commit;
      // A stopped worker that changed nothing leaves the earlier commit.
      else if (files.length > 0) kept.unfinished[id] = commit;
      if (notAdded !== undefined) kept.leftOut[id] = notAdded;
      kept.files.push(...files);
    } catch (error) {
      const noSpace = spaceWordsOf(error);
      if (noSpace !== null) kept.noSpace = noSpace;
      else if (!(error instanceof GitError)) throw error;
      else kept.failed[id] = { type: "failed", reason: `its work could not be committed: ${error.message}` };
    }
  }
  return kept;
}

async function commitOf(deps: Deps, { goal, run }: LoopTurn, { task, worker }: Begun) {
  const { mirror, worktreeDir, startCommit, refsBefore } = worker.workplace;
  const branch = taskBranchOf(goal.goalId, task.id);
  await deps.git.restoreRefs({ mirror, before: refsBefore, branch });
  const committed = await deps.git.commitWork({
    mirror,
    worktree: worktreeDir,
    branch,
    parent: startCommit,
    ground: worker.workplace.baseCommit,
    message: `${task.id}: ${firstLine(task.title, 100)}`,
    trailers: {
      goal: goal.goalId,
      run: run.runId,
      ...(run.approvedBy === null ? {} : { approvedBy: run.approvedBy }),
    },
    author: { name: "Chief of Staff", email: "chief-of-staff@localhost" },
  });
  const commit = committed.type === "committed" ? committed.commit : startCommit;
  deps.log.info("task.committed", { goalId: goal.goalId, taskId: task.id, commit });
  const files = committed.type === "committed" ? committed.files.map((file) => file.path) : [];
  return { commit, files, notAdded: committed.notAdded };
}

/** Records as events which files were left out of the commits. */
export async function tellLeftOut(
  tx: Db,
  deps: Deps,
  { goal, run }: LoopTurn,
  kept: Pick<KeptWork, "commits" | "leftOut">,
): Promise<void> {
  for (const [id, paths] of Object.entries(kept.leftOut)) {
    const about = { goalId: goal.goalId, runId: run.runId, at: deps.now(), commit: kept.commits[id] ?? "", paths };
    await appendTimeline(tx, leftOutEvent(about));
  }
}

/**
 * Stores which tasks of an interrupted wave had finished, so that they are not worked again. Returns the turn with the new state, or null
 * if the lease was lost.
 */
export async function holdWork(
  deps: Deps,
  turn: LoopTurn,
  begun: readonly Begun[],
  kept: KeptWork,
): Promise<LoopTurn | null> {
  const { run, state } = turn;
  const { wave } = state;
  const finished = Object.keys(kept.commits);
  const left = { ...kept.unfinished, ...kept.commits };
  if (wave === null || Object.keys(left).length === 0) return turn;
  const next = { ...state, wave: { ...wave, done: [...(wave.done ?? []), ...finished] } };
  const reports = finished.map((taskId) => ({
    taskId,
    report: readPhaseReport("implement_task", kept.reports[taskId] ?? null, {}),
  }));
  const written = await inTurn(deps, turn.keeper, async (tx, { goalId }) => {
    const at = deps.now();
    await updateRun(tx, run.runId, { loop: next, ...(finished.length > 0 ? { limitWaits: 0 } : {}) });
    for (const { task, from } of begun) {
      const commit = left[task.id];
      if (commit !== undefined) await updateTask(tx, goalId, task.id, { commit, commitFrom: from, updatedAt: at });
    }
    await tellLeftOut(tx, deps, turn, kept);
    for (const { taskId, report } of reports) {
      const about = { goalId, runId: run.runId, iteration: state.iteration, taskId };
      const outcome = report.source === "inferred" ? { outcome: `${taskId} implemented` } : {};
      await insertPhaseReport(tx, { ...about, report: { ...report, ...outcome }, evidence: null, at });
    }
    return true;
  });
  if (written === null) return null;
  warnOfReports(deps, turn.goal.goalId, reports);
  return { ...turn, state: next };
}
