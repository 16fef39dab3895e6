import { stat } from "node:fs/promises";
import type { LeftWork } from "../../agent/git/attempt.ts";
import { GitError } from "../../agent/git/git.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { spaceWordsOf } from "../../core/space/no-space.ts";
import type { Deps } from "../../deps.ts";
import type { Workplace } from "../shared/workplace.ts";

/**
 * What an execution left that failed before it was done: it is kept beside the record, and known from now on. Null: it could not
 * be read, which says nothing about how the attempt ended.
 */
export async function leftBy(
  deps: Pick<Deps, "git" | "log">,
  { goalId }: Pick<Goal, "goalId">,
  { mirror, worktreeDir, branch, startCommit: recorded }: Workplace,
): Promise<LeftWork | null> {
  if (await isFolderGone(worktreeDir)) return null;
  try {
    return await deps.git.leftWork({ mirror, worktreeDir, branch, recorded });
  } catch (error) {
    if (spaceWordsOf(error) === null && !(error instanceof GitError)) throw error;
    deps.log.warn("attempt.not-kept", { goalId, error });
    return null;
  }
}

/** Whether a folder is not there any more, as when its disk has gone. */
export async function isFolderGone(dir: string): Promise<boolean> {
  return (await stat(dir).catch(() => null)) === null;
}
