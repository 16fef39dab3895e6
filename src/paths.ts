import { join } from "node:path";

/** Where things lie under the data directory. */
export function mirrorDirOf(dataDir: string, repositoryId: string): string {
  return join(dataDir, "mirrors", `${repositoryId}.git`);
}

/** What lies under the data directory and grows with goals and repositories, by what people call it. */
export const growingFolders: readonly { readonly what: string; readonly folder: string }[] = [
  { what: "worktrees", folder: "worktrees" },
  { what: "places of verification", folder: "places" },
  { what: "kept output", folder: "output" },
  { what: "mirrors", folder: "mirrors" },
  { what: "copies of repositories elsewhere", folder: "remotes" },
  { what: "downloads of setups", folder: "downloads" },
];

/** Our copies of repositories elsewhere, a bare one each. Beside the mirrors, because no agent may see or write them. */
export function copyDirOf(dataDir: string, repositoryId: string): string {
  return join(dataDir, "remotes", `${repositoryId}.git`);
}

/** The deploy key of a repository elsewhere. */
export function keyFileOf(dataDir: string, repositoryId: string): string {
  return join(dataDir, "keys", repositoryId);
}

/** The worktrees and checkouts of goals. */
export function worktreesDir(dataDir: string): string {
  return join(dataDir, "worktrees");
}

/** The kept output of runs, a folder each. */
export function outputDir(dataDir: string): string {
  return join(dataDir, "output");
}

/** One worktree a goal, reused by all its attempts. */
export function worktreeDirOf(dataDir: string, goalId: string): string {
  return join(dataDir, "worktrees", goalId);
}

/** One worktree a task of a wave. Ids of tasks are safe in paths. */
export function taskDirOf(dataDir: string, goalId: string, taskId: string): string {
  return join(dataDir, "worktrees", `${goalId}.tasks`, taskId);
}

/** The clean checkout in which a goal's work is verified. */
export function verifyDirOf(dataDir: string, goalId: string): string {
  return join(dataDir, "worktrees", `${goalId}-verify`);
}

/** Kept output of one execution; the row in `evidence` holds this path relative to the data directory. */
export function outputPathOf(runId: string, turn: number, kind: string): string {
  return join("output", runId, `${turn}-${kind}.txt`);
}

/** What a run has recorded, as a git bundle on its way to other machines; relative to the data directory as kept output is. */
export function workFileOf(runId: string): string {
  return join("output", runId, "work.bundle");
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
