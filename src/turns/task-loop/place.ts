import { lastWords } from "../../core/text/last-words.ts";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { GitError } from "../../agent/git/git.ts";
import { closing } from "../../agent/place/agent-room.ts";
import { runSetup } from "../../agent/verify/setup.ts";
import type { Run } from "../../db/runs.ts";
import type { Deps } from "../../deps.ts";
import { outputPathOf, taskDirOf } from "../../paths.ts";
import type { Base } from "../shared/base.ts";
import { assertSpace } from "../shared/space-claims.ts";
import { branchOf } from "../../core/goals/branch.ts";
import type { Workplace } from "../shared/workplace.ts";

/** Where one task is worked or checked: a worktree of its own at a commit, with its setup done. */
export interface TaskPlace {
  readonly goalId: string;
  readonly taskId: string;
  readonly run: Run;
  readonly turn: number;
  readonly base: Extract<Base, { type: "pinned" }>;
  /** What the worktree begins at. */
  readonly at: string;
}

/** The branch of a task, in the mirror only. */
export function taskBranchOf(goalId: string, taskId: string): string {
  return `${branchOf(goalId)}.tasks/${taskId}`;
}

/** Makes the place ready; git's and the setup's refusals are words. Throws NoSpace. */
export async function prepareTaskPlace(
  deps: Pick<Deps, "config" | "policy" | "timers" | "space" | "git" | "places">,
  place: TaskPlace,
  signal: AbortSignal,
): Promise<
  { readonly type: "ready"; readonly workplace: Workplace } | { readonly type: "failed"; readonly reason: string }
> {
  const { base, run, turn, taskId, goalId } = place;
  const { mirror, repository } = base;
  const worktreeDir = taskDirOf(deps.config.dataDir, goalId, taskId);
  const branch = taskBranchOf(goalId, taskId);
  try {
    await mkdir(dirname(worktreeDir), { recursive: true });
    await deps.git.prepareWorktree({ mirror, worktreeDir, branch, startCommit: place.at });
    if (repository.setup !== null) {
      const outputFile = join(deps.config.dataDir, outputPathOf(run.runId, turn, `setup-${taskId}`));
      await mkdir(dirname(outputFile), { recursive: true });
      const room = await deps.places.room({ worktree: worktreeDir, mirror, runId: run.runId, outputFile });
      const working = runSetup({
        mirror,
        worktree: worktreeDir,
        shell: {
          enclosure: room.enclosure,
          command: repository.setup,
          runId: run.runId,
          environment: {},
          secrets: deps.config.secrets,
          timers: deps.timers,
          timeoutMs: deps.policy.goals.setupTimeoutMs,
          outputFile,
          signal,
        },
      });
      const setup = await closing(room, working);
      if (setup.type === "failed") {
        await assertSpace(deps, run, repository.setup, setup.shell);
        const last = lastWords(setup.shell.output?.tail ?? "");
        return { type: "failed", reason: `${repository.setup}: ${last}` };
      }
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
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return { type: "failed", reason: error.message };
  }
}

/** Removes the worktrees of tasks that are not needed any more. Safe to repeat. */
export async function clearTaskPlaces(
  deps: Pick<Deps, "config" | "git">,
  { base, goalId }: Pick<TaskPlace, "base" | "goalId">,
  taskIds: readonly string[],
): Promise<void> {
  for (const taskId of taskIds)
    await deps.git.removeWorktree({ mirror: base.mirror, worktreeDir: taskDirOf(deps.config.dataDir, goalId, taskId) });
}
