import type { DayPlan, Milestone, PlannedGoal } from "../../../src/core/campaigns/campaign.ts";
import type { GoalRequest } from "../../../src/core/goals/new-goal.ts";
import { dollars } from "../../../src/core/money.ts";

/** Goals, days and milestones with as little said as a test needs. */
export function request(content: string, changes: Partial<GoalRequest> = {}): GoalRequest {
  return {
    content,
    tags: [],
    costUsd: null,
    priority: "medium",
    minutes: null,
    linkage: { kind: "none" },
    criteriaPath: null,
    tier: null,
    worklogFlags: null,
    run: null,
    isUnplanned: false,
    allow: [],
    allowProof: [],
    tasksPath: null,
    parallel: 1,
    ...changes,
  };
}

export function goal(
  goalId: string,
  milestoneId: string | null = "ms-1",
  changes: Partial<GoalRequest> = {},
): PlannedGoal {
  return { goalId, milestoneId, request: request(`Do ${goalId}`, changes) };
}

export function day(dayNumber: number, goals: readonly PlannedGoal[], changes: Partial<DayPlan> = {}): DayPlan {
  return {
    dayNumber,
    date: null,
    goals,
    budgetMicroUsd: dollars(10),
    status: "pending",
    actualCostMicroUsd: 0,
    notes: "",
    ...changes,
  };
}

export function milestone(milestoneId: string, targetDay: number, changes: Partial<Milestone> = {}): Milestone {
  return {
    milestoneId,
    name: `Milestone ${milestoneId}`,
    description: "",
    targetDay,
    successCriteria: [],
    status: "pending",
    completedAt: null,
    completedBy: null,
    ...changes,
  };
}

/** Numbers from 0 to 1 that are the same every time (Numerical Recipes' linear congruential generator). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
