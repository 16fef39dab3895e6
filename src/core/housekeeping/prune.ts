import { endedStatuses, type GoalStatus } from "../goals/goal.ts";
import type { Policy } from "../policy.ts";

/** Kinds of files and refs that are kept for goals (F-604). */
export type KeptKind =
  /** The worktree of a goal or of its tasks, or the checkout in which it was verified. */
  | "worktree"
  /** Verification and trial checkouts that a killed worker left. */
  | "place"
  /** The output of everything that one run of a goal executed. */
  | "output"
  /** The output of one `cos done`, which belongs to no goal. */
  | "done"
  /** Commits of attempts that did not become the goal's work, as refs of the mirror. */
  | "attempts"
  /** The former commit of a goal's branch that another run's branch replaced, as a ref of the person's repository. */
  | "replaced"
  /** A mirror ref that a killed backup created and did not remove. */
  | "backup"
  /** Our mirror, or our copy of a remote repository, after a person removed that repository. */
  | "mirror"
  | "copy";

/** Kinds that belong to one goal. */
export type KindOfGoals = Exclude<KeptKind, "done" | "backup" | "mirror" | "copy">;

/** The goal that the files belong to. Null when the database does not know it; then nothing of it is removed. */
export type Owner = {
  readonly goalId: string;
  readonly status: GoalStatus;
  readonly isLeased: boolean;
  /** When the goal last changed. */
  readonly updatedAt: Date;
} | null;

export type PruneVerdict =
  | { readonly type: "goes" }
  | {
      readonly type: "stays";
      readonly because: "goal unknown" | "goal not over" | "repository known" | "perhaps in use";
    }
  | { readonly type: "stays"; readonly because: "not long enough"; readonly until: Date };

export interface Moment {
  readonly now: Date;
  /** True when there is too little space for goals to start. Files that can be recreated are then removed at once. */
  readonly isShort: boolean;
}

/** Decides whether kept files may be removed: their goal is over, and the policy's time has passed since then. */
export function decidePrune(
  kind: KindOfGoals,
  owner: Owner,
  { now, isShort }: Moment,
  { housekeeping }: Pick<Policy, "housekeeping">,
): PruneVerdict {
  if (owner === null) return { type: "stays", because: "goal unknown" };
  if (owner.isLeased || !endedStatuses.includes(owner.status)) return { type: "stays", because: "goal not over" };
  const until = new Date(owner.updatedAt.getTime() + keepMs(kind, isShort, housekeeping));
  return until <= now ? { type: "goes" } : { type: "stays", because: "not long enough", until };
}

/** A worktree can be recreated from commits, including its last attempt's. Output and attempts exist nowhere else. */
function keepMs(kind: KindOfGoals, isShort: boolean, housekeeping: Policy["housekeeping"]): number {
  switch (kind) {
    case "worktree":
    case "place":
      return isShort ? 0 : housekeeping.keepWorktreesMs;
    case "output":
      return housekeeping.keepOutputMs;
    case "attempts":
    case "replaced":
      return housekeeping.keepAttemptsMs;
  }
}

/** Returns when the `cos done` run began that a folder is named after. Null when it is not such a folder. */
export function doneAt(name: string): Date | null {
  const [, began = ""] = /^done-([0-9a-z]{8,9})-\d{1,10}$/.exec(name) ?? [];
  return began === "" ? null : new Date(Number.parseInt(began, 36));
}

/** Decides whether the output of a `cos done` may be removed. It is kept as long as that of an ended goal. */
export function decideDone(began: Date, { now }: Moment, { housekeeping }: Pick<Policy, "housekeeping">): PruneVerdict {
  const until = new Date(began.getTime() + housekeeping.keepOutputMs);
  return until <= now ? { type: "goes" } : { type: "stays", because: "not long enough", until };
}

/** Decides whether a backup's ref may be removed: no backup takes that long. */
export function decideHeld(since: Date, { now }: Moment, { housekeeping }: Pick<Policy, "housekeeping">): PruneVerdict {
  const until = since.getTime() + housekeeping.longestBackupMs;
  return until <= now.getTime() ? { type: "goes" } : { type: "stays", because: "perhaps in use" };
}

/**
 * Decides whether our mirror or copy of a repository may be removed: a person has removed the repository, nothing was unfinished then,
 * and the time for looking at its work has passed. A repository that is added again gets a new one. `removedAt` is null when it is known.
 */
export function decideMirror(
  removedAt: Date | null,
  { now }: Moment,
  { housekeeping }: Pick<Policy, "housekeeping">,
): PruneVerdict {
  if (removedAt === null) return { type: "stays", because: "repository known" };
  const until = new Date(removedAt.getTime() + housekeeping.keepMirrorsMs);
  return until <= now ? { type: "goes" } : { type: "stays", because: "not long enough", until };
}
