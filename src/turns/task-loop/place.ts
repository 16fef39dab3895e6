import { dirname } from "node:path";
import { GitError } from "../../agent/git/git.ts";
import type { Run } from "../../db/runs.ts";
import type { Deps } from "../../deps.ts";
import { outputPathOf, taskDirOf, worktreesDir } from "../../paths.ts";
import type { Base } from "../shared/base.ts";
import { ensureFolder, onOwnDisk } from "../shared/own-folders.ts";
import { setUp, setupFailureWords } from "../shared/set-up.ts";
import { branchOf } from "../../core/goals/branch.ts";
import type { Workplace } from "../shared/workplace.ts";

/** Where one task is worked or checked: a worktree of its own at a commit, with its setup done. */
export interface TaskPlace {
  readonly goalId: string;
  readonly taskId: string;
  readonly run: Run;
  readonly turn: number;
  readonly base: Extract<Base, { type: "pinned" }>;
  /** The commit that is checked out in the worktree. */
  readonly at: string;
}

/** Name of a task's branch. It exists only in the mirror. */
export function taskBranchOf(goalId: string, taskId: string): string {
  return `${branchOf(goalId)}.tasks/${taskId}`;
}

/** Prepares the worktree and runs the setup. Failures of git and of the setup are returned with their reason. Throws NoSpace and DiskLost. */
export async function prepareTaskPlace(
  deps: Pick<Deps, "config" | "policy" | "timers" | "space" | "git" | "places">,
  place: TaskPlace,
  signal: AbortSignal,
): Promise<PreparedPlace> {
  const { mirror } = place.base;
  ensureFolder(worktreesDir(deps.config.dataDir));
  try {
    return await onOwnDisk(deps, { mirror, commit: place.at }, () => prepare(deps, place, signal));
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return { type: "failed", reason: error.message };
  }
}

type PreparedPlace =
  | { readonly type: "ready"; readonly workplace: Workplace }
  | { readonly type: "failed"; readonly reason: string };

async function prepare(
  deps: Parameters<typeof prepareTaskPlace>[0],
  place: TaskPlace,
  signal: AbortSignal,
): Promise<PreparedPlace> {
  const { base, run, turn, taskId, goalId } = place;
  const { mirror, repository } = base;
  const worktreeDir = taskDirOf(deps.config.dataDir, goalId, taskId);
  const branch = taskBranchOf(goalId, taskId);
  ensureFolder(dirname(worktreeDir));
  await deps.git.prepareWorktree({ mirror, worktreeDir, branch, startCommit: place.at });
  if (repository.setup !== null) {
    const outputFile = outputPathOf(run.runId, turn, `setup-${taskId}`);
    const setup = await setUp(deps, { run, mirror, worktreeDir, command: repository.setup, outputFile, signal });
    if (setup.type === "failed") return { type: "failed", reason: setupFailureWords(repository.setup, setup) };
  }
  const baseCommit = run.baseCommit ?? base.commit;
  const refsBefore = await deps.git.snapshotRefs(mirror);
  const workplace = {
    mirror,
    repository,
    worktreeDir,
    branch,
    baseCommit,
    startCommit: place.at,
    refsBefore,
    setup: null,
  };
  return { type: "ready", workplace };
}

/** Removes the worktrees of these tasks. It may be repeated. */
export async function clearTaskPlaces(
  deps: Pick<Deps, "config" | "git">,
  { base, goalId }: Pick<TaskPlace, "base" | "goalId">,
  taskIds: readonly string[],
): Promise<void> {
  for (const taskId of taskIds)
    await deps.git.removeWorktree({ mirror: base.mirror, worktreeDir: taskDirOf(deps.config.dataDir, goalId, taskId) });
}
