import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { closing } from "../../agent/place/agent-room.ts";
import type { Runner, RunObserver, RunResult } from "../../agent/process/runner.ts";
import { flatTimeLeftMs } from "../../core/agents/flat.ts";
import type { PlanEntry } from "../../core/acceptance/plan.ts";
import type { Goal } from "../../core/goals/goal.ts";
import type { Lesson } from "../../core/memory/lesson.ts";
import { goalPrompt } from "../../core/prompts/goal.ts";
import type { Isolation } from "../../core/isolation/isolation.ts";
import { localDate } from "../../core/time.ts";
import type { Tried } from "../../core/recovery/tried.ts";
import { attemptsOfRun } from "../../db/attempts.ts";
import { openGrants, useGrant } from "../../db/checkpoints.ts";
import { readTogether } from "../../db/connection/client.ts";
import type { Lease } from "../../db/leases.ts";
import { type Run, updateRun } from "../../db/runs.ts";
import { knownAgent } from "../../db/agents.ts";
import { flatUseOf } from "../../db/evidence.ts";
import { agentSessionsOf } from "../../db/spend.ts";
import { appendTimeline } from "../../db/timeline.ts";
import type { Deps } from "../../deps.ts";
import { lessonsOf } from "../../facts/lessons.ts";
import { outputPathOf } from "../../paths.ts";
import { inTurn } from "./in-turn.ts";
import type { LeaseKeeper } from "./lease-keeper.ts";
import { overLosses } from "./observer-losses.ts";
import { permissionAsker } from "./permission.ts";
import { type AgentFacts, openAgentFacts } from "./agent-facts.ts";
import { type CallCost, type MoneyLearnt, type SpendWatch, watchSpend } from "./spend-watch.ts";
import { progressToTell } from "./worklog/progress.ts";
import { openRecorder } from "./worklog/recorder.ts";
import type { Workplace } from "./workplace.ts";

export interface Execution {
  readonly goal: Goal;
  readonly run: Run;
  readonly lease: Lease;
  readonly keeper: LeaseKeeper;
  readonly workplace: Workplace;
  readonly capMicroUsd: number;
  /** One piece of the goal's work instead of the whole: its own prompt, call and output, in a session of its own. */
  readonly piece?: Piece;
}

export interface Piece {
  /** `T1` or `check-T1`: safe in paths, unique in its turn. */
  readonly name: string;
  readonly prompt: string;
}

/** One execution in the ledger: a run's turn, or a piece of it. */
export function callOf({ run, lease, piece }: Pick<Execution, "run" | "lease" | "piece">): string {
  return `${run.runId}.${lease.turn}${piece === undefined ? "" : `.${piece.name}`}`;
}

export interface Executed {
  readonly result: RunResult;
  /** Relative to the data directory. */
  readonly outputFile: string;
  /** What its executor was kept from. */
  readonly isolation: Isolation;
  /** The agent's own plan as it was last; empty when it told none. */
  readonly plan: readonly PlanEntry[];
  /** What it was told that past runs taught. */
  readonly told: readonly Lesson[];
  /** What it cost, as far as anybody said; null for a goal's own command, which costs nothing. */
  readonly cost: CallCost | null;
  /** What the agent is and did that people are told, and what was learnt of it; null for a goal's own command. */
  readonly agent: (AgentFacts & MoneyLearnt & { readonly line: string }) | null;
}

type Executing = Pick<
  Deps,
  "database" | "config" | "policy" | "now" | "timers" | "signals" | "newId" | "log" | "executor" | "places"
>;

