import { join } from "node:path";
import { afterClosing } from "../agent/place/agent-room.ts";
import type { AgentName, Runner, RunObserver, RunResult } from "../agent/process/runner.ts";
import { triedCounting } from "../core/agents/counting.ts";
import { localDate } from "../core/time.ts";
import { appendSpend } from "../db/spend.ts";
import type { Deps } from "../deps.ts";
import { type CallCost, type SpendWatch, watchSpend } from "../turns/shared/spend-watch.ts";

/* One prompt to an agent on trial: in the sandbox that goals have, watched, and charged like a goal's turn. */

export type AgentTrialDeps = Pick<Deps, "database" | "now" | "config" | "policy" | "timers" | "places" | "newId">;

/** The agent on trial. */
export interface TriedAgent {
  readonly line: string;
  readonly runner: Runner;
  /** True for an agent paid at a flat rate: no dollars are recorded as spent (D48). */
  readonly isFlat: boolean;
}

export interface AgentPrompt extends TriedAgent {
  readonly folder: string;
  /** The id of its entry in the ledger. */
  readonly callId: string;
  readonly text: string;
  /** The prompt whose session is resumed; null for a new session. */
  readonly before: Heard | null;
  readonly onActivity?: () => void;
  readonly signal?: AbortSignal;
}

/** What an agent reported during one prompt. Costs are in micro-dollars, the highest amount reported for each session. */
export interface Heard {
  readonly agent: AgentName | null;
  readonly session: string | null;
  readonly asked: number;
  /** Number of token reports. */
  readonly tokens: number;
  readonly spent: ReadonlyMap<string, number>;
}

export interface Prompted {
  readonly runId: string;
  readonly result: RunResult;
  readonly heard: Heard;
  readonly cost: CallCost;
}

/** Prompts the agent once and records the cost, which belongs to no goal. */
export async function promptAgent(deps: AgentTrialDeps, asked: AgentPrompt): Promise<Prompted> {
  const { folder, line, runner, callId } = asked;
  const runId = deps.newId("run");
  const worktree = join(folder, "work");
  const outputFile = join(folder, "output.txt");
  const mirror = { dir: join(worktree, ".git") };
  const room = await deps.places.room({ worktree, mirror, runId, outputFile, agent: line });
  const call = { callId, campaignId: null, day: localDate(deps.now(), deps.config.timezone) };
  const { watch, heard, observer } = listening(deps, asked, call);
  const startedMs = performance.now();
  const running = runner(
    {
      runId,
      goalId: runId,
      worktree,
      outputFile,
      prompt: asked.text,
      agentSessionId: asked.before?.session ?? null,
      timers: deps.timers,
      timeoutMs: longestMs,
      inactivityMs: longestMs,
      startMs: deps.policy.goals.startMs,
      environment: deps.config.agentEnvironment,
      enclosure: room.enclosure,
      secrets: deps.config.secrets,
      allowedCommands: [],
      grants: [],
    },
    observer,
    asked.signal ?? new AbortController().signal,
  );
  const result = await afterClosing(room, running);
  const { cost } = await watch.settle(performance.now() - startedMs, result.type === "finished");
  // An agent that did not start is not charged.
  if (asked.isFlat || hasNotBegun(result)) return { runId, result, heard: heard(), cost: nothingSpent };
  const { amountMicroUsd, isEstimated } = cost;
  await appendSpend(deps.database.db, call, { kind: "settled", amountMicroUsd, isEstimated, at: deps.now() });
  return { runId, result, heard: heard(), cost };
}

function hasNotBegun({ type }: RunResult): boolean {
  return type === "not-started" || type === "unavailable";
}

/** Timeout of each prompt. */
const longestMs = 5 * 60_000;

const nothingSpent: CallCost = { amountMicroUsd: 0, isEstimated: false, agentSessions: {} };

interface PromptListener {
  readonly watch: SpendWatch;
  readonly heard: () => Heard;
  readonly observer: RunObserver;
}

function listening(
  deps: AgentTrialDeps,
  asked: AgentPrompt,
  call: Parameters<typeof watchSpend>[1]["call"],
): PromptListener {
  const spent = new Map<string, number>();
  const { before } = asked;
  let agent: AgentName | null = null;
  let session: string | null = null;
  let questions = 0;
  let tokens = 0;
  const watch = watchSpend(deps, {
    call,
    capMicroUsd: Number.POSITIVE_INFINITY,
    isFlat: asked.isFlat,
    before: new Map([...(before?.spent ?? [])].map(([id, said]) => [id, { said, wasCut: false }])),
    // A lower amount than before means that the agent counts anew for each prompt. A higher one means that it continues counting, because
    // the second prompt costs less than the first.
    counting: before === null ? null : (triedCounting(before.agent?.name ?? "") ?? "goes-on"),
    onCap: () => undefined,
  });
  return {
    watch,
    heard: () => ({ agent, session, asked: questions, tokens, spent }),
    observer: {
      onActivity: () => asked.onActivity?.(),
      onAgent(told) {
        agent = told;
        watch.known(told);
      },
      async onAgentSession(id) {
        session = id;
        watch.opened(id);
      },
      async onSpend(cumulative, id) {
        spent.set(id, Math.max(cumulative, spent.get(id) ?? 0));
        await watch.report(cumulative, id);
      },
      onTokens(used) {
        tokens += 1;
        watch.tokens(used);
      },
      onOddCost: watch.odd,
      // The agent asks about our own command, in a repository made for the trial.
      async onPermission() {
        questions += 1;
        // Some agents report a command that they asked about only when it has ended.
        asked.onActivity?.();
        return "allow";
      },
    },
  };
}
