import { takeAgentJson, takeAgentOutput } from "../../agent/acp/command.ts";
import { linesOf } from "../../agent/verify/looked.ts";
import { laySkills, type Skill, specCheckSkills } from "../../agent/acp/skills.ts";
import { NoSpace } from "../../core/space/no-space.ts";
import { failedFlags, saysFailed } from "../../core/task-loop/flags.ts";
import { type EvidenceRecord, filesNamed, judgeEvidence } from "../../core/task-loop/evidence.ts";
import { type PhaseReport, readPhaseReport } from "../../core/task-loop/phase-report.ts";
import { selectMode } from "../../core/task-loop/spec-check-mode.ts";
import { asBefore, endWave, type Wave, type WorkerEnd } from "../../core/task-loop/wave.ts";
import { legacyCheckPrompt, layeredCheckPrompt } from "../../core/prompts/task.ts";
import type { Deps } from "../../deps.ts";
import { type TaskRow, tasksOf, updateTask } from "../../db/tasks.ts";
import type { Base } from "../shared/base.ts";
import { allowedOf } from "../shared/permission.ts";
import { lost, type StepResult } from "../shared/in-turn.ts";
import { outsideOf } from "./outside.ts";
import { prepareTaskPlace } from "./place.ts";
import { type LoopTurn, nothingMore, recordPhase } from "./stored.ts";
import { recordCut } from "../goal/cut.ts";
import { tellPermission, tellSetupFailure } from "./stops.ts";
import { nothingRan, ranBy, runWorkers, type Worker } from "./workers.ts";

type Pinned = Extract<Base, { type: "pinned" }>;

/** Phase `spec_check_mode_select`: the flag is read here, once an iteration (S3-MS-05, S3-MS-06). */
export async function selectCheckMode(deps: Deps, turn: LoopTurn): Promise<StepResult> {
  const registry = specCheckSkills(deps.config.skillsDir);
  const missing = registry.type === "ok" ? registry.missing : [registry.problem];
  const choice = selectMode(turn.goal.taskSettings?.useLayeredSkills, missing);
  const fields = { goalId: turn.goal.goalId, mode: choice.mode, reason: choice.reason };
  if (choice.warns) deps.log.warn("loop.mode", fields);
  else deps.log.info("loop.mode", fields);
  return await recordPhase(deps, turn, {
    status: { mode: choice.mode },
    state: { mode: choice },
    summary: `mode=${choice.mode} reason=${choice.reason}`,
    reports: [],
    write: nothingMore,
  });
}

interface Checked {
  readonly verdict: "passed" | "failed";
  readonly feedback: string | null;
  readonly report: PhaseReport;
  readonly evidence: EvidenceRecord | null;
}

/** Phases `spec_check_legacy` and `spec_check_layered`: an agent that did not do the work shows whether it holds (S3-EV). */
export async function checkWave(deps: Deps, turn: LoopTurn, base: Pinned): Promise<StepResult> {
  const { state, goal, keeper } = turn;
  const { wave } = state;
  if (wave === null) {
    const summary = "there is no wave to check";
    return await tellSetupFailure(deps, turn, { statuses: {}, summary });
  }
  const tasks = (await tasksOf(deps.database.db, goal.goalId)).filter((task) => wave.taskIds.includes(task.id));
  const outside = await outsideOf(deps, turn, base, tasks);
  const inside = tasks.filter((task) => outside[task.id] === undefined);
  const cutBefore = await keeper.confirm();
  if (cutBefore !== null) return await recordCut(deps, turn.keeper, turn.run, cutBefore);
  await deps.executor.endRun(turn.run.runId);
  const skills = layeredSkills(deps, turn);
  const allowedNow = await allowedOf(deps.database.db, goal.goalId);
  const workers: Worker[] = [];
  for (const task of inside) {
    const at = task.commit ?? base.commit;
    const place = { goalId: goal.goalId, taskId: task.id, run: turn.run, turn: turn.lease.turn, base, at };
    const prepared = await prepareTaskPlace(deps, place, keeper.signal);
    // A setup that we ended ourselves has not failed (D8).
    const cutEarly = await keeper.confirm();
    if (cutEarly !== null) return await recordCut(deps, turn.keeper, turn.run, cutEarly);
    if (prepared.type === "failed") {
      const summary = `wave ${wave.waveId}: setup_failed: ${task.id}: ${prepared.reason}`;
      return await tellSetupFailure(deps, turn, { statuses: asBefore(wave), summary });
    }
    const { workplace } = prepared;
    // What the work left under these names is not the check's.
    for (const name of ["evidence.json", "phase-report.json", "task-feedback.md"])
      await takeAgentOutput(workplace.worktreeDir, name);
    const prompt = await promptOf({ ...turn, allowedNow }, task, workplace.worktreeDir, skills);
    workers.push({ taskId: task.id, name: `check-${task.id}`, prompt, workplace });
  }
  const run = workers.length === 0 ? nothingRan : await runWorkers(deps, turn, workers);
  if (run.cut !== null) return await recordCut(deps, turn.keeper, turn.run, run.cut);
  if (run.ask !== null) return await tellPermission(deps, turn, run.ask);
  // Whoever has the goal by now has children of the same run, in the same places.
  if ((await keeper.confirm(0)) === "lost") return lost;
  if (run.noSpace !== null) throw new NoSpace(run.noSpace);
  await deps.executor.endOwn(turn.run.runId);

  const ends = Object.fromEntries(Object.entries(run.ends).map(([id, worked]) => [id, worked.end]));
  const cannotBegin = Object.values(ends).some((end) => end.type === "setup-failure");
  if (cannotBegin) return await tellSetupFailure(deps, turn, endWave(wave, ends));
  if (Object.values(ends).some((end) => end.type === "timeout")) return await recordTimeout(deps, turn, wave, ends);
  const checked: Record<string, Checked> = {};
  for (const task of tasks) {
    const worker = workers.find((each) => each.taskId === task.id);
    checked[task.id] = await verdictOn(turn, task, {
      outside: outside[task.id] ?? null,
      end: ends[task.id] ?? null,
      worker: worker ?? null,
      ran: ranBy(run.ends[task.id]),
    });
  }
  return await record(deps, turn, checked);
}

