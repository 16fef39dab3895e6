import type { CeilingRefusal } from "../../core/goals/budget.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { decideStart } from "../../core/goals/start.ts";
import type { Deps } from "../../deps.ts";
import type { Ahead } from "./start-facts.ts";

/** A goal for which a ceiling leaves too little. */
export interface UnpaidGoal {
  readonly goalId: string;
  readonly refusal: CeilingRefusal;
}

/** Goals that come into a session and would be refused for want of money, as each stands before any of them has begun. */
export function unpaidOf(goals: readonly Goal[], ahead: Ahead, { policy }: Pick<Deps, "policy">): UnpaidGoal[] {
  return goals.flatMap((goal) => {
    const decision = decideStart(ahead.startOf(goal), policy);
    return decision.type === "refuse" ? [{ goalId: goal.goalId, refusal: decision }] : [];
  });
}
