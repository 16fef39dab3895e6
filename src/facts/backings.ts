import type { Backing } from "../core/acceptance/backing.ts";
import { isOnlyClaimed } from "../core/acceptance/goal-contract.ts";
import type { Goal } from "../core/goals/goal.ts";
import type { Db } from "../db/connection/client.ts";
import { evidenceOf } from "../db/evidence.ts";
import { backingOf } from "./criteria-status.ts";

/** How goals of a list are backed. */
export type BackingFor = (goal: Pick<Goal, "goalId">) => Backing | null;

/**
 * How each complete one of the goals is backed whose criteria are run: null for all others, whose status says it (D27). Reads
 * nothing where there is none.
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
