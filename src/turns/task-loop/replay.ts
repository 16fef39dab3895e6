import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { takeAgentJson, takeAgentOutput } from "../../agent/acp/command.ts";
import { GitError } from "../../agent/git/git.ts";
import { lineCounts } from "../../agent/verify/looked.ts";
import type { Runner, RunResult } from "../../agent/process/runner.ts";
import { afterClosing } from "../../agent/place/agent-room.ts";
import { laySkills, specCheckSkills } from "../../agent/acp/skills.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { assumedCost } from "../../core/money.ts";
import { legacyCheckPrompt, layeredCheckPrompt } from "../../core/prompts/task.ts";
import { filesNamed, judgeEvidence, readEvidence } from "../../core/task-loop/evidence.ts";
import { readPhaseReport } from "../../core/task-loop/phase-report.ts";
import { type ReplayedCheck, shellFirstSearches, unverifiableClaims } from "../../core/task-loop/replay.ts";
import { localDate } from "../../core/time.ts";
import type { LedgerCall } from "../../db/spend.ts";
import type { TaskRow } from "../../db/tasks.ts";
import { appendTimeline } from "../../db/timeline.ts";
import type { Deps } from "../../deps.ts";
import { outputPathOf, taskDirOf } from "../../paths.ts";
import type { Base } from "../shared/base.ts";
import { type ReplayCost, reserveReplay, settleReplay } from "./replay-money.ts";

/** A recorded task that is to be checked again in both modes. */
export interface TaskReplay {
  readonly goal: Goal;
  readonly runId: string;
  readonly task: TaskRow;
  /** The task's recorded commit. */
  readonly commit: string;
  readonly base: Extract<Base, { type: "pinned" }>;
}

export type Replayed =
  | { readonly type: "checked"; readonly check: ReplayedCheck }
  | { readonly type: "refused"; readonly reason: string };

/**
 * Checks a recorded task again in one mode, in a checkout of its own. Of the goal only its cost changes. `cos replay` compares both modes
 * of a task (S3-EV-10).
 */
export async function replayCheck(
  deps: Deps,
  replay: TaskReplay,
  mode: ReplayedCheck["mode"],
  signal: AbortSignal,
): Promise<Replayed> {
  const { goal, runId, task, base } = replay;
  const agent = deps.executor.ofAgent(base.repository.agent ?? deps.config.agent ?? "");
  if (agent.type !== "ok") return { type: "refused", reason: `no agent can check it: ${agent.reason}` };
  const registry = specCheckSkills(deps.config.skillsDir);
  if (mode === "layered" && (registry.type === "broken" || registry.missing.length > 0)) {
    const why = registry.type === "broken" ? registry.problem : `missing: ${registry.missing.join(", ")}`;
    return { type: "refused", reason: `the layered skills are not there: ${why}` };
  }
  const callId = deps.newId("replay");
  const day = localDate(deps.now(), deps.config.timezone);
  const call: LedgerCall = { callId, goalId: goal.goalId, runId, sessionId: goal.sessionId, day };
  const capMicroUsd = await reserveReplay(deps, goal, call);
  if (capMicroUsd === null) return { type: "refused", reason: "not enough is left under the goal's ceilings" };

  const spent: Spent = { microUsd: 0, isReported: false, durationMs: 0 };
  let judged: Judged;
  try {
    judged = await checkInPlace(deps, agent.runner, { replay, mode, callId, capMicroUsd, spent, signal });
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return { type: "refused", reason: `the work of ${task.id} cannot be checked out: ${error.message}` };
  } finally {
    await settleReplay(deps, call, costOf(deps, spent));
  }
  const { amountMicroUsd: costMicroUsd, isEstimated: costIsEstimated } = costOf(deps, spent);
  const check = { ...judged, costMicroUsd, costIsEstimated, durationMs: Math.round(spent.durationMs) };
  const about = { goalId: goal.goalId, runId, at: deps.now() };
  await appendTimeline(deps.database.db, { event: "goal.replayed", ...about, detail: { ...check } });
  return { type: "checked", check };
}

/** What a replay has cost so far: as its agent reported it, else by its time. */
interface Spent {
  microUsd: number;
  isReported: boolean;
  durationMs: number;
}

function costOf({ policy }: Pick<Deps, "policy">, spent: Spent): ReplayCost {
  const { isReported, microUsd, durationMs } = spent;
  const assumed = assumedCost(durationMs, policy.goals.assumedMicroUsdPerMinute);
  return { amountMicroUsd: isReported ? microUsd : assumed, isEstimated: !isReported && durationMs > 0 };
}

type Judged = Omit<ReplayedCheck, "costMicroUsd" | "costIsEstimated" | "durationMs">;

interface ReplayRun {
  readonly replay: TaskReplay;
  readonly mode: ReplayedCheck["mode"];
  readonly callId: string;
  readonly capMicroUsd: number;
  readonly spent: Spent;
  readonly signal: AbortSignal;
}

