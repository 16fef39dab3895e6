import { priceOfAny } from "../../agent/llm/price.ts";
import type { AgentName, UsedTokens } from "../../agent/process/runner.ts";
import { assumedCost } from "../../core/money.ts";
import { type Counting, costOfCall, triedCounting } from "../../core/agents/counting.ts";
import { appendSpend, type LedgerCall, type PlanningCall } from "../../db/spend.ts";
import type { HeardSession } from "../../db/agent-costs.ts";
import type { Deps } from "../../deps.ts";
import { holdByTime } from "./time-ceiling.ts";

/** Minimum time between two written reports of cost (D22). */
const spendEveryMs = 2000;

/** Maximum number of agent sessions of one call whose cost is counted. Only an agent that invents names has more. */
const mostSessions = 100;

/** The cost of a call, reported or estimated. */
export interface CallCost {
  readonly amountMicroUsd: number;
  readonly isEstimated: boolean;
  /** The last reported cost of each agent session, in micro-dollars. */
  readonly agentSessions: Readonly<Record<string, number>>;
}

/** What the agent's reports of cost showed about it. */
export interface MoneyLearnt {
  readonly counting: Counting | null;
  /** Agent sessions of earlier calls that this call's reports contain. The assumed costs of those calls are corrected. */
  readonly counted: readonly string[];
  /** An impossible cost, as it was reported (F-309). */
  readonly odd: string | null;
}

export interface SpendWatch {
  opened(agentSessionId: string): void;
  known(agent: AgentName): void;
  report(cumulativeMicroUsd: number, agentSessionId: string): Promise<void>;
  tokens(used: UsedTokens): void;
  odd(said: string): void;
  /** From now on `beside` agents (usually one) work. `workedMs`: the time worked before. Limits their time until a cost is reported. Returns the function that ends this. */
  working(workedMs: number, beside?: number): () => void;
  /** `isWhole`: the agent ended its turn itself. A cut agent has reported less than it used. */
  settle(durationMs: number, isWhole: boolean): Promise<{ readonly cost: CallCost; readonly learnt: MoneyLearnt }>;
}

interface Watched {
  readonly call: LedgerCall | PlanningCall;
  readonly capMicroUsd: number;
  /** True when this cost exceeds the money of parallel calls. Absent: `capMicroUsd` applies. */
  readonly isOver?: ((amountMicroUsd: number) => boolean) | undefined;
  /** True for a flat rate. Then its reported cost does not count as spent (D48). */
  readonly isFlat: boolean;
  /** The reports of each agent session before this call. */
  readonly before: ReadonlyMap<string, HeardSession>;
  /** How this agent counts. Null when that is not known yet. */
  readonly counting: Counting | null;
  /** Called when the cap is exceeded. */
  readonly onCap: () => void;
}

type SpendWatchDeps = Pick<Deps, "database" | "config" | "policy" | "now" | "timers">;

/**
 * Follows the reports of an agent: writes them to the ledger, and ends the work at its cap. Reported costs are counted per agent session (D48).
 * If an agent reports only tokens, they are counted at the price of its model. One that reports nothing is charged by the minute (D22).
 */
