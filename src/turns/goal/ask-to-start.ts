import type { CeilingRefusal, MoneyWait } from "../../core/goals/budget.ts";
import type { Ahead, KnownStart, StartBasis } from "./start-facts.ts";
import { reasonsOf } from "../../core/checkpoints/question.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { decideStart, type StartDecision, unsettled } from "../../core/goals/start.ts";
import type { Db } from "../../db/connection/client.ts";
import { mark } from "../../db/connection/marks.ts";
import { applyTransition } from "../../db/transitions.ts";
import { askForMore } from "../shared/ask-for-more.ts";
import { type AskDeps, askAbout, type KnownOfQuestion } from "../shared/ask-about.ts";
import { beginRun, type RunStart } from "../shared/begin-run.ts";
import { formatUsd } from "../../core/money.ts";
import type { Lease } from "../../db/leases.ts";

type AsksFirst = Extract<StartDecision, { type: "ask" }>;

interface ToAsk extends Pick<StartToAsk, "goal" | "facts" | "start"> {
  readonly decision: AsksFirst;
  /** What is known of the question; read where it is left away. */
  readonly question?: KnownOfQuestion;
}

/** Returns the run that the question is about. */
export async function askToStart(
  tx: Db,
  deps: AskDeps,
  { goal, decision, facts, start, question }: ToAsk,
): Promise<string> {
  const runId = goal.runId ?? (await beginRun(tx, deps, goal, { ...start, ...known(facts) }));
  await askAbout(tx, deps, {
    goal,
    runId,
    kind: "start",
    reasons: reasonsOf(decision.reasons, goal, facts),
    details: [],
    fingerprint: null,
    changed: null,
    ...(question === undefined ? {} : { known: question }),
  });
  return runId;
}

/**
 * Asks before bed (D16): every question of a session that can be foreseen is posted at once. The caller holds the
 * session's lock. Returns how many were asked.
 */
export async function askAhead(
  tx: Db,
  deps: AskDeps,
  goals: readonly Goal[],
  { ahead: { startOf, knownOf }, baseCommit }: { readonly ahead: Ahead; readonly baseCommit: string | null },
): Promise<number> {
  let asked = 0;
  // What goes on with a run is asked by its turn, about what was not so when it began (D3).
  const toBegin = goals.filter((goal) => goal.phase === "start" && goal.status === "pending");
  for (const goal of toBegin) {
    const facts = startOf(goal);
    const decision = decideStart(facts, deps.policy);
    let runId: string;
    if (decision.type === "refuse" && decision.ceiling === "night") {
      // More than the whole night may cost: that can be asked before bed as well.
      runId = goal.runId ?? (await beginRun(tx, deps, goal, { baseCommit, ...known(facts) }));
      // One question for all of it: who answers it goes to bed.
      const fired = unsettled(facts.fired, facts.settled, facts.contentHash).filter(
        (each) => each !== "cost_cumulative",
      );
      const also = reasonsOf(fired, goal, facts);
      await askForMore(tx, deps, { goal, runId, also }, refusalWords(decision));
    } else if (decision.type === "ask") {
      runId = await askToStart(tx, deps, { goal, decision, facts, start: { baseCommit }, question: knownOf(goal) });
    } else {
      continue;
    }
    await applyTransition(tx, goal, { type: "asks", runId }, { updatedAt: deps.now() });
    mark(tx, "goal", goal.goalId);
    asked += 1;
  }
  return asked;
}

export interface StartToAsk {
  readonly lease: Lease;
  readonly goal: Goal;
  readonly decision: StartDecision;
  readonly facts: StartBasis;
  readonly day: string;
  /** Where the repository's base branch stands now; a run keeps the one it began with (D14), unless its ground is laid now. */
  readonly start: RunStart;
}

/** What the facts of a start say of where its run begins. */
export function known({ byContract, recorded }: StartBasis): KnownStart {
  return { byContract, recorded };
}

/** Why a goal cannot start, by which ceiling, and what is left and needed. Amounts in micro-USD. */
export function refusalWords({
  ceiling,
  leftMicroUsd,
  needMicroUsd,
}: Extract<StartDecision, { type: "refuse" }>): string {
  return `Insufficient budget remaining: ${leftWords({ ceiling, leftMicroUsd, needMicroUsd })}`;
}

/** What a goal waits for that goes on when there is money again. */
export function moneyWaitWords(refusal: CeilingRefusal, wait: MoneyWait): string {
  const until =
    wait === "others"
      ? "goals at work have reserved the rest, and what they do not spend comes back"
      : "the next day has money of its own";
  return `Waits for money: ${leftWords(refusal)}; ${until}. Goes on by itself.`;
}

/** "$8.00 left of the session's ceiling, $9.00 needed". */
export function leftWords({ ceiling, leftMicroUsd, needMicroUsd }: Omit<CeilingRefusal, "type">): string {
  return `${formatUsd(Math.max(0, leftMicroUsd))} left of the ${ceiling}'s ceiling, ${formatUsd(needMicroUsd)} needed`;
}
