import type { CeilingRefusal } from "../core/goals/budget.ts";
import type { Goal } from "../core/goals/goal.ts";
import { decideStart } from "../core/goals/start.ts";
import type { Deps } from "../deps.ts";
import { leftWords } from "../turns/goal/ask-to-start.ts";
import type { Foreseen } from "../turns/goal/sessions.ts";

/** Goals of a session that is begun for which the money is too little. */

/** A goal for which a ceiling leaves too little. */
export interface UnpaidGoal {
  readonly goalId: string;
  readonly refusal: CeilingRefusal;
}

/** Those that would be refused for want of money, as each stands before any of them has begun. */
export function unpaidOf(goals: readonly Goal[], { ahead }: Foreseen, { policy }: Pick<Deps, "policy">): UnpaidGoal[] {
  return goals.flatMap((goal) => {
    const decision = decideStart(ahead.startOf(goal), policy);
    return decision.type === "refuse" ? [{ goalId: goal.goalId, refusal: decision }] : [];
  });
}

const mostUnpaid = 5;

/** A line for each of the first of them. */
export function unpaidLines(unpaid: readonly UnpaidGoal[]): string[] {
  const left = unpaid.length - mostUnpaid;
  const lines = unpaid
    .slice(0, mostUnpaid)
    .map(({ goalId, refusal }) => `${goalId} cannot begin: ${leftWords(refusal)}`);
  return left > 0 ? [...lines, `and ${left} more cannot begin`] : lines;
}