export function watchSpend(deps: SpendWatchDeps, watched: Watched): SpendWatch {
  const { call, capMicroUsd, before } = watched;
  const isOver = watched.isOver ?? ((amountMicroUsd: number): boolean => amountMicroUsd > capMicroUsd);
  const said = new Map<string, number>();
  const opened = new Set<string>();
  let counting = watched.counting;
  let learntCounting: Counting | null = null;
  let odd: string | null = null;
  let priced: number | null = null;
  let isUnpriced = false;
  let pricing: Promise<unknown> = Promise.resolve();
  let lastWrittenMs = Number.NEGATIVE_INFINITY;
  const isTold = (): boolean => tellsMoney(said, priced !== null || isUnpriced);
  const isSilent = (): boolean => !isTold() && priced === null;
  function counted(): ReturnType<typeof costOfCall> {
    const sessions = [...said].map(([session, most]) => ({ before: before.get(session)?.said ?? 0, said: most }));
    const cost = costOfCall(sessions, counting);
    learntCounting = cost.learnt ?? learntCounting;
    counting = cost.learnt ?? counting;
    return cost;
  }

  async function write(amountMicroUsd: number): Promise<void> {
    if (watched.isFlat) return;
    if (isOver(amountMicroUsd)) watched.onCap();
    if (performance.now() - lastWrittenMs < spendEveryMs) return;
    lastWrittenMs = performance.now();
    const entry = { kind: "reported", amountMicroUsd, isEstimated: false, at: deps.now() } as const;
    await appendSpend(
      deps.database.db,
      call,
      said.size === 0 ? entry : { ...entry, agentSessions: sessionsSaid(opened, said) },
    );
  }

  async function price(used: UsedTokens): Promise<void> {
    const priceOfModel = await priceOfAny(used.models, deps.config.agentPrice);
    const cost = priceOfModel(used);
    if (cost === null) isUnpriced = true;
    else priced = (priced ?? 0) + cost;
    // A cost that the agent reports takes precedence over the price of its tokens.
    if (!isTold() && priced !== null) await write(priced);
  }

  return {
    opened: (session) => void opened.add(session),
    known({ name }) {
      counting ??= triedCounting(name);
    },
    async report(cumulativeMicroUsd, session) {
      const isHeard = said.has(session) || said.size < mostSessions;
      if (isHeard) said.set(session, Math.max(said.get(session) ?? 0, cumulativeMicroUsd));
      else odd = `of more than ${mostSessions} sessions`;
      if (isTold()) await write(counted().amountMicroUsd);
    },
    tokens(used) {
      pricing = pricing.then(() => price(used)).catch(() => undefined); // The cost is written again at the end.
    },
    odd(what) {
      odd = what;
    },
    working: (workedMs, beside = 1) => holdByTime(deps, { ...watched, isOver, isSilent }, workedMs, beside),
    async settle(durationMs, isWhole) {
      await pricing;
      const agentSessions = sessionsSaid(opened, said);
      const { amountMicroUsd, isCertain } = counted();
      const told = isTold() ? amountMicroUsd : priced;
      const cut = [...said.keys()].filter((session) => before.get(session)?.wasCut === true);
      const learnt = { counting: learntCounting, counted: counting === "goes-on" ? cut : [], odd };
      const isOfTokens = !isUnpriced && (said.size === 0 || priced === 0); // When opencode reports a cost of 0, its tokens are only those of the last answer.
      const isKnown = isTold() ? isCertain && cut.length === 0 : isOfTokens;
      // An agent that was cut before it reported anything is treated like one that never reports.
      if (told !== null && (isWhole || told > 0) && (said.size === 0 || isTold() || !isUnpriced)) {
        const isEstimated = !isWhole || !isKnown || odd !== null;
        return { cost: { amountMicroUsd: told, isEstimated, agentSessions }, learnt };
      }
      return { cost: { ...assumedOf(deps, watched, durationMs), isEstimated: true, agentSessions }, learnt };
    },
  };
}

/** Returns the assumed cost of a call that reported none. Without shared money it is at most the cap. */
function assumedOf(
  { policy }: Pick<Deps, "policy">,
  { capMicroUsd, isOver }: Watched,
  durationMs: number,
): Pick<CallCost, "amountMicroUsd"> {
  const assumed = assumedCost(durationMs, policy.goals.assumedMicroUsdPerMinute);
  return { amountMicroUsd: isOver === undefined ? Math.min(assumed, capMicroUsd) : assumed };
}

/** Returns each known agent session with its highest report. */
function sessionsSaid(opened: ReadonlySet<string>, said: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...opened, ...said.keys()].map((each) => [each, said.get(each) ?? 0]));
}

/** True when an agent reports its cost. One that reports tokens and only costs of 0 does not know the price. */
function tellsMoney(said: ReadonlyMap<string, number>, hasTokens: boolean): boolean {
  return [...said.values()].some((each) => each > 0) || (said.size > 0 && !hasTokens);
}
