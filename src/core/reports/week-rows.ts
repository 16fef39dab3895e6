import type { Backing } from "../acceptance/backing.ts";
import type { GoalOutcome } from "./outcomes.ts";

/** A goal's outcome with what backs it. */
export interface EndedGoal extends GoalOutcome, Backing {
  /** Something was really executed for it. */
  readonly wasExecuted: boolean;
}

/** What a week is computed from: facts as rows tell them, each with its moment. Money in micro-dollars. */
export interface WeekRows {
  /** Both included, local dates. */
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  /** What goals came to in the week, each goal once. */
  readonly ended: readonly EndedGoal[];
  /** Goals whose trouble was over in the week: whether it was mended without a person. */
  readonly troubles: readonly { readonly wasMended: boolean }[];
  /** Ladders that came to their end. */
  readonly escalated: readonly { readonly goalId: string; readonly at: Date }[];
  /** Questions that were settled. */
  readonly decisions: readonly { readonly at: Date; readonly waitedMs: number }[];
  readonly branches: WeekBranches;
  readonly spent: Readonly<Record<string, number>>;
  readonly spentIsEstimated: boolean;
  /** Campaigns that were worked and came to their end, of the last weeks; a plan that was discarded is none. */
  readonly campaignsEnded: readonly { readonly at: Date; readonly isComplete: boolean }[];
  /** The same of all the time before those: how many were completed, of how many. */
  readonly campaignsBefore: Fraction;
  /** The four weeks before as a whole, for the trends. */
  readonly before: { readonly complete: number; readonly failed: number; readonly spentMicroUsd: number };
  readonly dayCeilingMicroUsd: number;
  /** Goals that were added in the week: how many leave something out of their worklogs, of all. */
  readonly leftOut: Fraction;
}

/** Goals whose branch came to this in the week, whenever they were complete; `undecided`: of those that were in the week. */
export interface WeekBranches {
  readonly merged: number;
  readonly discarded: number;
  readonly reverted: number;
  readonly undecided: number;
}

/** What a metric is made of: so many of so many, so much by so many. */
export interface Fraction {
  readonly numerator: number;
  readonly denominator: number;
}
