import { writeAgentInput } from "../../agent/acp/command.ts";
import { failedFlags } from "../../core/task-loop/flags.ts";
import { readPhaseReport } from "../../core/task-loop/phase-report.ts";
import { asBefore, endWave, planWave, type Wave, type WorkerEnd } from "../../core/task-loop/wave.ts";
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
import { roomFor } from "../shared/money.ts";
import { putBackTasks } from "./put-back.ts";
import { beginningOf, stillDone } from "./begin-at.ts";
import { type Begun, holdWork, type KeptWork, keepWork, tellLeftOut } from "./keep-work.ts";
import { prepareTaskPlace } from "./place.ts";
import { shareWave } from "./share-wave.ts";
import { type LoopTurn, nothingMore, type PhaseEnd, recordPhase } from "./stored.ts";
import { recordCut } from "../goal/cut.ts";
import { actOnStop, tellExhausted, tellSetupFailure } from "./stops.ts";
import type { Stop } from "./what-stops.ts";
import { nothingRan, runWorkers } from "./workers.ts";

type Pinned = Extract<Base, { type: "pinned" }>;

/** Phase `implement_task`: stores the next wave, then works it, each task in its own worktree (S3-TR, S3-PT, S3-SF). */
export async function implementWave(deps: Deps, turn: LoopTurn, base: Pinned): Promise<StepResult> {
  const { keeper } = turn;
  const tasks = await tasksOf(deps.database.db, turn.goal.goalId);
  const tired = tasks.filter((task) => task.status === "failed" && task.attempts >= deps.policy.tasks.attempts);
  if (tired.length > 0) return await tellExhausted(deps, turn, tired);

  const parallel = Math.min(turn.goal.taskParallel ?? 1, await roomFor(deps, turn.goal, turn.run));
  const wave = turn.state.wave ?? planWave(deps.newId("wave"), tasks, parallel);
  if (wave === null) return await recordPhase(deps, turn, nothingToDo(tasks));
  if (turn.state.wave === null && !(await storeWave(deps, turn, tasks, wave))) return lost;
  const stored: LoopTurn = { ...turn, state: { ...turn.state, wave } };

  // Nothing begins if the lease may be lost: another worker would work in the same places.
  const cutBefore = await keeper.confirm();
  if (cutBefore !== null) return await recordCut(deps, stored.keeper, stored.run, cutBefore);
  await deps.executor.endRun(turn.run.runId);
  const head = turn.run.headCommit ?? turn.run.baseCommit ?? base.commit;
  const finished = tasks.filter((task) => wave.done?.includes(task.id));
  const done = await stillDone(deps, base, head, finished);
  const chosen = tasks.filter((task) => wave.taskIds.includes(task.id) && !done.includes(task));
  const lessons = await lessonsOf(deps, turn.goal);
  const allowedNow = await allowedOf(deps.database.db, turn.goal.goalId);
  const prepared = await prepareAll(deps, turn, chosen, { base, head, lessons, allowedNow });
  // A setup that the bot interrupted has not failed (D8).
  const cutEarly = await keeper.confirm();
  if (cutEarly !== null) return await recordCut(deps, stored.keeper, stored.run, cutEarly);
  const workers = prepared.begun.map(({ worker }) => worker);
  const run = prepared.failed !== null || workers.length === 0 ? nothingRan : await runWorkers(deps, stored, workers);
  if (run.stop?.type === "cut" && run.stop.why === "lost")
    return await recordCut(deps, stored.keeper, stored.run, "lost");
  // If the lease is lost, another worker may run processes of the same run and work on the same branches.
  if ((await keeper.confirm(0)) === "lost") return lost;
  await deps.executor.endOwn(turn.run.runId);
  const kept = await keepWork(deps, stored, prepared.begun, run.ends);
  const left = [
    ...done.flatMap(({ commit }) => commit ?? []),
    ...Object.values({ ...kept.unfinished, ...kept.commits }),
  ];
  await shareWave(deps, stored, base, left);
  const stop: Stop | null = run.stop ?? (kept.noSpace === null ? null : { type: "no-space", reason: kept.noSpace });
  if (stop !== null) {
    const held = await holdWork(deps, stored, prepared.begun, kept);
    return held === null ? lost : await actOnStop(deps, held, stop);
  }
  const ends = Object.fromEntries([
    ...done.map((task): [string, WorkerEnd] => [task.id, { type: "finished" }]),
    ...Object.entries(run.ends).map(([id, worked]): [string, WorkerEnd] => [id, worked.end]),
    ...Object.entries(kept.failed),
    ...(prepared.failed === null ? [] : [prepared.failed]),
  ]);
  const notBegun = chosen.filter((task) => ends[task.id] === undefined && prepared.failed === null);
  return await record(deps, stored, wave, { base, ends, kept, done, notBegun, from: head, lessons });
}

