import { priceOfAny } from "../../agent/llm/price.ts";
import type { AgentName, UsedTokens } from "../../agent/process/runner.ts";
import { assumedCost } from "../../core/money.ts";
import { type Counting, costOfCall, triedCounting } from "../../core/agents/counting.ts";
import { appendSpend, type LedgerCall, type PlanningCall } from "../../db/spend.ts";
import type { HeardSession } from "../../db/agent-costs.ts";
import type { Deps } from "../../deps.ts";
import { holdByTime } from "./time-ceiling.ts";

/** Reports of cost are written at most this often (D22). */
const spendEveryMs = 2000;

/** Of so many sessions of one call a cost is heard; more have only agents that make names up. */
const mostSessions = 100;

/** What a call cost, as far as anybody said. */
export interface CallCost {
  readonly amountMicroUsd: number;
  readonly isEstimated: boolean;
  /** What each of the agent's sessions has said by now, in micro-dollars. */
  readonly agentSessions: Readonly<Record<string, number>>;
}

/** What was learnt of the agent by what it said of money. */
export interface MoneyLearnt {
  readonly counting: Counting | null;
  /** Sessions of earlier calls whose sum is in this call's cost: what was assumed of those calls is put right by it. */
  readonly counted: readonly string[];
  /** A cost that cannot be, as it was said (F-309). */
  readonly odd: string | null;
}

export interface SpendWatch {
  opened(agentSessionId: string): void;
  known(agent: AgentName): void;
  report(cumulativeMicroUsd: number, agentSessionId: string): Promise<void>;
  tokens(used: UsedTokens): void;
  odd(said: string): void;
  /** `beside` (usually one) work from now on, `workedMs` after it began: until a cost is said their time is held. Returns what ends that. */
  working(workedMs: number, beside?: number): () => void;
  /** `isWhole`: the agent ended its turn itself. One that was cut short says less than it used. */
  settle(durationMs: number, isWhole: boolean): Promise<{ readonly cost: CallCost; readonly learnt: MoneyLearnt }>;
}

interface Watched {
  readonly call: LedgerCall | PlanningCall;
  readonly capMicroUsd: number;
  /** Whether the cap is met at this cost, where that is not for this call alone to say. */
  readonly isOver?: ((amountMicroUsd: number) => boolean) | undefined;
  /** Paid at a flat rate: what it says that it cost is called spent by nobody (D48). */
  readonly isFlat: boolean;
  /** What each session had said before this call. */
  readonly before: ReadonlyMap<string, HeardSession>;
  /** How this agent counts, as far as it was learnt. */
  readonly counting: Counting | null;
  /** The cap is met. */
  readonly onCap: () => void;
}

type SpendWatchDeps = Pick<Deps, "database" | "config" | "policy" | "now" | "timers">;

/**
 * Follows what an agent reports: writes it down, ends the run at its cap. A cost is counted by the agent's own session
 * (D48); of an agent that says only tokens, at the price of its model; a silent one is charged by the minute (D22).
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
    // What the agent says itself comes before what its tokens come to.
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
      pricing = pricing.then(() => price(used)).catch(() => undefined); // Told again at the end.
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
      const isOfTokens = !isUnpriced && (said.size === 0 || priced === 0); // With a 0, opencode tells the last answer's.
      const isKnown = isTold() ? isCertain && cut.length === 0 : isOfTokens;
      // Who was cut before it said anything is as silent as who never says anything.
      if (told !== null && (isWhole || told > 0) && (said.size === 0 || isTold() || !isUnpriced)) {
        const isEstimated = !isWhole || !isKnown || odd !== null;
        return { cost: { amountMicroUsd: told, isEstimated, agentSessions }, learnt };
      }
      return { cost: { ...assumedOf(deps, watched, durationMs), isEstimated: true, agentSessions }, learnt };
    },
  };
}

/** What the time comes to of a call that said no cost. Who shares the money of others may have had more than its own part. */
function assumedOf(
  { policy }: Pick<Deps, "policy">,
  { capMicroUsd, isOver }: Watched,
  durationMs: number,
): Pick<CallCost, "amountMicroUsd"> {
  const assumed = assumedCost(durationMs, policy.goals.assumedMicroUsdPerMinute);
  return { amountMicroUsd: isOver === undefined ? Math.min(assumed, capMicroUsd) : assumed };
}

/** Every session that is known, with the most that it has said. */
function sessionsSaid(opened: ReadonlySet<string>, said: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...opened, ...said.keys()].map((each) => [each, said.get(each) ?? 0]));
}

/** Whether an agent has told money: who says nothing but 0 of tokens that it says were used does not know the price. */
function tellsMoney(said: ReadonlyMap<string, number>, hasTokens: boolean): boolean {
  return [...said.values()].some((each) => each > 0) || (said.size > 0 && !hasTokens);
}
