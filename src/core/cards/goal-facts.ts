import type { JudgedEntry } from "../acceptance/plan.ts";
import type { AcceptedProof } from "../acceptance/backing.ts";
import type { EvidenceTag } from "../acceptance/tag.ts";
import type { LeftOutFiles } from "./left-out-words.ts";
import type { NotedFile } from "../files/noted.ts";
import type { Goal, GoalState } from "../goals/goal.ts";
import type { MoneyAgain } from "../goals/money-again.ts";
import type { Untaken } from "../lacks.ts";
import type { Isolation } from "../isolation/isolation.ts";
import type { Rung } from "../recovery/ladder.ts";
import type { Tried } from "../recovery/tried.ts";
import type { TriedProof } from "../trials/tried.ts";
import type { AgentNotes } from "./agent-words.ts";
import type { GoalDay } from "./plan-words.ts";
import type { PullView } from "./pull-words.ts";

/** The facts that a goal's card shows. */

export interface GoalCardFacts {
  readonly goal: Goal;
  readonly state: GoalState;
  readonly repositoryName: string;
  /** Null when it belongs to no campaign. */
  readonly campaign: GoalDay | null;
  readonly executor: string;
  readonly costMicroUsd: number;
  readonly costIsEstimated: boolean;
  /** What it used of an agent at a flat rate, in words. Null when it is paid by use. */
  readonly flat: string | null;
  readonly ceilingMicroUsd: number;
  /** For a failed goal, the money that it needs to be worked again. Null when it has not failed, or is not paid by use. */
  readonly again: (MoneyAgain & { /** When the next day begins. */ readonly tomorrow: Date }) | null;
  readonly commit: string | null;
  readonly tag: EvidenceTag;
  /** The agent's own plan, compared with the goal's criteria. */
  readonly plan: readonly JudgedEntry[];
  /** The state of each criterion. */
  readonly criteria: readonly (CriterionFacts & { readonly method: string; readonly exitCode: number | null })[];
  /** The checks of its repository, with their results on this work. */
  readonly checks: readonly CheckFacts[];
  readonly stat: { readonly files: number; readonly insertions: number; readonly deletions: number } | null;
  /** The trials of the criteria and checks that passed (D38). */
  readonly trials: readonly TriedProof[];
  readonly trialsAreOff: boolean;
  /** Set when a person accepted its proof. */
  readonly accepted?: AcceptedProof;
  /** Changed files that are neither plain source nor new tests. */
  readonly noted: readonly NotedFile[];
  /** Files that the agent left and git could not add. */
  readonly leftOut?: LeftOutFiles;
  /** What its verification commands could reach: "npm test: cache:6379". */
  readonly reached: readonly string[];
  /** Its tasks with their state. Empty for a goal without tasks. */
  readonly tasks: readonly TaskFacts[];
  /** Its place on the recovery ladder, and its attempts. Null before its first run. */
  readonly ladder: LadderView | null;
  /** The last decision about its branch (D24). */
  readonly merge: MergeFacts | null;
  /** Its pull request. Null when none is wanted. */
  readonly pull: PullView | null;
  /** The goals that it builds on, and their state (D37). */
  readonly onTopOf: readonly OnTopOfFacts[];
  /** Why no running worker may take it. Null when a worker may, or already works it. */
  readonly untaken: Untaken | null;
  /** Goals that must be merged before it, in order. Shown once it is complete. */
  readonly mergeFirst: readonly string[];
  /** Calls that the goal's own processes tried and that were refused (D2), newest last. */
  readonly refusedCalls: readonly string[];
  /** How well its commands and those of its verification were isolated from the machine. Null when nothing was run. */
  readonly isolation: Isolation | null;
  readonly agent: AgentNotes;
  /** Null when its processes are recognised wherever they go. */
  readonly notFollowed: NotFollowed | null;
}

export interface OnTopOfFacts {
  readonly goalId: string;
  readonly content: string;
  /** "complete, verified", "waits for a person", … */
  readonly standing: string;
  readonly isReady: boolean;
}

/** Why a goal's processes cannot be distinguished from a person's (D39, D45). */
export type NotFollowed = "no-processes" | "no-means" | "guard-ended";

export interface TaskFacts {
  readonly id: string;
  readonly title: string;
  readonly status: "pending" | "in_progress" | "passed" | "failed";
  readonly attempts: number;
}

export interface LadderView {
  readonly rung: Rung;
  readonly attempt: number;
  readonly ladder: number;
  readonly approach: string | null;
  readonly source: string | null;
  readonly attempts: readonly Tried[];
}

export interface MergeFacts {
  readonly status: "due" | "merging" | "merged" | "undone" | "refused" | "discarded";
  readonly into: string;
  readonly by: string;
  readonly dueAt: Date;
  readonly settledAt: Date | null;
  readonly resultCommit: string | null;
  readonly outcome: string | null;
}

export interface CheckFacts {
  readonly command: string;
  readonly status: CriterionFacts["status"];
  readonly exitCode: number | null;
  /** True when the check failed before the work began. */
  readonly failedBefore: boolean;
  readonly evidenceId: number;
}

export interface CriterionFacts {
  readonly id: string;
  readonly title: string;
  readonly status: "pass" | "fail" | "requires-human" | "not-checked";
  readonly details: readonly string[];
  /** The id of the evidence with its kept output. */
  readonly evidenceId: number | null;
  /** Set when the criterion passes whatever is broken. */
  readonly provesNothing?: true;
}
