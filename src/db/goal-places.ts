import { eq, sql } from "drizzle-orm";
import type { Goal } from "../core/goals/goal.ts";
import type { Db } from "./connection/client.ts";
import { goals } from "./schema/index.ts";

/** Where goals stand among others. */

/** Puts goals into a session that begins with them, in the given order; returns them as they are in it. */
export async function assignToSession(
  tx: Db,
  sessionId: string,
  goalIds: readonly string[],
  now: Date,
): Promise<Goal[]> {
  const assigned: Goal[] = [];
  for (const goalId of goalIds) {
    const changes = { sessionId, joinedAt: null, updatedAt: now, position: nextPlace };
    assigned.push(...(await tx.update(goals).set(changes).where(eq(goals.goalId, goalId)).returning()));
  }
  return assigned;
}

const nextPlace = sql`nextval('cos.goals_position_seq')`;

/** Puts goals behind all others, in the given order: nothing else of them changes. The caller holds their session's lock. */
export async function placeGoals(tx: Db, goalIds: readonly string[]): Promise<void> {
  for (const goalId of goalIds) {
    await tx.update(goals).set({ position: nextPlace }).where(eq(goals.goalId, goalId));
  }
}
