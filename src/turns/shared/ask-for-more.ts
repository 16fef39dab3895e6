import type { Reason } from "../../core/checkpoints/checkpoint.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { goalCeiling } from "../../core/goals/budget.ts";
import { formatUsd } from "../../core/money.ts";
import { updateGoal } from "../../db/goals.ts";
import { getNight, updateNight } from "../../db/nights.ts";
import type { Db } from "../../db/connection/client.ts";
import { getSession, updateSession } from "../../db/sessions.ts";
import { goalTotal, nightTotal, sessionTotal } from "../../db/totals.ts";
import type { Doors } from "../../deps.ts";
import { type AskDeps, askAbout, type GoalAsked } from "./ask-about.ts";

/**
 * Asks about a goal that has reached a ceiling during a night. The question waits for the morning. `also`: further reasons to ask about
 * a goal that has not begun, in the same question.
 */
export async function askForMore(
  tx: Db,
  deps: AskDeps,
  { goal, runId, also = [] }: Pick<GoalAsked, "goal" | "runId"> & { readonly also?: readonly Reason[] },
  context: string,
): Promise<void> {
  const more = formatUsd(moreFor(goal, deps));
  await askAbout(tx, deps, {
    goal,
    runId,
    kind: "ceiling",
    reasons: [{ trigger: "cost_cumulative", context: `${context}. Proceed gives it up to ${more} more` }, ...also],
    details: [],
    fingerprint: null,
    changed: null,
  });
}

/** A person gives the goal more money: raises the ceilings of the goal, its session and its night to their cost so far plus a goal's usual ceiling. */
export async function giveMore(tx: Db, deps: Doors, goal: Goal): Promise<void> {
  const more = moreFor(goal, deps);
  const spent = await goalTotal(tx, goal.goalId);
  const ceilingMicroUsd = Math.max(goal.ceilingMicroUsd ?? 0, spent.committedMicroUsd + more);
  await updateGoal(tx, goal.goalId, { ceilingMicroUsd, updatedAt: deps.now() });
  const session = goal.sessionId === null ? null : await getSession(tx, goal.sessionId);
  if (session === null) return;
  const ofSession = (await sessionTotal(tx, session.sessionId)).committedMicroUsd + more;
  await updateSession(tx, session.sessionId, { budgetMicroUsd: Math.max(session.budgetMicroUsd, ofSession) });
  const night = session.nightId === null ? null : await getNight(tx, session.nightId);
  if (night === null || night.endedAt !== null) return;
  const ofNight = (await nightTotal(tx, night.nightId)).committedMicroUsd + more;
  await updateNight(tx, night.nightId, { budgetMicroUsd: Math.max(night.budgetMicroUsd, ofNight) });
}

function moreFor(goal: Goal, { policy }: Pick<Doors, "policy">): number {
  return Math.max(goalCeiling({ ...goal, ceilingMicroUsd: null }, policy), goal.estimateMicroUsd ?? 0);
}