/** Runs the goal's executor in its worktree and keeps what it said, did and cost. */
export async function execute(deps: Executing, execution: Execution): Promise<Executed> {
  const { goal, run, lease, keeper, workplace, piece } = execution;
  const outputFile = outputPathOf(run.runId, lease.turn, piece === undefined ? "execution" : `piece-${piece.name}`);
  const absolute = join(deps.config.dataDir, outputFile);
  await mkdir(dirname(absolute), { recursive: true });

  const isAgent = goal.runCommand === null;
  // What an agent is told; a command of the goal's own is told nothing.
  const [grants, attempts] = isAgent
    ? await readTogether(deps.database.db, (reads) =>
        Promise.all([openGrants(reads, goal.goalId), attemptsOfRun(reads, run.runId)]),
      )
    : [[], []];
  const told = await lessonsToTell(deps, execution);
  const progress = await progressToTell(deps, execution, attempts.length);
  const line = workplace.repository.agent ?? deps.config.agent ?? "";
  const watch = await spendWatchOf(deps, execution, line);
  const facts = openAgentFacts(deps, execution);
  const startedMs = performance.now();
  let plan: readonly PlanEntry[] = [];
  const room = await deps.places.room({
    worktree: workplace.worktreeDir,
    mirror: workplace.mirror,
    runId: run.runId,
    outputFile: absolute,
    ...(isAgent ? { agent: line } : {}),
  });
  const recorder = goal.runCommand === null ? openRecorder(deps, { ...recordedOf(execution), told: progress }) : null;
  const running = runnerOf(deps, execution)(
    {
      runId: run.runId,
      goalId: goal.goalId,
      worktree: workplace.worktreeDir,
      outputFile: absolute,
      prompt:
        piece?.prompt ??
        promptOf(execution, grants.map(allowedWords), attempts, { lessons: told, progress: progress?.lines }),
      agentSessionId: piece === undefined ? run.agentSessionId : null,
      timers: deps.timers,
      timeoutMs: await timeLimitOf(deps, execution),
      inactivityMs: deps.policy.goals.inactivityMs,
      startMs: deps.policy.goals.startMs,
      quietMs: deps.policy.goals.quietMs,
      environment: isAgent ? deps.config.agentEnvironment : {},
      enclosure: room.enclosure,
      secrets: deps.config.secrets,
      allowedCommands: [workplace.repository.setup ?? [], ...workplace.repository.checks].flat(),
      // Grants are used up in the database, when exactly what was granted is asked for again.
      grants: [],
    },
    {
      ...overLosses(observerOf(deps, execution, watch, facts), deps, execution),
      onPlan(entries) {
        plan = entries;
      },
      onOperation: (operation) => recorder?.observe(operation),
      onTokens: watch.tokens,
      onOddCost: watch.odd,
      onAgent(agent) {
        watch.known(agent);
        facts.known(agent);
      },
      onUnasked: facts.unasked,
      onSilence: facts.silent,
    },
    keeper.signal,
  );
  const result = await closing(room, running).catch(async (error: unknown) => {
    await recorder?.close(false);
    throw error;
  });
  await recorder?.close(result.type === "finished");
  const spent = isAgent ? await watch.settle(performance.now() - startedMs, result.type === "finished") : null;
  return {
    result,
    isolation: room.isolation,
    outputFile,
    plan,
    told,
    // Who did not begin is not charged.
    cost:
      result.type === "not-started" || (isAgent && run.billing === "flat")
        ? { amountMicroUsd: 0, isEstimated: false, agentSessions: {} }
        : (spent?.cost ?? null),
    agent: spent === null ? null : { ...facts.close(), ...spent.learnt, line },
  };
}

/** A command reads nothing, and a piece is told of its task only. */
async function lessonsToTell(deps: Executing, { goal, piece }: Execution): Promise<Lesson[]> {
  if (goal.runCommand !== null || piece !== undefined) return [];
  return await lessonsOf(deps, goal);
}

/** Whose account is kept. A goal's own command tells nothing: what it did is read from what was recorded. */
function recordedOf(execution: Execution) {
  const { goal, run, workplace } = execution;
  const piece = execution.piece?.name ?? null;
  return { goal, runId: run.runId, worktree: workplace.worktreeDir, writer: callOf(execution), piece };
}

async function timeLimitOf({ policy, database }: Executing, { goal, run }: Execution): Promise<number> {
  const { timeoutMs } = policy.goals;
  const wanted = goal.estimatedMinutes === null ? timeoutMs : Math.max(timeoutMs, goal.estimatedMinutes * 120_000);
  if (run.billing === "metered" || goal.runCommand !== null) return wanted;
  return Math.min(wanted, flatTimeLeftMs(await flatUseOf(database.db, run.runId), policy));
}

