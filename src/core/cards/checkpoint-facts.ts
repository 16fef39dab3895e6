import type { GoalCheckpoint } from "../checkpoints/checkpoint.ts";
import type { Tried } from "../recovery/tried.ts";
import type { Brought } from "./answered-words.ts";
import type { HeldFacts } from "./held-words.ts";

/** What a checkpoint card shows besides the checkpoint itself. */
export interface CheckpointCardFacts {
  readonly checkpoint: GoalCheckpoint;
  readonly goal: { readonly goalId: string; readonly content: string; readonly runCommand: string | null };
  /** Micro-dollars that a run may cost after Proceed. */
  readonly ceilingMicroUsd: number;
  /** The attempts of this run, oldest first. */
  readonly attempts: readonly Tried[];
  /** What waits for the answer and what goes on. Null when no session works its goal. */
  readonly held: HeldFacts | null;
  /** What its answer changed and noted. Null when it is not answered, or when the answer was only a choice. */
  readonly brought: Brought | null;
}
