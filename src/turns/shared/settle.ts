import type { Goal } from "../../core/goals/goal.ts";
import type { Db } from "../../db/connection/client.ts";
import type { GoalChanges } from "../../db/goals.ts";
import { updateRun } from "../../db/runs.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { parkBuilders, sayBuilders } from "./builders.ts";
import { sayGoal, type Saying } from "../../projection/say.ts";

/** How a goal ends (D18). */
export interface Ending {
  readonly status: "complete" | "failed" | "deferred" | "manual_followup";
  readonly outcome: string;
  readonly errorCount?: number;
  readonly recoveryLevel?: number;
}

/**
 * Ends a goal and its run. `write` is how the caller holds the goal: by its lease (recordTurn) or by a row lock
 * (updateGoal). The session is woken, and said, by the caller afterwards.
 */
export async function endGoal(
  tx: Db,
  deps: Saying,
  goal: Goal,
  ending: Ending,
  write: (changes: GoalChanges & { updatedAt: Date }) => Promise<unknown>,
): Promise<void> {
  const now = deps.now();
  const asleep = { wakeAt: null, stopRequested: null, parkedFor: null, updatedAt: now } as const;
  await write({ ...ending, phase: "start", runId: goal.runId, ...asleep });
  if (goal.runId !== null) await updateRun(tx, goal.runId, { status: "ended", endedAt: now });
  await appendTimeline(tx, {
    event: `goal.${ending.status}`,
    goalId: goal.goalId,
    sessionId: goal.sessionId,
    runId: goal.runId,
    at: now,
    detail: { outcome: ending.outcome },
  });
  await sayGoal(tx, deps, goal.goalId);
  if (ending.status === "complete") await sayBuilders(tx, deps, goal.goalId);
  else await parkBuilders(tx, deps, goal.goalId);
}
