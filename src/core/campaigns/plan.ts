import type { PlannedGoal } from "./campaign.ts";

/** A plan before it has ids or dates: what an outline, a list of goals or the model gives. */
export interface Plan {
  readonly name: string;
  readonly goal: string;
  readonly milestones: readonly PlannedMilestone[];
  /** Day by day, at least one. `milestone` is an index into `milestones`. */
  readonly days: readonly (readonly PlanGoal[])[];
  /** What it took for granted; empty when nothing. */
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

/** A plan that somebody wants made: kept in the campaign's row until it is. */
export interface WantedPlan {
  /** The first one; a changed one before it has started; the rest of a campaign that is under way. */
  readonly kind: "first" | "modify" | "replan";
  readonly by: string;
  /** Nobody asked: the campaign is late (C-87). */
  readonly isAutomatic: boolean;
  readonly instructions: string | null;
}
