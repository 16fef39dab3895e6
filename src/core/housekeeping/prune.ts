import { endedStatuses, type GoalStatus } from "../goals/goal.ts";
import type { Policy } from "../policy.ts";

/** What is kept in a data directory for goals, by what it is for (F-604). */
export type KeptKind =
  /** The worktree of a goal or of its tasks, or the checkout in which it was verified. */
  | "worktree"
  /** Places in which a goal was verified and tried, of a worker that was killed. */
  | "place"
  /** The output of what was run for one run of a goal. */
  | "output"
  /** The output of what one `cos done` ran, which is for no goal. */
  | "done"
  /** Commits of attempts that did not become the goal's work, as refs of the mirror. */
  | "attempts"
  /** The commit of a goal's branch that another run's branch has replaced, as a ref of the person's repository. */
  | "replaced"
  /** A ref of a mirror that a backup gave to a commit and did not take away, since it was killed. */
  | "backup"
  /** Our mirror of a repository that a person has removed, or our copy of one elsewhere. */
  | "mirror"
  | "copy";

/** What is kept for one goal. */
export type KindOfGoals = Exclude<KeptKind, "done" | "backup" | "mirror" | "copy">;

/** The goal for which something is kept; null: the database knows no such goal, so nothing of it is touched. */
export type Owner = {
  readonly goalId: string;
  readonly status: GoalStatus;
  readonly isLeased: boolean;
  /** When something about it changed last. */
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
  /** There is too little space for goals to start: what can be made anew goes at once. */
  readonly isShort: boolean;
}

/** Whether something that is kept may go: its goal is over, and has been for as long as the policy keeps it. */
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

/** A worktree is made anew from commits, and what its last attempt left is one of them by then; output and attempts are kept nowhere else. */
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

/** When the run was begun whose output a folder is called after; null: it is none of `cos done`. */
export function doneAt(name: string): Date | null {
  const [, began = ""] = /^done-([0-9a-z]{8,9})-\d{1,10}$/.exec(name) ?? [];
  return began === "" ? null : new Date(Number.parseInt(began, 36));
}

/** Whether the output of a `cos done` may go: it is kept as long as that of a goal which is over. */
export function decideDone(began: Date, { now }: Moment, { housekeeping }: Pick<Policy, "housekeeping">): PruneVerdict {
  const until = new Date(began.getTime() + housekeeping.keepOutputMs);
  return until <= now ? { type: "goes" } : { type: "stays", because: "not long enough", until };
}

/** Whether what a backup gave to a commit may go: no backup takes that long. */
export function decideHeld(since: Date, { now }: Moment, { housekeeping }: Pick<Policy, "housekeeping">): PruneVerdict {
  const until = since.getTime() + housekeeping.longestBackupMs;
  return until <= now.getTime() ? { type: "goes" } : { type: "stays", because: "perhaps in use" };
}

/**
 * Whether our mirror or copy of a repository may go: a person has removed it, nothing was unfinished then, and what was done there
 * was to be looked at for long enough. One that is made known again gets another. `removedAt` null: it is known.
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
