import { takeAgentOutput } from "../../agent/acp/command.ts";
import { laySkills, type Skill, specCheckSkills } from "../../agent/acp/skills.ts";
import { failedFlags } from "../../core/task-loop/flags.ts";
import { selectMode } from "../../core/task-loop/spec-check-mode.ts";
import { asBefore, endWave, type Wave, type WorkerEnd } from "../../core/task-loop/wave.ts";
import { legacyCheckPrompt, layeredCheckPrompt } from "../../core/prompts/task.ts";
import type { Deps } from "../../deps.ts";
import { updateRun } from "../../db/runs.ts";
import { type TaskRow, tasksOf, updateTask } from "../../db/tasks.ts";
import type { Base } from "../shared/base.ts";
import { lost, type StepResult } from "../shared/in-turn.ts";
import { roomFor } from "../shared/money.ts";
import { allowedOf } from "../shared/permission.ts";
import { outsideOf } from "./outside.ts";
import { prepareTaskPlace } from "./place.ts";
import { type LoopTurn, nothingMore, recordPhase } from "./stored.ts";
import { recordCut } from "../goal/cut.ts";
import { heldFailure, tellFailure } from "../goal/held.ts";
import { actOnStop, tellSetupFailure } from "./stops.ts";
import { type Checked, holdVerdicts, refusedFor, verdictOn, verdictsOf, writeVerdicts } from "./verdict.ts";
import { nothingRan, type Ran, ranBy, runWorkers, type WaveWorker } from "./workers.ts";

type Pinned = Extract<Base, { type: "pinned" }>;

/** Phase `spec_check_mode_select`: chooses how tasks are checked. The goal's flag is read here, once in each iteration (S3-MS-05, S3-MS-06). */
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

/** Phases `spec_check_legacy` and `spec_check_layered`: an agent that did not do the work shows whether each task meets its criteria (S3-EV). */
export async function checkWave(deps: Deps, turn: LoopTurn, base: Pinned): Promise<StepResult> {
  const { state, goal, keeper } = turn;
  const { wave } = state;
  if (wave === null) {
    const summary = "there is no wave to check";
    return await tellSetupFailure(deps, turn, { statuses: {}, summary });
  }
  // Verdicts that an interrupted check of this wave has stored count.
  const unchecked = wave.taskIds.filter((id) => state.checked[id] === undefined);
  const tasks = (await tasksOf(deps.database.db, goal.goalId)).filter((task) => unchecked.includes(task.id));
  const outside = await outsideOf(deps, turn, base, tasks);
  const inside = tasks.filter((task) => outside[task.id] === undefined);
  const cutBefore = await keeper.confirm();
  if (cutBefore !== null) return await recordCut(deps, turn.keeper, turn.run, cutBefore);
  await deps.executor.endRun(turn.run.runId);
  const skills = layeredSkills(deps, turn);
  const allowedNow = await allowedOf(deps.database.db, goal.goalId);
  const workers: WaveWorker[] = [];
  // If the money is not enough for all, the others are checked in the next turn.
  for (const task of inside.slice(0, Math.max(1, await roomFor(deps, goal, turn.run)))) {
    const at = task.commit ?? base.commit;
    const place = { goalId: goal.goalId, taskId: task.id, run: turn.run, turn: turn.lease.turn, base, at };
    const prepared = await prepareTaskPlace(deps, place, keeper.signal);
    // A setup that the bot interrupted has not failed (D8).
    const cutEarly = await keeper.confirm();
    if (cutEarly !== null) return await recordCut(deps, turn.keeper, turn.run, cutEarly);
    if (prepared.type === "failed") {
      const summary = `wave ${wave.waveId}: setup_failed: ${task.id}: ${prepared.reason}`;
      return await tellSetupFailure(deps, turn, { statuses: asBefore(wave), summary });
    }
    const { workplace } = prepared;
    // Files with these names that the work left are removed, so that they are not taken for files of the check.
    for (const name of ["evidence.json", "phase-report.json", "task-feedback.md"])
      await takeAgentOutput(workplace.worktreeDir, name);
    const prompt = await promptOf({ ...turn, allowedNow }, task, workplace.worktreeDir, skills);
    workers.push({ taskId: task.id, name: `check-${task.id}`, prompt, workplace });
  }
  const run = workers.length === 0 ? nothingRan : await runWorkers(deps, turn, workers);
  if (run.stop?.type === "cut" && run.stop.why === "lost") return await recordCut(deps, keeper, turn.run, "lost");
  // If the lease is lost, another worker may run processes of the same run in the same places: they must not be ended.
  if ((await keeper.confirm(0)) === "lost") return lost;
  await deps.executor.endOwn(turn.run.runId);

  const ends = Object.fromEntries(Object.entries(run.ends).map(([id, worked]) => [id, worked.end]));
  const ended = (type: WorkerEnd["type"]): boolean =>
    run.stop === null && Object.values(ends).some((end) => end.type === type);
  if (ended("setup-failure")) return await tellSetupFailure(deps, turn, endWave(wave, ends));
  const checked: Record<string, Checked> = {};
  for (const task of tasks) {
    const refused = outside[task.id];
    const worker = workers.find((each) => each.taskId === task.id);
    const worked = run.ends[task.id];
    if (refused !== undefined) checked[task.id] = refusedFor(turn, refused);
    else if (worker !== undefined && worked?.end.type === "finished" && !worked.lacksSpace)
      checked[task.id] = await verdictOn(turn, task, { worker, ran: ranBy(worked) });
  }
  if (run.stop !== null) {
    const held = await holdVerdicts(deps, turn, checked);
    return held === null ? lost : await actOnStop(deps, held, run.stop);
  }
  if (ended("timeout")) return await recordTimeout(deps, turn, wave, { ends, checked });
  return await record(deps, turn, checked, run.ends);
}

