import { DiskLost } from "../../core/space/disk-lost.ts";
import { spaceWordsOf } from "../../core/space/no-space.ts";
import { decideInterruption, type Interruption } from "../../core/goals/after.ts";
import type { Goal } from "../../core/goals/goal.ts";
import type { Db } from "../../db/connection/client.ts";
import { openRunOf } from "../../db/runs.ts";
import type { Deps } from "../../deps.ts";
import { inTurn, type StepResult } from "../shared/in-turn.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import { settleInterruptedCalls } from "../shared/money.ts";
import { actOnCut, tellVerificationCut } from "./cut.ts";
import { turnWrite } from "../../db/transitions.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";

/** Turns that end because there was no space, or because the disk went away under them: interrupted, never failed (D8). */

/**
 * Ends a turn in which an error said so: without space the phase begins again later, by itself; without the disk at once, from what
 * is recorded. Null for every other error, and when not even this can be written: then the lease runs out, which is an interruption too.
 */
export async function interruptFor(
  deps: Deps,
  keeper: LeaseKeeper,
  error: unknown,
): Promise<Extract<StepResult, { type: "over" }> | null> {
  const because = interruptionOf(error);
  if (because === null) return null;
  const { goalId, turn } = keeper.lease;
  const { by, reason } = because;
  deps.log.warn(by === "space" ? "turn.no-space" : "turn.disk-lost", { goalId, turn, reason });
  // What it has started is not left behind.
  keeper.cut("shutdown");
  try {
    await inTurn(deps, keeper, (tx, goal) => recordInterruption(tx, deps, { goal, keeper, because }));
    return { type: "over", ringAfterMs: by === "space" ? deps.policy.space.retryMs : 0 };
  } catch (failure) {
    if (spaceWordsOf(failure) === null) throw failure;
    return null;
  }
}

function interruptionOf(error: unknown): Interruption | null {
  const reason = spaceWordsOf(error);
  if (reason !== null) return { by: "space", reason };
  return error instanceof DiskLost ? { by: "disk", reason: error.message } : null;
}

interface Interrupted {
  readonly goal: Goal;
  readonly keeper: LeaseKeeper;
  readonly because: Interruption;
}

async function recordInterruption(tx: Db, deps: Deps, { goal, keeper, because }: Interrupted): Promise<void> {
  const run = await openRunOf(tx, goal.goalId);
  // Nobody pays for the time until it goes on.
  if (run !== null) await settleInterruptedCalls(tx, deps, run.runId);
  const write = turnWrite(tx, { lease: keeper.lease, goal }, deps.now);
  const decision = decideInterruption(because, goal.stopRequested);
  // What a person asked comes first, and is then what is said of it.
  if (goal.phase === "verify" && goal.stopRequested !== null)
    await tellVerificationCut(tx, { ...goal, runId: run?.runId ?? null }, goal.stopRequested, deps.now());
  await actOnCut(tx, deps, { goal, run: { runId: run?.runId ?? null }, decision, write });
  mark(tx, "goal", goal.goalId);
  lookAt(tx, goal.sessionId);
}
