import type { Criterion } from "../../core/acceptance/spec.ts";
import type { CriterionResult } from "../../core/acceptance/results.ts";
import type { TrialQuestion } from "../../core/trials/judge.ts";
import type { ChangedText } from "../../core/trials/lines.ts";
import type { ChangedSource, ProofOfWork, WorkNature } from "../../core/trials/plan.ts";
import type { RemovedTests } from "../../core/trials/removed-tests.ts";
import type { WorkToVerify } from "./checkout.ts";
import type { TrialRunner } from "./trial-run.ts";

/** What passed and is put on trial. */
export interface OnTrial {
  readonly commit: string;
  readonly baseCommit: string;
  /** Changed files that are as at the base while the work is verified. */
  readonly frozen: readonly string[];
  readonly criteria: readonly Criterion[];
  readonly results: readonly CriterionResult[];
}

/** What the trials of one work have in common. */
export interface Work extends OnTrial {
  readonly verifying: WorkToVerify;
  readonly trying: TrialRunner;
  readonly changed: readonly ChangedSource[];
  readonly proof: ProofOfWork;
  readonly nature: WorkNature;
  /** Changed programs with the lines that were changed. */
  readonly watched: readonly ChangedText[];
  /** Its source begins to look at the date, or at how long its process has run. */
  readonly isTimed: boolean;
  /** Its source begins to look at where it lies, or on which machine it runs. */
  readonly isPlaced: boolean;
  /** Variables by which its source begins to decide what it does, as they are set elsewhere. */
  readonly switches: Readonly<Record<string, string>>;
  /** Tests that it calls otherwise and left as they were, of each file the new titles by the old ones. */
  readonly retitled: readonly ReadonlyMap<string, string>[];
  /** Tests that are gone with what it was asked to remove. */
  readonly removed: readonly RemovedTests[];
  /** What is asked about the work, whatever proves it. */
  readonly about: readonly TrialQuestion[];
}
