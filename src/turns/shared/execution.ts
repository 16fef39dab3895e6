import { dirname, join } from "node:path";
import { afterClosing } from "../../agent/place/agent-room.ts";
import type { Runner, RunObserver, RunResult } from "../../agent/process/runner.ts";
import type { PlanEntry } from "../../core/acceptance/plan.ts";
import type { Lesson } from "../../core/memory/lesson.ts";
import type { Isolation } from "../../core/isolation/isolation.ts";
import { toUsd } from "../../core/money.ts";
import { localDate } from "../../core/time.ts";
import { useGrant } from "../../db/grants.ts";
import { updateRun } from "../../db/runs.ts";
import { knownAgent } from "../../db/agents.ts";
import { agentSessionsOf } from "../../db/agent-costs.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { outputPathOf } from "../../paths.ts";
import { inTurn } from "./in-turn.ts";
import { ensureFolder } from "./own-folders.ts";
import { overLosses } from "./observer-losses.ts";
import { allowedOnce, permissionAsker } from "./permission.ts";
import { type AgentFacts, openAgentFacts } from "./agent-facts.ts";
import { type CallCost, type MoneyLearnt, type SpendWatch, watchSpend } from "./spend-watch.ts";
import { progressToTell } from "./worklog/progress.ts";
import { openRecorder } from "./worklog/recorder.ts";
import { promptOf, readToTell, runRequest } from "./execution-told.ts";
import type { Execution, ExecutionDeps } from "./execution-request.ts";

/** Returns the id of an execution's call in the ledger: of a run's turn, or of a piece of it. */
export function executionCall({ run, lease, piece }: Pick<Execution, "run" | "lease" | "piece">): string {
  return `${run.runId}.${lease.turn}${piece === undefined ? "" : `.${piece.name}`}`;
}

export interface Executed {
  readonly result: RunResult;
  /** Relative to the data directory. */
  readonly outputFile: string;
  /** How its executor was isolated. */
  readonly isolation: Isolation;
  /** The agent's last plan. Empty when it reported none. */
  readonly plan: readonly PlanEntry[];
  /** The lessons of past runs that it was told. */
  readonly told: readonly Lesson[];
  /** Its cost, reported or estimated. Null for a goal's own command, which costs nothing. */
  readonly cost: CallCost | null;
  /** Facts about the agent for the goal's card, and what was learnt about it. Null for a goal's own command. */
  readonly agent: (AgentFacts & MoneyLearnt & { readonly line: string }) | null;
}

/** Runs the goal's executor in its worktree and records its output, its actions and its cost. */
export async function executeGoal(deps: ExecutionDeps, execution: Execution): Promise<Executed> {
  const { goal, run, lease, piece } = execution;
  const executor = goal.runCommand === null ? "agent" : "command";
  const about = { goal: goal.goalId, run: run.runId, turn: lease.turn, piece: piece?.name ?? null, executor };
  return await deps.tracing.span(
    executor,
    about,
    () => executeNow(deps, execution),
    ({ result, cost }) => ({
      outcome: result.type,
      ...(cost === null ? {} : { cost_usd: toUsd(cost.amountMicroUsd), cost_is_estimated: cost.isEstimated }),
    }),
  );
}

