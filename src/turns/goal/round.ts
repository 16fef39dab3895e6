import type { CriterionResult } from "../../core/acceptance/results.ts";
import type { Criterion } from "../../core/acceptance/spec.ts";
import type { Goal } from "../../core/goals/goal.ts";
import type { TriedProof } from "../../core/trials/tried.ts";
import type { Lease } from "../../db/leases.ts";
import type { Run } from "../../db/runs.ts";
import type { Write } from "../../db/transitions.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";

/** The result of a round, or why there is none. */
export type Round =
  | VerifiedRound
  | { readonly type: "failed"; readonly reason: string }
  /** Examinations without a verdict are repeated in a turn of their own. Other results are kept. */
  | { readonly type: "unjudged"; readonly results: readonly CriterionResult[] }
  | { readonly type: "cut"; readonly why: NonNullable<ReturnType<LeaseKeeper["cutReason"]>> };

/** A round in which all criteria and checks ran. */
export interface VerifiedRound {
  readonly type: "verified";
  readonly commit: string;
  readonly criteria: readonly Criterion[];
  readonly results: readonly CriterionResult[];
  readonly passAsCommitted: readonly string[];
  readonly touched: readonly string[];
  /** The diff of the touched files if it matters, masked for people. */
  readonly proofDiff: string | null;
  /** Paths that differ from the run's base. */
  readonly files: readonly string[];
  /** Line coverage from 0 to 1, from the report that the repository's checks left. Null when they left none. */
  readonly coverage: number | null;
  /** True when a setup ran before. It may install what the work needs. */
  readonly hasSetup: boolean;
  /** Trials of passed criteria. Empty when there were none. */
  readonly trials: readonly TriedProof[];
}

/** A round that is being recorded. */
export interface RoundContext {
  readonly goal: Goal;
  readonly run: Run;
  readonly lease: Lease;
  readonly round: VerifiedRound;
  readonly write: Write;
}
