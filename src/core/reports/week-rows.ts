import type { Backing } from "../acceptance/backing.ts";
import type { GoalOutcome } from "./outcomes.ts";

/** A goal's outcome with its evidence. */
export interface EndedGoal extends GoalOutcome, Backing {
  /** True when something was executed for it. */
  readonly wasExecuted: boolean;
}

/** The rows from which a week is computed, each with its time. Money in micro-dollars. */
export interface WeekRows {
  /** Both included, local dates. */
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  /** The outcomes of goals in the week, each goal once. */
  readonly ended: readonly EndedGoal[];
  /** Goals whose trouble ended in the week, and whether it was solved without a person. */
  readonly troubles: readonly { readonly wasMended: boolean }[];
  /** Ladders that ended. */
  readonly escalated: readonly { readonly goalId: string; readonly at: Date }[];
  /** Questions that were settled. */
  readonly decisions: readonly { readonly at: Date; readonly waitedMs: number }[];
  readonly branches: WeekBranches;
  readonly spent: Readonly<Record<string, number>>;
  readonly spentIsEstimated: boolean;
  /** Campaigns that were worked and ended in the last weeks. A plan that was discarded does not count. */
  readonly campaignsEnded: readonly { readonly at: Date; readonly isComplete: boolean }[];
  /** The campaigns that ended before those: how many were completed, of how many. */
  readonly campaignsBefore: Fraction;
  /** The four weeks before, as a whole, for the trends. */
  readonly before: { readonly complete: number; readonly failed: number; readonly spentMicroUsd: number };
  readonly dayCeilingMicroUsd: number;
  /** Goals that were added in the week: how many of them leave something out of their worklogs. */
  readonly leftOut: Fraction;
}

/**
 * Number of goals whose branch got this state in the week, whenever they were complete. `undecided`: of the goals completed in the week.
 */
export interface WeekBranches {
  readonly merged: number;
  readonly discarded: number;
  readonly reverted: number;
  readonly undecided: number;
}

/** The numbers that a metric is computed from. */
export interface Fraction {
  readonly numerator: number;
  readonly denominator: number;
}
