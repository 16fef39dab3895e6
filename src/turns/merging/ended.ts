import type { Merge } from "../../db/merges.ts";

/** How a merge ended that was tried. */
export type Ended = Pick<Merge, "resultCommit" | "outcome"> & {
  /** `undone`: what it was verified on has moved, so that its queue looks again. */
  readonly status: "merged" | "refused" | "undone";
  readonly conflict: Conflict | null;
  /** Where it was merged, if somebody merged it elsewhere than was asked for. */
  readonly into?: string;
};

/** It is tried again at `dueAt`. `due`: nothing was asked yet, so that it can be undone until then. */
export interface Waits {
  readonly status: "due" | "merging";
  readonly dueAt: Date;
  readonly outcome: string;
}

export interface Conflict {
  /** Where the branch that it should go into stands. */
  readonly tip: string;
  readonly files: readonly string[];
}

/** A merge that was not done, and why. */
export function refusedMerge(outcome: string): Ended {
  return { status: "refused", resultCommit: null, outcome, conflict: null };
}
