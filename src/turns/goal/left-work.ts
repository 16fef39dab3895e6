import { stat } from "node:fs/promises";
import type { LeftWork } from "../../agent/git/attempt.ts";
import { GitError } from "../../agent/git/git.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { spaceWordsOf } from "../../core/space/no-space.ts";
import type { Deps } from "../../deps.ts";
import type { Workplace } from "../shared/workplace.ts";

/**
 * Keeps the unfinished work of a failed execution beside the record. Null when it could not be read, which says nothing about the end of the
 * attempt.
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

/** True when a folder no longer exists, for example because its disk has disappeared. */
export async function isFolderGone(dir: string): Promise<boolean> {
  return (await stat(dir).catch(() => null)) === null;
}
