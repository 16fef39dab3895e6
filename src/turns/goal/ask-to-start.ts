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
  /** Facts for the question. Read when absent. */
  readonly question?: KnownOfQuestion;
}

/** Asks before a start. Returns the run that the question is about. */
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
 * Posts all questions of a session that can be foreseen at once, so that people can answer before they leave (D16). The caller holds the
 * session's lock. Returns the number of questions.
 */
export async function askAhead(
  tx: Db,
  deps: AskDeps,
  goals: readonly Goal[],
  { ahead: { startOf, knownOf }, baseCommit }: { readonly ahead: Ahead; readonly baseCommit: string | null },
): Promise<number> {
  let asked = 0;
  // A goal that continues a run is asked by its own turn, about what has changed since it began (D3).
  const toBegin = goals.filter((goal) => goal.phase === "start" && goal.status === "pending");
  for (const goal of toBegin) {
    const facts = startOf(goal);
    const decision = decideStart(facts, deps.policy);
    let runId: string;
    if (decision.type === "refuse" && decision.ceiling === "night") {
      // It costs more than the whole night may. That can be asked in advance as well.
      runId = goal.runId ?? (await beginRun(tx, deps, goal, { baseCommit, ...known(facts) }));
      // One question covers everything, so that one answer is enough.
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
  /** The current commit of the base branch. A run keeps the one it began with (D14), unless its ground is laid now. */
  readonly start: RunStart;
}

/** The facts with which a run begins. */
export function known({ byContract, recorded }: StartBasis): KnownStart {
  return { byContract, recorded };
}

/** Why a goal cannot start: the ceiling, and the amounts that are left and needed, in micro-USD. */
export function refusalWords({
  ceiling,
  leftMicroUsd,
  needMicroUsd,
}: Extract<StartDecision, { type: "refuse" }>): string {
  return `Insufficient budget remaining: ${leftWords({ ceiling, leftMicroUsd, needMicroUsd })}`;
}

/** The outcome of a goal that waits for money and continues by itself. */
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
