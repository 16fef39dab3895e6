import { endedStatuses, type Goal, priorities } from "./goal.ts";

type Placed = Pick<Goal, "goalId" | "priority" | "status" | "phase" | "leasedBy">;

/**
 * The order of a session's goals with more of them: each behind everything that has begun and everything that is as urgent,
 * before what is less urgent. `goals` are in their order, `joining` in theirs. S4-AP-03.
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
