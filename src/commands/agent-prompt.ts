import { join } from "node:path";
import { afterClosing } from "../agent/place/agent-room.ts";
import type { AgentName, Runner, RunObserver, RunResult } from "../agent/process/runner.ts";
import { triedCounting } from "../core/agents/counting.ts";
import { localDate } from "../core/time.ts";
import { appendSpend } from "../db/spend.ts";
import type { Deps } from "../deps.ts";
import { type CallCost, type SpendWatch, watchSpend } from "../turns/shared/spend-watch.ts";

/* One prompt to an agent that is tried: shut in as goals are, watched, and charged as a goal's turn is. */

export type AgentTrialDeps = Pick<Deps, "database" | "now" | "config" | "policy" | "timers" | "places" | "newId">;

/** The agent that is tried. */
export interface TriedAgent {
  readonly line: string;
  readonly runner: Runner;
  /** Paid at a flat rate: no dollar is called spent (D48). */
  readonly isFlat: boolean;
}

export interface AgentPrompt extends TriedAgent {
  readonly folder: string;
  /** Its line in the ledger. */
  readonly callId: string;
  readonly text: string;
  /** The prompt whose session is to be taken up again; null: a new session. */
  readonly before: Heard | null;
  readonly onActivity?: () => void;
  readonly signal?: AbortSignal;
}

/** What was heard of one prompt. Costs in micro-dollars, the most that was said of each session. */
export interface Heard {
  readonly agent: AgentName | null;
  readonly session: string | null;
  readonly asked: number;
  /** How many reports of tokens. */
  readonly tokens: number;
  readonly spent: ReadonlyMap<string, number>;
}

export interface Prompted {
  readonly runId: string;
  readonly result: RunResult;
  readonly heard: Heard;
  readonly cost: CallCost;
}

/** Prompts it once, and writes down what that cost, which is no goal's. */
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
  // Who did not begin is not charged.
  if (asked.isFlat || hasNotBegun(result)) return { runId, result, heard: heard(), cost: nothingSpent };
  const { amountMicroUsd, isEstimated } = cost;
  await appendSpend(deps.database.db, call, { kind: "settled", amountMicroUsd, isEstimated, at: deps.now() });
  return { runId, result, heard: heard(), cost };
}

function hasNotBegun({ type }: RunResult): boolean {
  return type === "not-started" || type === "unavailable";
}

/** Nothing of a trial takes longer. */
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
    // Less than before is one that counts anew; more is one that has gone on, for the second prompt costs less.
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
      // It is our own command that it asks about, in a place of its own.
      async onPermission() {
        questions += 1;
        // Some tell of a command they asked about only when it is over.
        asked.onActivity?.();
        return "allow";
      },
    },
  };
}
