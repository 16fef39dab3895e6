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

/** What a goal's card says, as values. */

export interface GoalCardFacts {
  readonly goal: Goal;
  readonly state: GoalState;
  readonly repositoryName: string;
  /** Null: it belongs to no campaign. */
  readonly campaign: GoalDay | null;
  readonly executor: string;
  readonly costMicroUsd: number;
  readonly costIsEstimated: boolean;
  /** What it took of an agent at a flat rate, in words; null: it is paid by what it uses. */
  readonly flat: string | null;
  readonly ceilingMicroUsd: number;
  /** It has failed, and with what money it is worked again; null: it has not, or nobody pays for it by what it uses. */
  readonly again: (MoneyAgain & { /** When the next day begins. */ readonly tomorrow: Date }) | null;
  readonly commit: string | null;
  readonly tag: EvidenceTag;
  /** The agent's own plan, held against its criteria. */
  readonly plan: readonly JudgedEntry[];
  /** Where each of its criteria stands. */
  readonly criteria: readonly (CriterionFacts & { readonly method: string; readonly exitCode: number | null })[];
  /** The checks of its repository, as they ended with this work. */
  readonly checks: readonly CheckFacts[];
  readonly stat: { readonly files: number; readonly insertions: number; readonly deletions: number } | null;
  /** What passed, put on trial (D38). */
  readonly trials: readonly TriedProof[];
  readonly trialsAreOff: boolean;
  /** A person let its proof count. */
  readonly accepted?: AcceptedProof;
  /** Changed files that are neither plain source nor new tests. */
  readonly noted: readonly NotedFile[];
  /** What was left and git could not add. */
  readonly leftOut?: LeftOutFiles;
  /** What commands of its verification could reach: "npm test: cache:6379". */
  readonly reached: readonly string[];
  /** Its tasks, as they stand; empty for a goal that is one task itself. */
  readonly tasks: readonly TaskFacts[];
  /** Where its run stands on the recovery ladder, with what was tried; null before its first run. */
  readonly ladder: LadderView | null;
  /** What was decided last about its branch (D24). */
  readonly merge: MergeFacts | null;
  /** Its pull request; null: none is wanted. */
  readonly pull: PullView | null;
  /** The goals that it is on top of, and where they stand (D37). */
  readonly onTopOf: readonly OnTopOfFacts[];
  /** Nobody works it, and why no worker that runs may; null: one may. */
  readonly untaken: Untaken | null;
  /** What must be merged before it, in its order; of interest once it is complete. */
  readonly mergeFirst: readonly string[];
  /** What the goal's own processes tried to call and may not (D2), newest last. */
  readonly refusedCalls: readonly string[];
  /** What kept its commands and those of its verification from the rest of the machine; null: nothing was run. */
  readonly isolation: Isolation | null;
  readonly agent: AgentNotes;
  /** Null: its processes are known wherever they go. */
  readonly notFollowed: NotFollowed | null;
}

export interface OnTopOfFacts {
  readonly goalId: string;
  readonly content: string;
  /** "complete, verified", "waits for a person", … */
  readonly standing: string;
  readonly isReady: boolean;
}

/** Why a goal's processes cannot be told from a person's (D39, D45). */
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
  /** It failed before the work began. */
  readonly failedBefore: boolean;
  readonly evidenceId: number;
}

export interface CriterionFacts {
  readonly id: string;
  readonly title: string;
  readonly status: "pass" | "fail" | "requires-human" | "not-checked";
  readonly details: readonly string[];
  /** Of its kept output. */
  readonly evidenceId: number | null;
  /** It passes whatever is broken. */
  readonly provesNothing?: true;
}
