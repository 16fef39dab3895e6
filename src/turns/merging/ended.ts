import type { Merge } from "../../db/merges.ts";

/** The result of a merge attempt. */
export type Ended = Pick<Merge, "resultCommit" | "outcome"> & {
  /** `undone`: the commit on which the work was verified is no longer the tip, so the merge queue tries the branch again. */
  readonly status: "merged" | "refused" | "undone";
  readonly conflict: Conflict | null;
  /** The branch it was merged into, if somebody merged it into another one than was requested. */
  readonly into?: string;
};

/** A merge that is tried again at `dueAt`. `due`: nothing was sent yet, so it can be undone until then. */
export interface Waits {
  readonly status: "due" | "merging";
  readonly dueAt: Date;
  readonly outcome: string;
}

export interface Conflict {
  /** The current commit of the branch that it should be merged into. */
  readonly tip: string;
  readonly files: readonly string[];
}

/** Returns the result of a merge that was not done, with the reason. */
export function refusedMerge(outcome: string): Ended {
  return { status: "refused", resultCommit: null, outcome, conflict: null };
}
