import type { GoalCheckpoint } from "../checkpoints/checkpoint.ts";
import type { Tried } from "../recovery/tried.ts";
import type { Brought } from "./answered-words.ts";
import type { HeldFacts } from "./held-words.ts";

/** What a checkpoint card shows beside the checkpoint itself. */
export interface CheckpointCardFacts {
  readonly checkpoint: GoalCheckpoint;
  readonly goal: { readonly goalId: string; readonly content: string; readonly runCommand: string | null };
  /** Micro-dollars a run may cost after Proceed. */
  readonly ceilingMicroUsd: number;
  /** What was tried for it in this run, oldest first. */
  readonly attempts: readonly Tried[];
  /** What waits for the answer and what goes on; null: no session works its goal. */
  readonly held: HeldFacts | null;
  /** What its answer changed and noted; null: it is not answered, or the choice was all. */
  readonly brought: Brought | null;
}
