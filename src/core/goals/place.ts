import { endedStatuses, type Goal, priorities } from "./goal.ts";

type Placed = Pick<Goal, "goalId" | "priority" | "status" | "phase" | "leasedBy">;

/**
 * The order of a session's goals with one more: behind everything that has begun and everything that is as urgent, before
 * what is less urgent. `goals` are in their order. S4-AP-03.
 */
export function orderWith(goals: readonly Placed[], joining: Placed): string[] {
  const before = goals.findLastIndex(
    (goal) => !endedStatuses.includes(goal.status) && (hasBegun(goal) || rank(goal) <= rank(joining)),
  );
  const first = goals.findIndex((goal) => !endedStatuses.includes(goal.status));
  const index = before !== -1 ? before + 1 : first === -1 ? goals.length : first;
  const ids = goals.map((goal) => goal.goalId);
  return [...ids.slice(0, index), joining.goalId, ...ids.slice(index)];
}

function hasBegun({ phase, leasedBy }: Placed): boolean {
  return leasedBy !== null || phase !== "start";
}

function rank({ priority }: Placed): number {
  return priorities.indexOf(priority);
}
