import type { PlannedGoal } from "./campaign.ts";

/** A plan before it has ids or dates, from an outline, a list of goals or the model. */
export interface Plan {
  readonly name: string;
  readonly goal: string;
  readonly milestones: readonly PlannedMilestone[];
  /** Day by day, at least one. `milestone` is an index into `milestones`. */
  readonly days: readonly (readonly PlanGoal[])[];
  /** Its assumptions. Empty when there are none. */
  readonly notes: readonly string[];
}

export interface PlannedMilestone {
  readonly name: string;
  readonly description: string;
  /** From 1. */
  readonly targetDay: number;
  readonly successCriteria: readonly string[];
}

export interface PlanGoal {
  readonly request: PlannedGoal["request"];
  readonly milestone: number | null;
}

/** A plan that somebody has asked for. It is stored in the campaign's row until it is made. */
export interface WantedPlan {
  /** first: the first plan; modify: a changed plan before the start; replan: the rest of a running campaign. */
  readonly kind: "first" | "modify" | "replan";
  readonly by: string;
  /** True when nobody asked for it and the campaign is late (C-87). */
  readonly isAutomatic: boolean;
  readonly instructions: string | null;
}
