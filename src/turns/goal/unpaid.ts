import type { CeilingRefusal } from "../../core/goals/budget.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { decideStart } from "../../core/goals/start.ts";
import type { Deps } from "../../deps.ts";
import type { Ahead } from "./start-facts.ts";

/** A goal for which a ceiling leaves too little money. */
export interface UnpaidGoal {
  readonly goalId: string;
  readonly refusal: CeilingRefusal;
}

/** Goals of a session that would be refused for lack of money, each judged before any of them has begun. */
export function unpaidOf(goals: readonly Goal[], ahead: Ahead, { policy }: Pick<Deps, "policy">): UnpaidGoal[] {
  return goals.flatMap((goal) => {
    const decision = decideStart(ahead.startOf(goal), policy);
    return decision.type === "refuse" ? [{ goalId: goal.goalId, refusal: decision }] : [];
  });
}
