import type { GoalRequest } from "../goals/new-goal.ts";
import type { Policy } from "../policy.ts";

/** A plan as its file describes it, before its goals are placed on days. `at` is a place in the file: "line 7", "goal 3 (line 12)". */
export interface Draft {
  /** The title or name. Null when it has none. */
  readonly name: string | null;
  readonly goal: string | null;
  readonly milestones: readonly DraftMilestone[];
  /** In order of their milestones; the goals of a milestone are together. */
  readonly goals: readonly DraftGoal[];
  readonly notes: readonly string[];
}

export interface DraftMilestone {
  readonly at: string;
  /** Null for the milestone of goals that name none. It is called like the campaign. */
  readonly name: string | null;
  readonly description: string;
  readonly day: number | null;
  readonly criteria: readonly string[];
  /** Number of goals that are marked done and left out. */
  readonly doneGoals: number;
}

export interface DraftGoal {
  readonly at: string;
  /** The place of its day in the file. Absent when it is that of the goal. */
  readonly dayAt?: string;
  /** An index into the draft's milestones. */
  readonly milestone: number;
  readonly day: number | null;
  readonly request: GoalRequest;
}

/** What a person gave in addition to the file. */
export interface DraftRequest {
  readonly goal: string | null;
  readonly days: number | null;
  readonly policy: Policy;
}

/** Records a problem and the place where it was found. */
export type Complain = (at: string, problem: string) => void;
