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

/** What the workers of a wave left, as commits. */

/** A worker that was begun, and where. */
export interface Begun {
  readonly task: TaskRow;
  readonly worker: WaveWorker;
  /** The goal's commit at which its task began. */
  readonly from: string;
}

export interface KeptWork {
  readonly commits: Readonly<Record<string, string>>;
  /** What workers left that were stopped by what says nothing about their work: they go on from it, but are not done. */
  readonly unfinished: Readonly<Record<string, string>>;
  readonly failed: Readonly<Record<string, WorkerEnd>>;
  readonly reports: Readonly<Record<string, string | null>>;
  /** Paths that they changed. */
  readonly files: readonly string[];
  /** What they left and git could not add, by task. */
  readonly leftOut: Readonly<Record<string, readonly string[]>>;
  /** Why something could not be kept for want of space; else null. */
  readonly noSpace: string | null;
}

/** Commits what finished workers left, each on its task's branch in the mirror, and what those left that go on with it. */
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
      // Who changed nothing leaves what was there before.
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

/** What was left out of what was kept, as events. */
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
 * Stores what had finished of a wave that is interrupted: those tasks are not begun again with it. Returns the turn as it
 * stands then; null when the lease was lost.
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
