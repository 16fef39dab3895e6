import { dirname } from "node:path";
import { GitError } from "../../agent/git/git.ts";
import type { Mirror } from "../../agent/git/mirror.ts";
import type { RefSnapshot } from "../../agent/git/refs.ts";
import type { KeptOutput } from "../../agent/process/runner.ts";
import { branchOf } from "../../core/goals/branch.ts";
import type { Goal } from "../../core/goals/goal.ts";
import type { Lease } from "../../db/leases.ts";
import type { Repository } from "../../db/repositories.ts";
import type { Run } from "../../db/runs.ts";
import type { Deps } from "../../deps.ts";
import type { Worked } from "../../facts/worked.ts";
import { mirrorDirOf, outputPathOf, worktreeDirOf, worktreesDir } from "../../paths.ts";
import { pinBase } from "./base.ts";
import { ensureFolder, onOwnDisk } from "./own-folders.ts";
import { setUp, setupFailureWords } from "./set-up.ts";

/** The place of one execution: a clean worktree at the last recorded commit, after the setup (D23, D25). */
export interface Workplace {
  readonly mirror: Mirror;
  readonly repository: Repository;
  readonly worktreeDir: string;
  readonly branch: string;
  /** The run's base, with which all work of the goal is compared. */
  readonly baseCommit: string;
  /** The last recorded commit, on which this execution builds. */
  readonly startCommit: string;
  readonly refsBefore: RefSnapshot;
  readonly setup: SetupEvidence | null;
}

export interface SetupEvidence {
  readonly command: string;
  readonly exitCode: number | null;
  readonly durationMs: number;
  readonly outputFile: string;
  readonly output: KeptOutput | null;
}

export type PreparedWorkplace =
  | { readonly type: "ready"; readonly workplace: Workplace }
  | { readonly type: "failed"; readonly reason: string; readonly setup: SetupEvidence | null };

/** Prepares the place. A failure of git or of the setup is returned with its reason. Throws NoSpace and DiskLost. */
export async function prepareWorkplace(
  deps: Pick<Deps, "database" | "config" | "policy" | "space" | "timers" | "git" | "executor" | "places" | "log">,
  { goal, run, repository, lease, signal }: Worked & { readonly lease: Lease; readonly signal: AbortSignal },
): Promise<PreparedWorkplace> {
  // Processes of an earlier attempt of this run may still use the worktree (D5).
  await deps.executor.endRun(run.runId);
  await deps.git.takeLeftObjects(mirrorDirOf(deps.config.dataDir, goal.repositoryId), run.runId);
  const base = await pinBase(deps, goal.repositoryId, repository);
  if (base.type === "failed") return { type: "failed", reason: base.reason, setup: null };
  const { mirror, commit } = base;
  ensureFolder(worktreesDir(deps.config.dataDir));
  try {
    return await onOwnDisk(deps, { mirror, commit: run.headCommit ?? run.baseCommit ?? commit }, () =>
      prepare(deps, { goal, run, lease, signal, ...base }),
    );
  } catch (error) {
    if (error instanceof GitError) return { type: "failed", reason: error.message, setup: null };
    throw error;
  }
}

interface WorkplaceRequest {
  readonly goal: Goal;
  readonly run: Run;
  readonly lease: Lease;
  readonly signal: AbortSignal;
  readonly mirror: Mirror;
  readonly repository: Repository;
  readonly commit: string;
}

async function prepare(
  deps: Pick<Deps, "config" | "policy" | "space" | "timers" | "git" | "places">,
  request: WorkplaceRequest,
): Promise<PreparedWorkplace> {
  const { goal, run, lease, signal, mirror, repository, commit } = request;
  const baseCommit = run.baseCommit ?? commit;
  const startCommit = run.headCommit ?? baseCommit;
  const branch = branchOf(goal.goalId);
  const worktreeDir = worktreeDirOf(deps.config.dataDir, goal.goalId);
  ensureFolder(dirname(worktreeDir));
  // A goal's own command has failed here. The next attempt begins without any of its files, also without those of the setup (D50).
  const isFresh = goal.runCommand !== null && run.rungAttempt > 1;
  await deps.git.prepareWorktree({ mirror, worktreeDir, branch, startCommit, isFresh });

  let setup: SetupEvidence | null = null;
  if (repository.setup !== null) {
    const outputFile = outputPathOf(run.runId, lease.turn, "setup");
    const done = await setUp(deps, { run, mirror, worktreeDir, command: repository.setup, outputFile, signal });
    if (done.type !== "satisfied") {
      const { end, durationMs, output } = done.shell;
      const exitCode = end.type === "exited" ? end.exitCode : null;
      setup = { command: repository.setup, exitCode, durationMs, outputFile, output };
    }
    if (done.type === "failed") return { type: "failed", reason: setupFailureWords(repository.setup, done), setup };
  }
  const refsBefore = await deps.git.snapshotRefs(mirror);
  return {
    type: "ready",
    workplace: { mirror, repository, worktreeDir, branch, baseCommit, startCommit, refsBefore, setup },
  };
}
