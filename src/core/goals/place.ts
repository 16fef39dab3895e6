import { endedStatuses, type Goal, priorities } from "./goal.ts";

type Placed = Pick<Goal, "goalId" | "priority" | "status" | "phase" | "leasedBy">;

/**
 * Returns the order of a session's goals after others join. Each joining goal comes after all goals that have begun or are at
 * least as urgent, and before less urgent ones. Both lists keep their own order. S4-AP-03.
 */
export function orderWith(goals: readonly Placed[], joining: readonly Placed[]): string[] {
  const order = [...goals];
  for (const each of joining) order.splice(placeOf(order, each), 0, each);
  return order.map((goal) => goal.goalId);
}

function placeOf(goals: readonly Placed[], joining: Placed): number {
  const before = goals.findLastIndex(
    (goal) => !endedStatuses.includes(goal.status) && (hasBegun(goal) || rank(goal) <= rank(joining)),
  );
  const first = goals.findIndex((goal) => !endedStatuses.includes(goal.status));
  if (before !== -1) return before + 1;
  return first === -1 ? goals.length : first;
}

function hasBegun({ phase, leasedBy }: Placed): boolean {
  return leasedBy !== null || phase !== "start";
}

function rank({ priority }: Placed): number {
  return priorities.indexOf(priority);
}
