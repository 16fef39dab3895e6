import { join } from "node:path";
import { backupFolders, folders } from "./core/housekeeping/folders.ts";

/** Where things lie under the data directory. */
export function mirrorDirOf(dataDir: string, repositoryId: string): string {
  return join(dataDir, folders.mirrors, `${repositoryId}.git`);
}

/** Our copies of repositories elsewhere, a bare one each. Beside the mirrors, because no agent may see or write them. */
export function copyDirOf(dataDir: string, repositoryId: string): string {
  return join(dataDir, folders.copies, `${repositoryId}.git`);
}

/** The deploy key of a repository elsewhere. */
export function keyFileOf(dataDir: string, repositoryId: string): string {
  return join(dataDir, "keys", repositoryId);
}

/** The worktrees and checkouts of goals. */
export function worktreesDir(dataDir: string): string {
  return join(dataDir, folders.worktrees);
}

/** When what is not needed any more was last taken away there: its time says it. Every bot and worker writes it, also without goals. */
export function prunedFileOf(dataDir: string): string {
  return join(worktreesDir(dataDir), ".pruned");
}

/** The kept output of runs, a folder each. */
export function outputDir(dataDir: string): string {
  return join(dataDir, folders.output);
}

/** One worktree a goal, reused by all its attempts. */
export function worktreeDirOf(dataDir: string, goalId: string): string {
  return join(dataDir, folders.worktrees, goalId);
}

/** One worktree a task of a wave. Ids of tasks are safe in paths. */
export function taskDirOf(dataDir: string, goalId: string, taskId: string): string {
  return join(dataDir, folders.worktrees, `${goalId}.tasks`, taskId);
}

/** The clean checkout in which a goal's work is verified. */
export function verifyDirOf(dataDir: string, goalId: string): string {
  return join(dataDir, folders.worktrees, `${goalId}-verify`);
}

/** Kept output of one execution; the row in `evidence` holds this path relative to the data directory. */
export function outputPathOf(runId: string, turn: number, kind: string): string {
  return join(folders.output, runId, `${turn}-${kind}.txt`);
}

/** What a run has recorded, as a git bundle on its way to other machines; relative to the data directory as kept output is. */
export function workFileOf(runId: string): string {
  return join(folders.output, runId, "work.bundle");
}

/** The folders into which backups were written, one a line: nothing of those is seen in rooms. */
export function backupFoldersOf(dataDir: string): string {
  return join(dataDir, backupFolders);
}

/** Files of processes without a database that want something said in the channel; a tick takes them. */
export function noticesDirOf(dataDir: string): string {
  return join(dataDir, "notices");
}

/** Lines that hooks of agents' own sessions leave, a file a session; a tick takes them. */
export function outsideDirOf(dataDir: string): string {
  return join(dataDir, "worklogs");
}

/** The sample campaign's own copy of the sample repository. */
export function sampleDirOf(dataDir: string): string {
  return join(dataDir, "sample", "repository");
}

/** Where a restore unpacks a backup, before anything of it goes to its place. */
export function restoringDir(dataDir: string): string {
  return join(dataDir, ".restoring");
}
