import type { Backing } from "../core/acceptance/backing.ts";
import { isOnlyClaimed } from "../core/acceptance/goal-contract.ts";
import type { Goal } from "../core/goals/goal.ts";
import type { Db } from "../db/connection/client.ts";
import { evidenceOf } from "../db/evidence.ts";
import { backingOf } from "./criteria-status.ts";

/** Returns how a goal of a list is backed, or null. */
export type BackingFor = (goal: Pick<Goal, "goalId">) => Backing | null;

/**
 * How each complete goal with criteria that are run is backed. Null for all other goals, whose status says it (D27). Sends no query when
 * there is no such goal.
 */
export async function backingsOf(db: Db, goals: readonly Goal[]): Promise<BackingFor> {
  const proven = goals.filter((goal) => goal.status === "complete" && !isOnlyClaimed(goal));
  const kept = await evidenceOf(
    db,
    proven.map(({ goalId }) => goalId),
  );
  const backings = new Map(proven.map((goal) => [goal.goalId, backingOf(goal, kept)]));
  return ({ goalId }) => backings.get(goalId) ?? null;
}
