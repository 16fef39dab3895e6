import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { takeAgentJson, takeAgentOutput } from "../../agent/acp/command.ts";
import { lineCounts } from "../../agent/verify/looked.ts";
import type { Runner, RunResult } from "../../agent/process/runner.ts";
import { afterClosing } from "../../agent/place/agent-room.ts";
import { laySkills, type Skill, specCheckSkills } from "../../agent/acp/skills.ts";
import type { Goal } from "../../core/goals/goal.ts";
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
import { costOfReplay, hasNotBegun, type ReplayMoney, reserveAll, settleReplay } from "./replay-money.ts";

/** A recorded task to be checked again, in both modes. */
export interface TaskReplay {
  readonly goal: Goal;
  readonly runId: string;
  readonly task: TaskRow;
  /** Its recorded commit. */
  readonly commit: string;
  readonly base: Extract<Base, { type: "pinned" }>;
}

export type Replayed =
  | { readonly type: "checked"; readonly check: ReplayedCheck }
  | { readonly type: "refused"; readonly reason: string };

/**
 * Checks a recorded task again in one mode, in a checkout of its own. The goal's only change is its cost. `cos replay` compares both modes of
 * a task (S3-EV-10).
 */
export async function replayCheck(
  deps: Deps,
  replay: TaskReplay,
  mode: ReplayedCheck["mode"],
  signal: AbortSignal,
): Promise<Replayed> {
  const { goal, runId, task, base, commit } = replay;
  const agent = deps.executor.ofAgent(base.repository.agent ?? deps.config.agent ?? "");
  if (agent.type !== "ok") return { type: "refused", reason: `no agent can check it: ${agent.reason}` };
  const registry = specCheckSkills(deps.config.skillsDir);
  if (mode === "layered" && (registry.type === "broken" || registry.missing.length > 0)) {
    const why = registry.type === "broken" ? registry.problem : `missing: ${registry.missing.join(", ")}`;
    return { type: "refused", reason: `the layered skills are not there: ${why}` };
  }
  if (!(await deps.git.hasCommit(base.mirror, commit)))
    return { type: "refused", reason: `the recorded commit of ${task.id} is not in the mirror on this machine` };
  const callId = deps.newId("replay");
  const day = localDate(deps.now(), deps.config.timezone);
  const call: LedgerCall = { callId, goalId: goal.goalId, runId, sessionId: goal.sessionId, day };
  const money = await reserveAll(deps, goal, call, base.repository.billing);
  if (money === null) return { type: "refused", reason: "not enough is left under the goal's ceilings" };

  const worktreeDir = taskDirOf(deps.config.dataDir, goal.goalId, callId);
  const outputFile = join(deps.config.dataDir, outputPathOf(runId, 0, callId));
  try {
    await mkdir(dirname(worktreeDir), { recursive: true });
    await mkdir(dirname(outputFile), { recursive: true });
    await deps.git.prepareCheckout({ mirror: base.mirror, worktreeDir, commit });
    const prompt = await promptOf(goal, task, mode, {
      worktreeDir,
      skills: registry.type === "ok" ? registry.skills : [],
    });
    const place = { callId, worktreeDir, outputFile };
    const result = await run(deps, agent.runner, { replaying: replay, ...place, prompt, money, signal });
    const cost = costOfReplay(deps, money, result);
    await settleReplay(deps, call, cost);
    if (hasNotBegun(result))
      return { type: "refused", reason: `the agent could not begin the check: ${result.reason}` };
    const ran = result.type === "finished" ? (result.said?.ran ?? null) : null;
    const check = await judge(task, mode, { worktree: worktreeDir, outputFile, ran });
    const durationMs = Math.round(result.durationMs);
    const replayed = { ...check, costMicroUsd: cost.amountMicroUsd, costIsEstimated: cost.isEstimated, durationMs };
    await appendTimeline(deps.database.db, {
      event: "goal.replayed",
      goalId: goal.goalId,
      runId,
      at: deps.now(),
      detail: { ...replayed },
    });
    return { type: "checked", check: replayed };
  } catch (error) {
    // The goal's run has ended, so no later turn would release the reservation.
    await settleReplay(deps, call, costOfReplay(deps, money, null));
    throw error;
  } finally {
    await deps.git.removeWorktree({ mirror: base.mirror, worktreeDir });
  }
}

async function promptOf(
  goal: Goal,
  task: TaskRow,
  mode: ReplayedCheck["mode"],
  { worktreeDir, skills }: { readonly worktreeDir: string; readonly skills: readonly Skill[] },
): Promise<string> {
  const about = { ...goal, clarification: null, allowedNow: [] };
  if (mode === "legacy") return legacyCheckPrompt(about, task, "spec_check_legacy");
  const inline = skills.map((skill) => `Skill ${skill.id}:\n\n${skill.text}`);
  return layeredCheckPrompt(about, task, await laySkills(worktreeDir, skills), inline);
}

interface ReplayRun {
  readonly replaying: TaskReplay;
  readonly callId: string;
  readonly worktreeDir: string;
  readonly outputFile: string;
  readonly prompt: string;
  readonly money: ReplayMoney;
  readonly signal: AbortSignal;
}

async function run(deps: Deps, runner: Runner, replayed: ReplayRun): Promise<RunResult> {
  const { replaying } = replayed;
  const { reported, capMicroUsd } = replayed.money;
  const ceiling = new AbortController();
  const room = await deps.places.room({
    worktree: replayed.worktreeDir,
    mirror: replaying.base.mirror,
    runId: replayed.callId,
    outputFile: replayed.outputFile,
  });
  const working = runner(
    {
      enclosure: room.enclosure,
      runId: replayed.callId,
      goalId: replaying.goal.goalId,
      worktree: replayed.worktreeDir,
      outputFile: replayed.outputFile,
      prompt: replayed.prompt,
      agentSessionId: null,
      timers: deps.timers,
      timeoutMs: deps.policy.goals.timeoutMs,
      inactivityMs: deps.policy.goals.inactivityMs,
      environment: deps.config.agentEnvironment,
      secrets: deps.config.secrets,
      allowedCommands: [replaying.base.repository.setup ?? [], ...replaying.base.repository.checks].flat(),
      grants: [],
    },
    {
      onActivity: () => undefined,
      onAgentSession: async () => undefined,
      async onSpend(cumulativeMicroUsd) {
        reported.microUsd = Math.max(reported.microUsd ?? 0, cumulativeMicroUsd);
        if (reported.microUsd > capMicroUsd) ceiling.abort();
      },
      // A replay asks nobody.
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
): Promise<Omit<ReplayedCheck, "costMicroUsd" | "costIsEstimated" | "durationMs">> {
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