function layeredSkills(deps: Deps, { state }: LoopTurn): readonly Skill[] {
  if (state.phase !== "spec_check_layered") return [];
  const registry = specCheckSkills(deps.config.skillsDir);
  return registry.type === "ok" && registry.missing.length === 0 ? registry.skills : [];
}

async function promptOf(
  { goal, run, state, allowedNow }: LoopTurn & { readonly allowedNow: readonly string[] },
  task: TaskRow,
  worktree: string,
  skills: readonly Skill[],
): Promise<string> {
  const about = { ...goal, clarification: run.clarification, allowedNow };
  // Skills may have been removed since the mode was chosen.
  if (state.phase !== "spec_check_layered" || skills.length === 0) return legacyCheckPrompt(about, task, state.phase);
  const paths = await laySkills(worktree, skills);
  // The prompt also contains the texts, for agents that cannot read files.
  const texts = skills.map((skill) => `Skill ${skill.id}:\n\n${skill.text}`);
  return layeredCheckPrompt(about, task, paths, texts);
}

/**
 * Records that a check took too long. All tasks of the wave have failed, whatever their own verdicts, and nothing is merged. The feedback
 * of each task says what its own check found (S3-PT-06, S3-PT-10, C-44, C-50).
 */
async function recordTimeout(
  deps: Deps,
  turn: LoopTurn,
  wave: Wave,
  came: { readonly ends: Readonly<Record<string, WorkerEnd>>; readonly checked: Readonly<Record<string, Checked>> },
): Promise<StepResult> {
  const { checked } = came;
  const verdicts = { ...turn.state.checked, ...verdictsOf(checked) };
  const tasks = await tasksOf(deps.database.db, turn.goal.goalId);
  const endOf = (id: string): WorkerEnd => {
    if (verdicts[id] === "passed") return { type: "finished" };
    if (verdicts[id] === undefined) return came.ends[id] ?? { type: "failed", reason: "was not checked" };
    // The feedback of an interrupted check of this wave is stored with the task.
    const found = checked[id]?.feedback ?? tasks.find((task) => task.id === id)?.feedback ?? "";
    return { type: "failed", reason: `did not pass its check:\n${found}` };
  };
  const ended = endWave(wave, Object.fromEntries(wave.taskIds.map((id) => [id, endOf(id)])));
  return await recordPhase(deps, turn, {
    status: failedFlags,
    state: { wave: null, checked: {} },
    summary: ended.summary,
    reports: [],
    async write(tx, { goalId }) {
      const updatedAt = deps.now();
      await writeVerdicts(tx, deps, goalId, checked);
      for (const id of wave.taskIds)
        await updateTask(tx, goalId, id, { status: "failed", feedback: ended.feedback[id] ?? null, updatedAt });
    },
  });
}

/**
 * Records the verdicts of a wave. If a check ended without a verdict, that says nothing about its task, so the same commit is checked
 * again, at most `checksAgain` times in a row.
 */
async function record(
  deps: Deps,
  turn: LoopTurn,
  checked: Readonly<Record<string, Checked>>,
  ran: Ran["ends"],
): Promise<StepResult> {
  const { state } = turn;
  const entries = Object.entries(checked);
  const all = { ...state.checked, ...verdictsOf(checked) };
  const named = (verdict: string): string[] =>
    Object.keys(all)
      .filter((id) => all[id] === verdict)
      .toSorted();
  const open = state.wave?.taskIds.filter((id) => all[id] === undefined) ?? [];
  const broken = open.map((id) => ran[id]?.executed?.result).find((result) => result?.type === "failed");
  const unjudged = open.length === 0 || broken === undefined ? 0 : (state.unjudged ?? 0) + 1;
  if (broken?.type === "failed" && unjudged > deps.policy.tasks.checksAgain) {
    const held = await holdVerdicts(deps, turn, checked);
    const reason = `A check ended without a verdict: ${broken.reason}`;
    return held === null ? lost : await tellFailure(deps, held, broken, { ...heldFailure(broken), reason });
  }
  const failed = named("failed");
  const words = [
    `checked: ${named("passed").join(", ") || "none"} passed`,
    ...(failed.length === 0 ? [] : [`${failed.join(", ")} failed`]),
    ...(open.length === 0 ? [] : [`checked again: ${open.join(", ")}`]),
  ];
  return await recordPhase(deps, turn, {
    status: open.length === 0 ? {} : { succeeded: false },
    state: { checked: all, unjudged },
    summary: `${words.join(", ")}${broken?.type === "failed" ? ` (${broken.reason})` : ""}`,
    reports: entries.map(([taskId, { report, evidence }]) => ({ taskId, report, evidence })),
    async write(tx, goal) {
      await writeVerdicts(tx, deps, goal.goalId, checked);
      // A check that ended met no limit of its provider, so counting starts again.
      if (entries.length > 0) await updateRun(tx, turn.run.runId, { limitWaits: 0 });
    },
  });
}