interface WaveContext {
  readonly base: Pinned;
  /** The goal's current commit. */
  readonly head: string;
  readonly lessons: readonly Lesson[];
  /** What a person has allowed the goal's agents to do. */
  readonly allowedNow: readonly string[];
}

/** Prepares a worktree for each chosen task. Stops at the first one that cannot be prepared. */
async function prepareAll(
  deps: Deps,
  turn: LoopTurn,
  chosen: readonly TaskRow[],
  { base, head, lessons, allowedNow }: WaveContext,
): Promise<{ readonly begun: readonly Begun[]; readonly failed: [string, WorkerEnd] | null }> {
  const { goal, run, lease, keeper } = turn;
  const begun: Begun[] = [];
  // Each task has the feedback of its own failures. The recovery ladder adds what to do differently.
  const recovery = { failed: [], instruction: run.approachInstruction, clarification: run.clarification };
  for (const task of chosen) {
    const { at, goesOn } = await beginningOf(deps, base, head, task);
    const place = { goalId: goal.goalId, taskId: task.id, run, turn: lease.turn, base, at };
    const prepared = await prepareTaskPlace(deps, place, keeper.signal);
    if (prepared.type === "failed")
      return { begun, failed: [task.id, { type: "setup-failure", reason: prepared.reason }] };
    await layFeedback(turn, prepared.workplace.worktreeDir, task);
    const { feedback } = task;
    const wasTried = task.commit !== null || task.attempts > (turn.state.wave === null ? 0 : 1);
    const earlier = goesOn ? "kept" : wasTried ? "discarded" : "none";
    const told = { feedback, earlier, checks: base.repository.checks, recovery, lessons, allowedNow } as const;
    const prompt = taskPrompt(goal, task, told);
    const worker = { taskId: task.id, name: task.id, prompt, workplace: prepared.workplace };
    begun.push({ task, worker, from: head });
  }
  return { begun, failed: null };
}

/** Stores the next wave before any of its tasks begins (S3-CR-02). Returns false if the lease was lost. */
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

/** Writes what the last check found into a file for the agent. In goals with parallel tasks its name contains the task's id (S3-EV-05, S3-EV-06). */
async function layFeedback({ goal }: LoopTurn, worktree: string, task: TaskRow): Promise<void> {
  if (task.feedback === null) return;
  if ((goal.taskParallel ?? 1) === 1) await writeAgentInput(worktree, "task-feedback.md", task.feedback);
  else await writeAgentInput(worktree, `task-feedback/${task.id}.md`, task.feedback);
}

/** No task can be begun. If all have passed, the loop goes on to the verification of the goal. */
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

interface Worked {
  readonly base: Pinned;
  readonly ends: Readonly<Record<string, WorkerEnd>>;
  readonly kept: KeptWork;
  /** Tasks that had finished before the wave was interrupted. Their results are recorded already. */
  readonly done: readonly TaskRow[];
  /** Tasks for which the money was not enough. They become what they were before the wave. */
  readonly notBegun: readonly TaskRow[];
  /** The goal's commit at which the others began. */
  readonly from: string;
  /** Lessons of past runs that its agents were told. */
  readonly lessons: readonly Lesson[];
}

