import { spaceWordsOf } from "../../core/space/no-space.ts";
import { decideInterruption } from "../../core/goals/after.ts";
import type { Goal } from "../../core/goals/goal.ts";
import type { Db } from "../../db/connection/client.ts";
import { openRunOf } from "../../db/runs.ts";
import type { Deps } from "../../deps.ts";
import { inTurn, type StepResult } from "../shared/in-turn.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import { settleCutCalls } from "../shared/money.ts";
import { actOnCut } from "./cut.ts";
import { recordTurn, type Write } from "../../db/transitions.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";

/** Turns that end because something could not be written for want of space: interrupted, never failed (D8). */

/**
 * Ends a turn in which an error said that there is no space: the phase begins again later, by itself. Null for every other
 * error, and when not even this can be written: then the lease runs out, which is an interruption too.
 */
export async function interruptForSpace(
  deps: Deps,
  keeper: LeaseKeeper,
  error: unknown,
): Promise<Extract<StepResult, { type: "over" }> | null> {
  const reason = spaceWordsOf(error);
  if (reason === null) return null;
  const { goalId, turn } = keeper.lease;
  deps.log.warn("turn.no-space", { goalId, turn, reason });
  // What it has started is not left behind.
  keeper.cut("shutdown");
  try {
    await inTurn(deps, keeper, (tx, goal) => recordInterruption(tx, deps, { goal, keeper, reason }));
    return { type: "over", ringAfterMs: deps.policy.space.retryMs };
  } catch (failure) {
    if (spaceWordsOf(failure) === null) throw failure;
    return null;
  }
}

interface Interrupted {
  readonly goal: Goal;
  readonly keeper: LeaseKeeper;
  readonly reason: string;
}

async function recordInterruption(tx: Db, deps: Deps, { goal, keeper, reason }: Interrupted): Promise<void> {
  const run = await openRunOf(tx, goal.goalId);
  // Nobody pays for the time until there is space.
  if (run !== null) await settleCutCalls(tx, deps, run.runId);
  const write: Write = (transition) => recordTurn(tx, keeper.lease, goal, transition, deps.now());
  const decision = decideInterruption({ by: "space", reason }, goal.stopRequested);
  await actOnCut(tx, deps, goal, { runId: run?.runId ?? null }, decision, write);
  mark(tx, "goal", goal.goalId);
  lookAt(tx, goal.sessionId);
}
