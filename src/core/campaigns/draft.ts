import type { GoalRequest } from "../goals/new-goal.ts";
import type { Policy } from "../policy.ts";

/** What a file says of a plan, before its goals lie on days. `at` says where: "line 7", "goal 3 (line 12)". */
export interface Draft {
  /** The title or name; null: it has none. */
  readonly name: string | null;
  readonly goal: string | null;
  readonly milestones: readonly DraftMilestone[];
  /** In their order; those of a milestone together, in the order of the milestones. */
  readonly goals: readonly DraftGoal[];
  readonly notes: readonly string[];
}

export interface DraftMilestone {
  readonly at: string;
  /** Null: named like the campaign, for goals that name none. */
  readonly name: string | null;
  readonly description: string;
  readonly day: number | null;
  readonly criteria: readonly string[];
  /** Goals that are marked done and left out. */
  readonly doneGoals: number;
}

export interface DraftGoal {
  readonly at: string;
  /** Where its day stands; absent: where the goal does. */
  readonly dayAt?: string;
  /** An index into the draft's milestones. */
  readonly milestone: number;
  readonly day: number | null;
  readonly request: GoalRequest;
}

/** What a person gave beside the file. */
export interface DraftRequest {
  readonly goal: string | null;
  readonly days: number | null;
  readonly policy: Policy;
}

/** Keeps a problem, with the place it is found at. */
export type Complain = (at: string, problem: string) => void;
