import { GitError } from "../../agent/git/git.ts";
import { takeAgentOutput, writeAgentInput } from "../../agent/acp/command.ts";
import { NoSpace } from "../../core/space/no-space.ts";
import { firstLine } from "../../core/text.ts";
import { failedFlags } from "../../core/task-loop/flags.ts";
import { readPhaseReport } from "../../core/task-loop/phase-report.ts";
import { endWave, planWave, type Wave, type WorkerEnd } from "../../core/task-loop/wave.ts";
import { taskPrompt } from "../../core/prompts/task.ts";
import type { Lesson } from "../../core/memory/lesson.ts";
import { appendTimeline } from "../../db/timeline.ts";
import type { Deps } from "../../deps.ts";
import { lessonsOf } from "../../facts/lessons.ts";
import { type TaskRow, tasksOf, updateTask } from "../../db/tasks.ts";
import { updateRun } from "../../db/runs.ts";
import { inTurn, lost, type StepResult } from "../shared/in-turn.ts";
import type { Base } from "../shared/base.ts";
import { allowedOf } from "../shared/permission.ts";
import { leftOutEvent } from "../shared/left-out.ts";
import { prepareTaskPlace, taskBranchOf } from "./place.ts";
import { type LoopTurn, nothingMore, type PhaseEnd, recordPhase } from "./stored.ts";
import { recordCut } from "../goal/cut.ts";
import { tellExhausted, tellPermission, tellSetupFailure } from "./stops.ts";
import { nothingRan, runWorkers, type Worker } from "./workers.ts";

type Pinned = Extract<Base, { type: "pinned" }>;

/** Phase `implement_task`: the next wave is stored, then worked, each task in its own worktree (S3-TR, S3-PT, S3-SF). */
export async function implementWave(deps: Deps, turn: LoopTurn, base: Pinned): Promise<StepResult> {
  const { keeper } = turn;
  const tasks = await tasksOf(deps.database.db, turn.goal.goalId);
  const tired = tasks.filter((task) => task.status === "failed" && task.attempts >= deps.policy.tasks.attempts);
  if (tired.length > 0) return await tellExhausted(deps, turn, tired);

  const wave = turn.state.wave ?? planWave(deps.newId("wave"), tasks, turn.goal.taskParallel ?? 1);
  if (wave === null) return await recordPhase(deps, turn, nothingToDo(tasks));
  if (turn.state.wave === null && !(await storeWave(deps, turn, tasks, wave))) return lost;
  const stored: LoopTurn = { ...turn, state: { ...turn.state, wave } };

  // Nothing is begun with a lease that may be somebody else's by now: he works in the same places.
  const cutBefore = await keeper.confirm();
  if (cutBefore !== null) return await recordCut(deps, stored.keeper, stored.run, cutBefore);
  await deps.executor.endRun(turn.run.runId);
  const chosen = tasks.filter((task) => wave.taskIds.includes(task.id));
  const places: { task: TaskRow; worker: Worker }[] = [];
  const ends: Record<string, WorkerEnd> = {};
  const { approachInstruction, clarification } = turn.run;
  // What each task failed with is its own feedback; the ladder adds what to do differently.
  const recovery = { failed: [], instruction: approachInstruction, clarification };
  const lessons = await lessonsOf(deps, turn.goal);
  const allowedNow = await allowedOf(deps.database.db, turn.goal.goalId);
  for (const task of chosen) {
    const at = turn.run.headCommit ?? turn.run.baseCommit ?? base.commit;
    const place = { goalId: turn.goal.goalId, taskId: task.id, run: turn.run, turn: turn.lease.turn, base, at };
    const prepared = await prepareTaskPlace(deps, place, keeper.signal);
    if (prepared.type === "failed") {
      ends[task.id] = { type: "setup-failure", reason: prepared.reason };
      break;
    }
    await layFeedback(turn, prepared.workplace.worktreeDir, task);
    const { feedback } = task;
    const told = { feedback, checks: base.repository.checks, recovery, lessons, allowedNow };
    const prompt = taskPrompt(turn.goal, task, told);
    places.push({ task, worker: { taskId: task.id, name: task.id, prompt, workplace: prepared.workplace } });
  }
  // A setup that we ended ourselves has not failed (D8).
  const cutEarly = await keeper.confirm();
  if (cutEarly !== null) return await recordCut(deps, stored.keeper, stored.run, cutEarly);
  const isSetUp = Object.keys(ends).length === 0;
  const run = isSetUp
    ? await runWorkers(
        deps,
        stored,
        places.map(({ worker }) => worker),
      )
    : nothingRan;
  if (run.cut !== null) return await recordCut(deps, stored.keeper, stored.run, run.cut);
  if (run.ask !== null) return await tellPermission(deps, stored, run.ask);
  // Whoever has the goal by now has children of the same run, and works on the same branches.
  if ((await keeper.confirm(0)) === "lost") return lost;
  if (run.noSpace !== null) throw new NoSpace(run.noSpace);
  await deps.executor.endOwn(turn.run.runId);
  for (const [id, worked] of Object.entries(run.ends)) ends[id] = worked.end;

  const kept = await keepWork(deps, stored, places, ends);
  return await record(deps, stored, wave, {
    ends: { ...ends, ...kept.failed },
    commits: kept.commits,
    reports: kept.reports,
    files: kept.files,
    leftOut: kept.leftOut,
    lessons,
  });
}

