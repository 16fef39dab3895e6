import { ofGoal } from "../../core/events/write.ts";
import { type CutDecision, type CutReason, decideEnded, type Interruption } from "../../core/goals/after.ts";
import type { Goal } from "../../core/goals/goal.ts";
import type { Db } from "../../db/connection/client.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";
import { updateRun } from "../../db/runs.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { turnWrite, type Write } from "../../db/transitions.ts";
import type { Deps } from "../../deps.ts";
import { isAtNight } from "../../facts/night-contract.ts";
import { askForMore } from "../shared/ask-for-more.ts";
import { countFailure } from "../shared/breaker.ts";
import { inTurn, lost, type StepResult } from "../shared/in-turn.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import type { AskDeps } from "../shared/ask-about.ts";
import { endGoal } from "../shared/end-goal.ts";

/** What happens when work is ended before it is done. */

/** True when a reached ceiling becomes a question for the morning instead of a failure. */
async function waitsForMorning(tx: Db, goal: Goal, { why }: Extract<CutDecision, { type: "fail" }>): Promise<boolean> {
  return why === "ceiling" && (await isAtNight(tx, goal.sessionId));
}

/** A goal at work and its run. Without `run`, the goal's own. */
interface GoalAtWork {
  readonly goal: Goal;
  readonly run?: { readonly runId: string | null };
}

/**
 * Does what a person requested for a goal at work, before its turn asks or ends anything. Null when nothing was requested, or a pause: a
 * paused goal keeps its state.
 */
export async function asAsked(
  tx: Db,
  deps: AskDeps,
  keeper: LeaseKeeper,
  { goal, run = goal }: GoalAtWork,
): Promise<StepResult | null> {
  const { stopRequested } = goal;
  if (stopRequested === null || stopRequested === "pause") return null;
  return await endCut(tx, deps, keeper, { goal, run, why: stopRequested });
}

/** Records an interrupted turn in a transaction of its own. */
export async function recordCut(
  deps: Deps,
  keeper: LeaseKeeper,
  run: { readonly runId: string | null },
  why: CutReason,
): Promise<StepResult> {
  return (await inTurn(deps, keeper, (tx, goal) => endCut(tx, deps, keeper, { goal, run, why }))) ?? lost;
}

interface Cut extends Required<GoalAtWork> {
  readonly why: CutReason;
}

async function endCut(tx: Db, deps: AskDeps, keeper: LeaseKeeper, { goal, run, why }: Cut): Promise<StepResult> {
  const write = turnWrite(tx, { lease: keeper.lease, goal }, deps.now);
  await actOnCut(tx, deps, { goal, run, decision: decideEnded(why, goal.stopRequested), write });
  mark(tx, "goal", goal.goalId);
  lookAt(tx, goal.sessionId);
  return { type: "over" };
}

/** The decision about ended work, and the function that writes the goal. */
interface DecidedCut extends Required<GoalAtWork> {
  readonly decision: CutDecision;
  readonly write: Write;
}

/** Applies the decision about a goal whose work was ended early. Used by all phases that do work. */
export async function actOnCut(tx: Db, deps: AskDeps, { goal, run, decision, write }: DecidedCut): Promise<void> {
  const now = deps.now();
  switch (decision.type) {
    case "fail": {
      if (run.runId !== null && (await waitsForMorning(tx, goal, decision))) {
        await askForMore(tx, deps, { goal, runId: run.runId }, decision.error);
        await write({ type: "asks", phase: "implement" });
        return;
      }
      await endGoal(tx, deps, { goal, write }, { status: "failed", outcome: decision.error, kind: decision.why });
      await countFailure(tx, deps, goal, run.runId);
      return;
    }
    case "defer":
      await endGoal(tx, deps, { goal, write }, { status: "deferred", outcome: goal.outcome ?? "Skipped." });
      return;
    case "park": {
      const outcome = goal.outcome ?? decision.outcome;
      await write({ type: "parks", outcome });
      return;
    }
    case "restart":
      if (run.runId !== null) await updateRun(tx, run.runId, { status: "ended", endedAt: now });
      await write({ type: "restarts" });
      return;
    case "resume-later": {
      const { because } = decision;
      const interruptions = goal.interruptions + (decision.counts ? 1 : 0);
      const later = new Date(now.getTime() + (because?.by === "space" ? deps.policy.space.retryMs : 0));
      const wakeAt = goal.stopRequested === "pause" ? null : later;
      const outcome = because === null ? {} : { outcome: `${interruptedWords(because)} Goes on by itself.` };
      await write({ type: "isCut", at: wakeAt, interruptions, ...outcome });
      if (because === null) return;
      const { turn, phase } = goal;
      await appendTimeline(tx, {
        event: "goal.interrupted",
        ...ofGoal(goal, now),
        detail: { turn, interruptions, phase, ...because },
      });
      return;
    }
  }
}

/** Records that a goal's checks were ended early, since they begin again. */
export async function tellVerificationCut(tx: Db, goal: Goal, why: CutReason, now: Date): Promise<void> {
  await appendTimeline(tx, { event: "run.verification-cut", ...ofGoal(goal, now), detail: { why } });
}

/** The reason of an interruption, for the card. The caller adds whether the goal continues by itself or waits for an answer. */
export function interruptedWords({ by, reason }: Interruption): string {
  switch (by) {
    case "space":
      return `Waits for space: ${reason}.`;
    case "disk":
      return `Interrupted: ${reason}.`;
    case "agent":
      return `The agent did not begin: ${reason}.`;
  }
}