function layeredSkills(deps: Deps, { state }: LoopTurn): readonly Skill[] {
  if (state.phase !== "spec_check_layered") return [];
  const registry = specCheckSkills(deps.config.skillsDir);
  return registry.type === "ok" && registry.missing.length === 0 ? registry.skills : [];
}

async function promptOf(
  { goal, state, allowedNow }: LoopTurn & { readonly allowedNow: readonly string[] },
  task: TaskRow,
  worktree: string,
  skills: readonly Skill[],
): Promise<string> {
  const about = { ...goal, allowedNow };
  // Skills that have gone since they were chosen are none to follow.
  if (state.phase !== "spec_check_layered" || skills.length === 0) return legacyCheckPrompt(about, task, state.phase);
  const paths = await laySkills(worktree, skills);
  // Agents that cannot read files have the texts as well.
  const texts = skills.map((skill) => `Skill ${skill.id}:\n\n${skill.text}`);
  return layeredCheckPrompt(about, task, paths, texts);
}

async function verdictOn(
  { state }: LoopTurn,
  task: TaskRow,
  found: {
    /** Why its changes are refused; null: they are not. */
    readonly outside: string | null;
    readonly end: WorkerEnd | null;
    readonly worker: Worker | null;
    /** The commands that its check ran; null: it does not tell. */
    readonly ran: readonly string[] | null;
  },
): Promise<Checked> {
  const { outside, end, worker } = found;
  if (outside !== null || worker === null || end?.type !== "finished") {
    const why =
      outside !== null
        ? outside
        : `It could not be checked: ${end === null || end.type === "finished" ? "nobody looked" : end.reason}`;
    const report = readPhaseReport(state.phase, null, { taskPassed: false, taskFailed: true });
    return { verdict: "failed", feedback: why, report: { ...report, reasons: [why] }, evidence: null };
  }
  const written = await takeAgentJson(worker.workplace.worktreeDir, "evidence.json");
  const lines = await linesOf(worker.workplace.worktreeDir, filesNamed(written));
  const judged = judgeEvidence(task.acceptanceCriteria, written, { lines, ran: found.ran });
  const told = await takeAgentOutput(worker.workplace.worktreeDir, "task-feedback.md");
  const own = await takeAgentOutput(worker.workplace.worktreeDir, "phase-report.json");
  const shown = judged.type === "passed";
  const report = readPhaseReport(state.phase, own, { taskPassed: shown, taskFailed: !shown });
  // Whoever looked and says no is not outvoted by what he wrote beside it (C-46).
  const denied = saysFailed(report.statusUpdates) && shown;
  const passed = shown && !denied;
  const problems = [
    ...judged.problems,
    ...(denied ? ["the check's own report says that the task failed", ...report.reasons] : []),
  ];
  const claims = report.statusUpdates.taskPassed === true && !shown;
  return {
    verdict: passed ? "passed" : "failed",
    // What the check wrote for the next attempt goes with it, if it wrote something (S3-EV-07).
    feedback: passed
      ? null
      : [...problems.map((problem) => `- ${problem}`), ...(told === null ? [] : [told])].join("\n"),
    report: claims
      ? {
          ...report,
          validationErrors: [
            ...report.validationErrors,
            "it says that the task passed, which its evidence does not show",
          ],
        }
      : report,
    evidence: judged.record,
  };
}

/** A check took too long: every task of the wave has failed, and nothing is merged (S3-PT-06, S3-PT-10, C-44). */
async function recordTimeout(
  deps: Deps,
  turn: LoopTurn,
  wave: Wave,
  ends: Readonly<Record<string, WorkerEnd>>,
): Promise<StepResult> {
  const ended = endWave(wave, ends);
  return await recordPhase(deps, turn, {
    status: failedFlags,
    state: { wave: null, checked: {} },
    summary: ended.summary,
    reports: [],
    async write(tx, goal) {
      for (const id of wave.taskIds)
        await updateTask(tx, goal.goalId, id, {
          status: "failed",
          feedback: ended.feedback[id] ?? null,
          updatedAt: deps.now(),
        });
    },
  });
}

async function record(deps: Deps, turn: LoopTurn, checked: Readonly<Record<string, Checked>>): Promise<StepResult> {
  const entries = Object.entries(checked);
  const passed = entries.filter(([, each]) => each.verdict === "passed").map(([id]) => id);
  const failed = entries.filter(([, each]) => each.verdict === "failed").map(([id]) => id);
  for (const [taskId, { report }] of entries) {
    if (report.validationErrors.length > 0)
      deps.log.warn("loop.phase-report", { goalId: turn.goal.goalId, taskId, errors: report.validationErrors });
  }
  return await recordPhase(deps, turn, {
    status: {},
    state: { checked: Object.fromEntries(entries.map(([id, each]) => [id, each.verdict])) },
    summary: `checked: ${passed.join(", ") || "none"} passed${failed.length === 0 ? "" : `, ${failed.join(", ")} failed`}`,
    reports: entries.map(([taskId, { report, evidence }]) => ({ taskId, report, evidence })),
    async write(tx, goal) {
      for (const [id, each] of entries)
        if (each.feedback !== null)
          await updateTask(tx, goal.goalId, id, { feedback: each.feedback, updatedAt: deps.now() });
    },
  });
}
