import type { Criterion } from "../../core/acceptance/spec.ts";
import type { CriterionResult } from "../../core/acceptance/results.ts";
import type { TrialQuestion } from "../../core/trials/judge.ts";
import type { ChangedText } from "../../core/trials/lines.ts";
import type { ChangedSource, ProofOfWork, WorkNature } from "../../core/trials/plan.ts";
import type { RemovedTests } from "../../core/trials/removed-tests.ts";
import type { WorkToVerify } from "./checkout.ts";
import type { TrialRunner } from "./trial-run.ts";

/** Passed criteria that are put on trial. */
export interface OnTrial {
  readonly commit: string;
  readonly baseCommit: string;
  /** Changed files that are as at the base while the work is verified. */
  readonly frozen: readonly string[];
  readonly criteria: readonly Criterion[];
  readonly results: readonly CriterionResult[];
}

/** Facts that all trials of one work share. */
export interface Work extends OnTrial {
  readonly verifying: WorkToVerify;
  readonly trying: TrialRunner;
  readonly changed: readonly ChangedSource[];
  readonly proof: ProofOfWork;
  readonly nature: WorkNature;
  /** Changed programs with their changed lines. */
  readonly watched: readonly ChangedText[];
  /** True when its source newly reads the date, or how long its process has run. */
  readonly isTimed: boolean;
  /** True when its source newly reads its own path, or the machine it runs on. */
  readonly isPlaced: boolean;
  /** Environment variables that its source newly checks, with their values for runs in another folder. */
  readonly switches: Readonly<Record<string, string>>;
  /** Tests that only got another title: for each file, the new titles by the old ones. */
  readonly retitled: readonly ReadonlyMap<string, string>[];
  /** Tests that were deleted with code that the goal asks to remove. */
  readonly removed: readonly RemovedTests[];
  /** Questions about the work, independent of its proof. */
  readonly about: readonly TrialQuestion[];
}