/** Stores the next wave before any of its tasks begins (S3-CR-02). False when the lease was lost. */
async function storeWave(deps: Deps, turn: LoopTurn, tasks: readonly TaskRow[], wave: Wave): Promise<boolean> {
  const written = await inTurn(deps, turn.keeper, async (tx) => {
    const now = deps.now();
    for (const id of wave.taskIds) {
      const task = tasks.find((each) => each.id === id);
      await updateTask(tx, turn.goal.goalId, id, {
        status: "in_progress",
        attempts: (task?.attempts ?? 0) + 1,
        updatedAt: now,
      });
    }
    await updateRun(tx, turn.run.runId, { loop: { ...turn.state, wave, checked: {} } });
    return true;
  });
  return written === true;
}

/** What the last check found, as a file too: one for a task alone, one of its own in a wave (S3-EV-05, S3-EV-06). */
async function layFeedback({ goal }: LoopTurn, worktree: string, task: TaskRow): Promise<void> {
  if (task.feedback === null) return;
  if ((goal.taskParallel ?? 1) === 1) await writeAgentInput(worktree, "task-feedback.md", task.feedback);
  else await writeAgentInput(worktree, `task-feedback/${task.id}.md`, task.feedback);
}

/** Everything has passed (after a repair): the loop goes on with the check of the whole. */
function nothingToDo(tasks: readonly TaskRow[]): PhaseEnd {
  const left = tasks.filter((task) => task.status !== "passed").map((task) => task.id);
  const wave = { waveId: "wave-none", phase: "spec_check", taskIds: [], before: {} } as const;
  return {
    status: { succeeded: left.length === 0 },
    state: { wave },
    summary: left.length === 0 ? "every task has passed" : `no task is ready: ${left.join(", ")}`,
    reports: [],
    write: nothingMore,
  };
}

interface Kept {
  readonly commits: Readonly<Record<string, string>>;
  readonly failed: Readonly<Record<string, WorkerEnd>>;
  readonly reports: Readonly<Record<string, string | null>>;
  /** Paths that they changed. */
  readonly files: readonly string[];
  /** What they left and git could not add, by task. */
  readonly leftOut: Readonly<Record<string, readonly string[]>>;
}

/** Commits what finished workers left, each on its task's branch in the mirror. */
async function keepWork(
  deps: Deps,
  { goal, run }: LoopTurn,
  places: readonly { readonly task: TaskRow; readonly worker: Worker }[],
  ends: Readonly<Record<string, WorkerEnd>>,
): Promise<Kept> {
  const commits: Record<string, string> = {};
  const failed: Record<string, WorkerEnd> = {};
  const reports: Record<string, string | null> = {};
  const files: string[] = [];
  const leftOut: Record<string, readonly string[]> = {};
  for (const { task, worker } of places) {
    if (ends[task.id]?.type !== "finished") continue;
    const { mirror, worktreeDir, startCommit, refsBefore } = worker.workplace;
    const branch = taskBranchOf(goal.goalId, task.id);
    reports[task.id] = await takeAgentOutput(worktreeDir, "phase-report.json");
    try {
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
      commits[task.id] = committed.type === "committed" ? committed.commit : startCommit;
      if (committed.notAdded !== undefined) leftOut[task.id] = committed.notAdded;
      if (committed.type === "committed") files.push(...committed.files.map((file) => file.path));
      deps.log.info("task.committed", { goalId: goal.goalId, taskId: task.id, commit: commits[task.id] });
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      failed[task.id] = { type: "failed", reason: `its work could not be committed: ${error.message}` };
    }
  }
  return { commits, failed, reports, files, leftOut };
}

interface Worked extends Pick<Kept, "commits" | "reports" | "files" | "leftOut"> {
  readonly ends: Readonly<Record<string, WorkerEnd>>;
  /** What its agents were told of past runs. */
  readonly lessons: readonly Lesson[];
}

async function record(
  deps: Deps,
  turn: LoopTurn,
  wave: Wave,
  { ends, commits, reports, files, leftOut, lessons }: Worked,
): Promise<StepResult> {
  const ended = endWave(wave, ends);
  if (ended.state === "setup_failed") return await tellSetupFailure(deps, turn, ended);
  const isDone = ended.worked.length > 0;
  return await recordPhase(deps, turn, {
    // Nothing to check: the loop stays, and its failed tasks are worked again (S3-PT-05).
    status: isDone ? {} : { ...failedFlags, succeeded: false },
    state: isDone ? { wave: { ...wave, phase: "spec_check", taskIds: ended.worked }, checked: {} } : { wave: null },
    summary: ended.summary,
    files,
    reports: wave.taskIds.map((taskId) => ({
      taskId,
      report: readPhaseReport("implement_task", reports[taskId] ?? null, {}),
      evidence: null,
    })),
    async write(tx, goal) {
      const { runId } = turn.run;
      const { goalId, sessionId } = goal;
      if (lessons.length > 0)
        await appendTimeline(tx, { event: "run.told", goalId, sessionId, runId, at: deps.now(), detail: { lessons } });
      for (const [id, paths] of Object.entries(leftOut))
        await appendTimeline(tx, leftOutEvent({ goalId, runId, at: deps.now(), commit: commits[id] ?? "", paths }));
      for (const id of wave.taskIds) {
        const status = ended.statuses[id] ?? "failed";
        const commit = commits[id] ?? null;
        const told = ended.feedback[id];
        const isAlone = (goal.taskParallel ?? 1) === 1;
        // Used up by the attempt that it was for; in a wave it stays until there is newer (S3-EV-05, S3-EV-06).
        const feedback = told !== undefined ? { feedback: told } : isAlone ? { feedback: null } : {};
        await updateTask(tx, goal.goalId, id, { status, commit, ...feedback, updatedAt: deps.now() });
      }
    },
  });
}
