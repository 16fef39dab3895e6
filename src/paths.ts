import { join } from "node:path";
import { backupFolders, folders } from "./core/housekeeping/folders.ts";

/** The path of a repository's mirror. This file has all paths below the data directory. */
export function mirrorDirOf(dataDir: string, repositoryId: string): string {
  return join(dataDir, folders.mirrors, `${repositoryId}.git`);
}

/** The path of our bare copy of a remote repository. Not among the mirrors, because no agent may see or write it. */
export function copyDirOf(dataDir: string, repositoryId: string): string {
  return join(dataDir, folders.copies, `${repositoryId}.git`);
}

/** The path of a remote repository's deploy key. */
export function keyFileOf(dataDir: string, repositoryId: string): string {
  return join(dataDir, "keys", repositoryId);
}

/** The folder of goals' worktrees and checkouts. */
export function worktreesDir(dataDir: string): string {
  return join(dataDir, folders.worktrees);
}

/** File whose time says when unneeded files were last removed. Every bot and worker writes it, even without goals. */
export function prunedFileOf(dataDir: string): string {
  return join(worktreesDir(dataDir), ".pruned");
}

/** The folder with the kept output of runs, one folder each. */
export function outputDir(dataDir: string): string {
  return join(dataDir, folders.output);
}

/** The path of a goal's worktree, reused by all its attempts. */
export function worktreeDirOf(dataDir: string, goalId: string): string {
  return join(dataDir, folders.worktrees, goalId);
}

/** The path of a task's worktree, for tasks of a wave. Ids of tasks are safe in paths. */
export function taskDirOf(dataDir: string, goalId: string, taskId: string): string {
  return join(dataDir, folders.worktrees, `${goalId}.tasks`, taskId);
}

/** The path of the clean checkout in which a goal's work is verified. */
export function verifyDirOf(dataDir: string, goalId: string): string {
  return join(dataDir, folders.worktrees, `${goalId}-verify`);
}

/** The path of an execution's kept output, relative to the data directory, as in `evidence` rows. */
export function outputPathOf(runId: string, turn: number, kind: string): string {
  return join(folders.output, runId, `${turn}-${kind}.txt`);
}

/** The path of a run's recorded work as a git bundle for other machines, relative to the data directory like kept output. */
export function workFileOf(runId: string): string {
  return join(folders.output, runId, "work.bundle");
}

/** The file with the folders of written backups, one per line; rooms do not see those backups. */
export function backupFoldersOf(dataDir: string): string {
  return join(dataDir, backupFolders);
}

/** The folder of notices from processes without a database; a tick posts them in the channel. */
export function noticesDirOf(dataDir: string): string {
  return join(dataDir, "notices");
}

/** The folder of lines from hooks of agents' own sessions, one file per session; a tick reads them. */
export function outsideDirOf(dataDir: string): string {
  return join(dataDir, "worklogs");
}

/** The path of the sample campaign's own copy of the sample repository. */
export function sampleDirOf(dataDir: string): string {
  return join(dataDir, "sample", "repository");
}

/** The folder where a restore unpacks a backup, before anything is moved to its place. */
export function restoringDir(dataDir: string): string {
  return join(dataDir, ".restoring");
}