/** Runs the check in a checkout of the task's commit, which is removed afterwards. Throws GitError. */
async function checkInPlace(deps: Deps, runner: Runner, running: ReplayRun): Promise<Judged> {
  const { replay, mode, callId, spent } = running;
  const { goal, task, base, commit, runId } = replay;
  const worktreeDir = taskDirOf(deps.config.dataDir, goal.goalId, callId);
  const outputFile = join(deps.config.dataDir, outputPathOf(runId, 0, callId));
  await mkdir(dirname(worktreeDir), { recursive: true });
  await mkdir(dirname(outputFile), { recursive: true });
  try {
    await deps.git.prepareCheckout({ mirror: base.mirror, worktreeDir, commit });
    const prompt = await promptOf(deps, replay, mode, worktreeDir);
    const result = await run(deps, runner, { ...running, worktreeDir, outputFile, prompt });
    spent.durationMs = result.durationMs;
    const ran = result.type === "finished" ? (result.said?.ran ?? null) : null;
    return await judge(task, mode, { worktree: worktreeDir, outputFile, ran });
  } finally {
    await deps.git.removeWorktree({ mirror: base.mirror, worktreeDir });
  }
}

async function promptOf(
  { config }: Pick<Deps, "config">,
  { goal, task }: TaskReplay,
  mode: ReplayedCheck["mode"],
  worktreeDir: string,
): Promise<string> {
  const about = { ...goal, clarification: null, allowedNow: [] };
  if (mode === "legacy") return legacyCheckPrompt(about, task, "spec_check_legacy");
  const registry = specCheckSkills(config.skillsDir);
  const skills = registry.type === "ok" ? registry.skills : [];
  const inline = skills.map((skill) => `Skill ${skill.id}:\n\n${skill.text}`);
  return layeredCheckPrompt(about, task, await laySkills(worktreeDir, skills), inline);
}

interface PlacedRun extends ReplayRun {
  readonly worktreeDir: string;
  readonly outputFile: string;
  readonly prompt: string;
}

async function run(deps: Deps, runner: Runner, replayed: PlacedRun): Promise<RunResult> {
  const { replay, spent, capMicroUsd } = replayed;
  const ceiling = new AbortController();
  const room = await deps.places.room({
    worktree: replayed.worktreeDir,
    mirror: replay.base.mirror,
    runId: replayed.callId,
    outputFile: replayed.outputFile,
  });
  const working = runner(
    {
      enclosure: room.enclosure,
      runId: replayed.callId,
      goalId: replay.goal.goalId,
      worktree: replayed.worktreeDir,
      outputFile: replayed.outputFile,
      prompt: replayed.prompt,
      agentSessionId: null,
      timers: deps.timers,
      timeoutMs: deps.policy.goals.timeoutMs,
      inactivityMs: deps.policy.goals.inactivityMs,
      environment: deps.config.agentEnvironment,
      secrets: deps.config.secrets,
      allowedCommands: [replay.base.repository.setup ?? [], ...replay.base.repository.checks].flat(),
      grants: [],
    },
    {
      onActivity: () => undefined,
      onAgentSession: async () => undefined,
      async onSpend(cumulativeMicroUsd) {
        spent.isReported = true;
        spent.microUsd = Math.max(spent.microUsd, cumulativeMicroUsd);
        if (spent.microUsd > capMicroUsd) ceiling.abort();
      },
      // A replay asks nobody for permission.
      onPermission: async () => "reject",
    },
    AbortSignal.any([replayed.signal, ceiling.signal]),
  );
  return await afterClosing(room, working);
}

async function judge(
  task: TaskRow,
  mode: ReplayedCheck["mode"],
  left: { readonly worktree: string; readonly outputFile: string; readonly ran: readonly string[] | null },
): Promise<Judged> {
  const { worktree, outputFile, ran } = left;
  const written = await takeAgentJson(worktree, "evidence.json");
  const lines = await lineCounts(worktree, filesNamed(written));
  const judged = judgeEvidence(task.acceptanceCriteria, written, { lines, ran });
  const own = await takeAgentOutput(worktree, "phase-report.json");
  const phase = mode === "legacy" ? "spec_check_legacy" : "spec_check_layered";
  const shown = readEvidence(written);
  const claims = unverifiableClaims(
    task.acceptanceCriteria,
    shown.success ? shown.data : null,
    readPhaseReport(phase, own, {}),
  );
  const transcript = await readFile(outputFile, "utf8").catch(() => "");
  return {
    taskId: task.id,
    mode,
    verdict: judged.type,
    shellFirstSearches: shellFirstSearches(transcript),
    unverifiableClaims: claims.count,
    criteria: task.acceptanceCriteria.length,
    withEvidence: claims.withEvidence,
  };
}
