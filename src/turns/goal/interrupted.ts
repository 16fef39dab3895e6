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

/** Turns that end because there is no space, or because the disk disappeared. They are interrupted, never failed (D8). */

/**
 * Ends a turn after such an error. Without space the phase begins again later by itself; without the disk it begins again at once from the
 * recorded work. Null for all other errors, and when this cannot be written either: the lease then expires, which is an interruption too.
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
  // Ends the processes that the turn has started.
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
  // The time until it continues costs nothing.
  if (run !== null) await settleInterruptedCalls(tx, deps, run.runId);
  const write = turnWrite(tx, { lease: keeper.lease, goal }, deps.now);
  const decision = decideInterruption(because, goal.stopRequested);
  // A person's request comes first, and is the recorded reason.
  if (goal.phase === "verify" && goal.stopRequested !== null)
    await tellVerificationCut(tx, { ...goal, runId: run?.runId ?? null }, goal.stopRequested, deps.now());
  await actOnCut(tx, deps, { goal, run: { runId: run?.runId ?? null }, decision, write });
  mark(tx, "goal", goal.goalId);
  lookAt(tx, goal.sessionId);
}
