import { type CeilingRefusal, type Ceilings, decideMoneyWait, type MoneyWait } from "../../core/goals/budget.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { addDays, startOfDate } from "../../core/time.ts";
import type { Db } from "../../db/connection/client.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";
import type { Lease } from "../../db/leases.ts";
import { reservedAtWork } from "../../db/reservations.ts";
import { lockSession, type Session } from "../../db/sessions.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { recordTurn, turnWrite } from "../../db/transitions.ts";
import { askForMore } from "../shared/ask-for-more.ts";
import type { AskDeps } from "../shared/ask-about.ts";
import { beginRun, type RunStart } from "../shared/begin-run.ts";
import { countFailure } from "../shared/breaker.ts";
import { endGoal } from "../shared/end-goal.ts";
import { endSession } from "../shared/end-session.ts";
import type { StepResult } from "../shared/in-turn.ts";
import { moneyWaitWords, refusalWords } from "./ask-to-start.ts";

interface StartRefusal {
  readonly lease: Lease;
  readonly goal: Goal;
  readonly decision: CeilingRefusal;
  readonly start: RunStart;
  /** The facts of the decision, and its local date. */
  readonly ceilings: Ceilings;
  readonly day: string;
}

/**
 * Refuses a goal because a ceiling leaves too little money to begin or continue (C-69). Its run, if any, keeps its state. If money comes back
 * without a person, the goal waits for it: reservations of other goals at work, and at night the money of the next day.
 */
export async function refuseStart(tx: Db, deps: AskDeps, refusal: StartRefusal): Promise<StepResult> {
  const { lease, goal, decision, start } = refusal;
  const now = deps.now();
  const { goalId, sessionId } = goal;
  const session = sessionId === null ? null : await lockSession(tx, sessionId);
  const wait = await moneyWait(tx, refusal, session);
  if (wait !== null) return await waitForMoney(tx, deps, refusal, wait);
  const outcome = refusalWords(decision);
  await appendTimeline(tx, { event: "goal.refused", goalId, sessionId, at: now, detail: { ...decision } });
  const hasBegun = goal.phase !== "start";
  const isNight = session?.kind === "night";
  if (session?.kind === "campaign" && decision.ceiling !== "goal") {
    // The campaign works the goal on another day (C-84, C-89).
    await recordTurn(tx, { lease, goal }, { type: "isCut", at: null, interruptions: 0, outcome }, now);
    await endSession(tx, deps, session, { reason: outcome });
    return { type: "over" };
  }
  // Neither a contract nor an answer raises the day's ceiling.
  if (isNight && decision.ceiling !== "day") {
    // Not covered by the night's contract: it becomes a question, and the next goal starts.
    const runId = goal.runId ?? (await beginRun(tx, deps, goal, start));
    await askForMore(tx, deps, { goal, runId }, outcome);
    await recordTurn(tx, { lease, goal }, { type: "asks", runId }, now);
    mark(tx, "goal", goalId);
    lookAt(tx, sessionId);
    return { type: "over" };
  }
  if (hasBegun) await countFailure(tx, deps, goal, goal.runId);
  const write = turnWrite(tx, { lease, goal }, deps.now);
  await endGoal(tx, deps, { goal, write }, { status: "failed", outcome, kind: hasBegun ? "ceiling" : null });
  // By day no later goal could start either (C-69), so the session ends with the reason on its card.
  if (session !== null && !isNight && decision.ceiling !== "goal")
    await endSession(tx, deps, session, { reason: outcome });
  lookAt(tx, sessionId);
  return { type: "over" };
}

/** What the goal can wait for. Null when no money comes back by itself. */
async function moneyWait(
  tx: Db,
  { goal, decision, ceilings, day }: StartRefusal,
  session: Session | null,
): Promise<MoneyWait | null> {
  const { goalId, campaignId, sessionId } = goal;
  const atWork = await reservedAtWork(tx, { but: goalId });
  const sumOf = (pays: (each: (typeof atWork)[number]) => boolean): number =>
    atWork.filter(pays).reduce((sum, { microUsd }) => sum + microUsd, 0);
  const reserved = {
    day: sumOf((each) => each.day === day),
    session: sumOf((each) => sessionId !== null && each.sessionId === sessionId),
    campaign: sumOf((each) => campaignId !== null && each.campaignId === campaignId),
    night: sumOf((each) => session?.nightId != null && each.nightId === session.nightId),
  };
  return decideMoneyWait(decision, { ceilings, reserved, isNight: session?.kind === "night" });
}

/** Lets the goal wait and say what for. When the wait is over, everything is decided again. */
async function waitForMoney(
  tx: Db,
  deps: AskDeps,
  { lease, goal, decision, day }: StartRefusal,
  wait: MoneyWait,
): Promise<StepResult> {
  const now = deps.now();
  const { reservedMoneyMs } = deps.policy.goals;
  const at =
    wait === "others" ? new Date(now.getTime() + reservedMoneyMs) : startOfDate(addDays(day, 1), deps.config.timezone);
  const outcome = moneyWaitWords(decision, wait);
  await recordTurn(tx, { lease, goal }, { type: "isCut", at, interruptions: 0, outcome }, now);
  mark(tx, "goal", goal.goalId);
  lookAt(tx, goal.sessionId);
  return { type: "over", ringAfterMs: wait === "others" ? reservedMoneyMs : null };
}
