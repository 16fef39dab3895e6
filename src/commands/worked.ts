import type { Goal } from "../core/goals/goal.ts";
import type { Db } from "../db/connection/client.ts";
import { cutGoals } from "../db/goal-lists.ts";
import { refused, type RefusedCall } from "./command.ts";

/**
 * Refuses a change of a goal in the middle of a turn: it is being worked, or was cut and no worker has continued it. Null when no worker
 * holds it.
 */
export async function refuseWorked(db: Db, goal: Pick<Goal, "goalId" | "leasedBy">): Promise<RefusedCall | null> {
  const { goalId, leasedBy } = goal;
  if (leasedBy === null) return null;
  if ((await cutGoals(db, [goal])).has(goalId))
    return refused(`${goalId} was interrupted: its worker is gone, and none has gone on with it yet`, "cos doctor");
  return refused(`${goalId} is being worked`, `cos goal show ${goalId}`);
}