async function record(deps: Deps, turn: LoopTurn, stored: Wave, worked: Worked): Promise<StepResult> {
  const { ends, kept, done, notBegun, from, lessons } = worked;
  const wave = { ...stored, taskIds: stored.taskIds.filter((id) => notBegun.every((task) => task.id !== id)) };
  const ended = endWave(wave, ends);
  if (ended.state === "setup_failed")
    return await tellSetupFailure(deps, turn, { ...ended, statuses: asBefore(stored) });
  const isDone = ended.worked.length > 0;
  const begun = wave.taskIds.filter((id) => done.every((task) => task.id !== id));
  return await recordPhase(deps, turn, {
    // If no task has finished, there is nothing to check: the phase is repeated with the failed tasks (S3-PT-05).
    status: isDone ? {} : { ...failedFlags, succeeded: false },
    state: isDone
      ? { wave: { ...wave, phase: "spec_check", taskIds: ended.worked }, checked: {}, unjudged: 0 }
      : { wave: null },
    // A stop by a person keeps the phase. Tasks that have finished are not worked again.
    ...(isDone ? { stopped: { wave: { ...wave, taskIds: ended.worked, done: ended.worked } } } : {}),
    summary: ended.summary,
    files: [...(await filesOf(deps, worked)), ...kept.files],
    reports: begun.map((taskId) => ({
      taskId,
      report: readPhaseReport("implement_task", kept.reports[taskId] ?? null, {}),
      evidence: null,
    })),
    async write(tx, goal) {
      const { runId } = turn.run;
      const { goalId, sessionId } = goal;
      // An agent that finished met no limit of its provider, so counting starts again.
      if (isDone) await updateRun(tx, runId, { limitWaits: 0 });
      if (lessons.length > 0)
        await appendTimeline(tx, { event: "run.told", goalId, sessionId, runId, at: deps.now(), detail: { lessons } });
      await tellLeftOut(tx, deps, turn, kept);
      await putBackTasks(tx, deps, goalId, asBefore({ ...stored, taskIds: notBegun.map((task) => task.id) }));
      for (const id of wave.taskIds) {
        const status = ended.statuses[id] ?? "failed";
        const commit = kept.commits[id];
        const told = ended.feedback[id];
        const isAlone = (goal.taskParallel ?? 1) === 1;
        // Old feedback is removed after the attempt that it was for. In a wave it stays until there is newer feedback (S3-EV-05, S3-EV-06).
        const feedback = told !== undefined ? { feedback: told } : isAlone ? { feedback: null } : {};
        // An attempt without a commit leaves the earlier one. After a wave that took too long, no commit is used (S3-PT-01).
        const made = commit === undefined ? {} : { commit, commitFrom: from };
        const unused = ended.state === "timed_out" ? { commitFrom: null } : {};
        await updateTask(tx, goal.goalId, id, { status, ...made, ...unused, ...feedback, updatedAt: deps.now() });
      }
    },
  });
}

/** Paths changed by tasks that had finished before the wave was interrupted. */
async function filesOf(deps: Deps, { base, done }: Worked): Promise<string[]> {
  const found: string[] = [];
  for (const { commit, commitFrom } of done) {
    if (commit === null || commitFrom === null) continue;
    found.push(...(await taskChanges(deps, base, commitFrom, commit)).map(({ path }) => path));
  }
  return found;
}

/** The files that a task's commit changes, compared with the commit at which it began. */
export async function taskChanges(deps: Pick<Deps, "git">, base: Pinned, from: string, commit: string) {
  return commit === from ? [] : await deps.git.changedFiles(base.mirror, from, commit);
}
