import { existsSync } from "node:fs";
import { type ChangedFile, differenceOf, type Diffstat, diffText } from "../agent/git/diff.ts";
import { GitError } from "../agent/git/git.ts";
import { openMirror } from "../agent/git/mirror.ts";
import { safeOutput } from "../core/secrets/mask.ts";
import type { Goal } from "../core/goals/goal.ts";
import { getGoal } from "../db/goals.ts";
import { findRepository } from "../db/repositories.ts";
import { getRun } from "../db/runs.ts";
import type { Deps } from "../deps.ts";
import { mirrorDirOf } from "../paths.ts";
import { originOf } from "./origin.ts";

const longestPatchBytes = 60_000;

/** The difference between a goal's recorded work and the commit it started from. */
export interface GoalDiff {
  readonly type: "found";
  readonly goal: Goal;
  readonly from: string;
  readonly to: string;
  readonly stat: Diffstat;
  /** Their names are safe to show. */
  readonly files: readonly ChangedFile[];
  /** Safe to show. Cut to its first 60,000 bytes when `isWhole` is false. */
  readonly patch: { readonly text: string; readonly isWhole: boolean };
}

/** There is no such goal · nothing was recorded yet · its commits are on another machine. */
export type NoDiff =
  | { readonly type: "no goal" }
  | { readonly type: "no work"; readonly goal: Goal }
  | { readonly type: "elsewhere"; readonly goal: Goal };

/** Reads the difference from the repository's mirror. Errors of git become a result; all other errors are thrown. */
export async function gatherDiff(deps: Pick<Deps, "database" | "config">, goalId: string): Promise<GoalDiff | NoDiff> {
  const { db } = deps.database;
  const goal = await getGoal(db, goalId);
  if (goal === null) return { type: "no goal" };
  const run = goal.runId === null ? null : await getRun(db, goal.runId);
  const [from, to] = [run?.baseCommit ?? null, run?.headCommit ?? null];
  if (from === null || to === null) return { type: "no work", goal };

  const repository = await findRepository(db, goal.repositoryId);
  const mirrorDir = mirrorDirOf(deps.config.dataDir, goal.repositoryId);
  if (repository === null || !existsSync(mirrorDir)) return { type: "elsewhere", goal };
  try {
    const mirror = await openMirror({ mirrorDir, repositoryPath: originOf(deps.config, repository).dir });
    const { secrets } = deps.config;
    const { files, diffstat: stat } = await differenceOf(mirror, from, to);
    const patch = await diffText(mirror, from, to, { maxBytes: longestPatchBytes, secrets });
    return { type: "found", goal, from, to, stat, files: files.map((file) => withSafeNames(file, secrets)), patch };
  } catch (error) {
    if (error instanceof GitError) return { type: "elsewhere", goal };
    throw error;
  }
}

function withSafeNames({ path, status, oldPath }: ChangedFile, secrets: readonly string[]): ChangedFile {
  return {
    path: safeOutput(path, secrets),
    status,
    oldPath: oldPath === null ? null : safeOutput(oldPath, secrets),
  };
}