function runnerOf(deps: Executing, { goal, workplace }: Execution): Runner {
  if (goal.runCommand !== null) return deps.executor.ofCommand(goal.runCommand);
  const line = workplace.repository.agent ?? deps.config.agent ?? "";
  const agent = deps.executor.ofAgent(line);
  if (agent.type === "ok") return agent.runner;
  const { reason } = agent;
  const nothing = { durationMs: 0, output: null, noSpace: null };
  return async () => ({ type: "unavailable", command: line, reason, own: null, ...nothing });
}

/** "execute: rm -rf build" of "The agent asks to execute: rm -rf build". */
function allowedWords({ action }: { readonly action: string }): string {
  return action.replace(/^The agent asks to /, "");
}

function promptOf(
  { goal, run, workplace }: Execution,
  grants: readonly string[],
  attempts: readonly Tried[],
  told: { readonly lessons: readonly Lesson[]; readonly progress: readonly string[] | undefined },
): string {
  const failed = attempts.filter((each) => each.ladder === run.ladder && each.end !== "passed");
  return goalPrompt(goal, {
    recovery: {
      failed: failed.map(({ approach, error }) => ({ approach, error })),
      instruction: run.approachInstruction,
      clarification: run.clarification,
    },
    checks: workplace.repository.checks,
    allowedNow: grants,
    resumed: run.agentSessionId !== null,
    feedback: run.feedback,
    ...told,
  });
}

/** What the agent's sessions cost before, where one of them may be taken up again, and how it counts. */
async function spendWatchOf(deps: Executing, execution: Execution, line: string): Promise<SpendWatch> {
  const { goal, run, keeper, capMicroUsd, piece } = execution;
  const { db } = deps.database;
  const isResumed = goal.runCommand === null && piece === undefined && run.agentSessionId !== null;
  return watchSpend(deps, {
    call: {
      callId: callOf(execution),
      goalId: goal.goalId,
      runId: run.runId,
      sessionId: goal.sessionId,
      day: localDate(deps.now(), deps.config.timezone),
    },
    capMicroUsd,
    isFlat: run.billing === "flat",
    before: isResumed ? await agentSessionsOf(db, run.runId) : new Map(),
    counting: isResumed ? ((await knownAgent(db, line))?.counting ?? null) : null,
    onCap: () => (run.billing === "metered" ? keeper.cut("ceiling") : undefined),
  });
}

function observerOf(
  deps: Executing,
  execution: Execution,
  watch: SpendWatch,
  facts: ReturnType<typeof openAgentFacts>,
): RunObserver {
  const { goal, run, lease, keeper } = execution;
  const { db } = deps.database;
  const ask = permissionAsker(deps, execution);
  // A goal's own command is its first action: that it runs is said already.
  let isFirst = goal.runCommand === null;
  return {
    onActivity(text) {
      if (!isFirst) return;
      isFirst = false;
      const ids = { goalId: goal.goalId, sessionId: goal.sessionId, runId: run.runId };
      void appendTimeline(db, {
        event: "agent.first-action",
        ...ids,
        at: deps.now(),
        detail: { text, turn: lease.turn },
      }).catch((error: unknown) => deps.log.warn("timeline.not-written", { error }));
    },
    async onAgentSession(agentSessionId) {
      watch.opened(agentSessionId);
      // A piece has a session of its own, which nobody resumes.
      if (execution.piece !== undefined) return;
      await inTurn(deps, keeper, (tx) => updateRun(tx, run.runId, { agentSessionId }));
    },
    onSpend: watch.report,
    async onPermission(request) {
      facts.asked();
      // In a transaction, so that a lost connection neither uses a grant twice nor loses one; and for this turn only.
      const use = () => inTurn(deps, keeper, (tx) => useGrant(tx, goal.goalId, request.fingerprint, deps.now()));
      if ((await use()) === true) return "allow";
      const reply = await ask(request);
      // The answer came while the agent waited: the grant it left is this very use.
      if (reply === "allow") await use();
      return reply;
    },
  };
}