async function executeNow(deps: ExecutionDeps, execution: Execution): Promise<Executed> {
  const { goal, run, lease, keeper, workplace, piece } = execution;
  const outputFile = outputPathOf(run.runId, lease.turn, piece === undefined ? "execution" : `piece-${piece.name}`);
  const absolute = join(deps.config.dataDir, outputFile);
  ensureFolder(dirname(absolute));

  const isAgent = goal.runCommand === null;
  const told = await readToTell(deps, execution);
  const progress = await progressToTell(deps, execution, told.attempts.length);
  const line = workplace.repository.agent ?? deps.config.agent ?? "";
  const watch = await spendWatchOf(deps, execution, line);
  const facts = openAgentFacts(deps, execution);
  const startedMs = performance.now();
  let plan: readonly PlanEntry[] = [];
  // Everything that may fail is read before the room and the worklog are opened, which have to be closed.
  const prompt = piece?.prompt ?? promptOf(execution, told, progress?.lines);
  const request = await runRequest(deps, execution, { outputFile: absolute, prompt });
  const room = await deps.places.room({
    worktree: workplace.worktreeDir,
    mirror: workplace.mirror,
    runId: run.runId,
    outputFile: absolute,
    ...(isAgent ? { agent: line } : {}),
  });
  const recorder = goal.runCommand === null ? openRecorder(deps, { ...recordedOf(execution), told: progress }) : null;
  const rest = isAgent ? watch.working(0) : () => {};
  const running = runnerOf(deps, execution)(
    { ...request, enclosure: room.enclosure },
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
  const result = await afterClosing(room, running)
    .catch(async (error: unknown) => {
      await recorder?.close(false);
      throw error;
    })
    .finally(rest);
  await recorder?.close(result.type === "finished");
  const spent = isAgent ? await watch.settle(performance.now() - startedMs, result.type === "finished") : null;
  return {
    result,
    isolation: room.isolation,
    outputFile,
    plan,
    told: told.lessons,
    // An agent that did not begin is not charged.
    cost:
      result.type === "not-started" || (isAgent && run.billing === "flat")
        ? { amountMicroUsd: 0, isEstimated: false, agentSessions: {} }
        : (spent?.cost ?? null),
    agent: spent === null ? null : { ...facts.close(), ...spent.learnt, line },
  };
}

/** Whose actions the worklog records. */
function recordedOf(execution: Execution) {
  const { goal, run, workplace } = execution;
  const piece = execution.piece?.name ?? null;
  return { goal, runId: run.runId, worktree: workplace.worktreeDir, writer: executionCall(execution), piece };
}

function runnerOf(deps: ExecutionDeps, { goal, workplace }: Execution): Runner {
  if (goal.runCommand !== null) return deps.executor.ofCommand(goal.runCommand);
  const line = workplace.repository.agent ?? deps.config.agent ?? "";
  const agent = deps.executor.ofAgent(line);
  if (agent.type === "ok") return agent.runner;
  const { reason } = agent;
  const nothing = { durationMs: 0, output: null, noSpace: null };
  return async () => ({ type: "unavailable", command: line, reason, own: null, ...nothing });
}

/** Opens the watch over a call's spending. If an agent session may be resumed, it knows the earlier cost of the sessions and how the agent counts. */
async function spendWatchOf(deps: ExecutionDeps, execution: Execution, line: string): Promise<SpendWatch> {
  const { goal, run, keeper, capMicroUsd, piece, purse } = execution;
  const { db } = deps.database;
  const callId = executionCall(execution);
  const isResumed = goal.runCommand === null && piece === undefined && run.agentSessionId !== null;
  return watchSpend(deps, {
    call: {
      callId,
      goalId: goal.goalId,
      runId: run.runId,
      sessionId: goal.sessionId,
      day: localDate(deps.now(), deps.config.timezone),
    },
    capMicroUsd,
    isOver: purse === undefined ? undefined : (amountMicroUsd) => purse.spent(callId, amountMicroUsd),
    isFlat: run.billing === "flat",
    before: isResumed ? await agentSessionsOf(db, run.runId) : new Map(),
    counting: isResumed ? ((await knownAgent(db, line))?.counting ?? null) : null,
    onCap: () => (run.billing === "metered" ? keeper.cut("ceiling") : undefined),
  });
}

function observerOf(
  deps: ExecutionDeps,
  execution: Execution,
  watch: SpendWatch,
  facts: ReturnType<typeof openAgentFacts>,
): RunObserver {
  const { goal, run, lease, keeper } = execution;
  const { db } = deps.database;
  const ask = permissionAsker(deps, execution);
  // A goal's own command is its first action, and the card already shows that it runs.
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
      // The agent session of a piece is never resumed.
      if (execution.piece !== undefined) return;
      await inTurn(deps, keeper, (tx) => updateRun(tx, run.runId, { agentSessionId }));
    },
    onSpend: watch.report,
    async onPermission(request) {
      facts.asked();
      // In a transaction of this turn, so that a lost connection neither uses a grant twice nor loses one.
      const use = () => inTurn(deps, keeper, (tx) => useGrant(tx, goal.goalId, request.fingerprint, deps.now()));
      if ((await use()) === true) return "allow";
      return await allowedOnce(() => ask(request), use);
    },
  };
}
