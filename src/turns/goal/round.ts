import type { CriterionResult } from "../../core/acceptance/results.ts";
import type { Criterion } from "../../core/acceptance/spec.ts";
import type { Goal } from "../../core/goals/goal.ts";
import type { TriedProof } from "../../core/trials/tried.ts";
import type { Lease } from "../../db/leases.ts";
import type { Run } from "../../db/runs.ts";
import type { Write } from "../../db/transitions.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";

/** What a round found, or why there is none. */
export type Round =
  | VerifiedRound
  | { readonly type: "failed"; readonly reason: string }
  /** Examinations came to no verdict, and are made again: a turn of its own. What else was found is kept. */
  | { readonly type: "unjudged"; readonly results: readonly CriterionResult[] }
  | { readonly type: "cut"; readonly why: NonNullable<ReturnType<LeaseKeeper["cutReason"]>> };

/** Every criterion and check was run. */
export interface VerifiedRound {
  readonly type: "verified";
  readonly commit: string;
  readonly criteria: readonly Criterion[];
  readonly results: readonly CriterionResult[];
  readonly passAsCommitted: readonly string[];
  readonly touched: readonly string[];
  /** How the touched files differ, where that decides; as a person may see it. */
  readonly proofDiff: string | null;
  /** Paths that differ from the run's base. */
  readonly files: readonly string[];
  /** Of lines, from 0 to 1, as the repository's own report says that its checks left; null: they left none. */
  readonly coverage: number | null;
  /** Whether a setup ran before: it may bring what the work asks for. */
  readonly hasSetup: boolean;
  /** What passed, put on trial; empty where nothing was. */
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
