import { lstat, mkdir, rm } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { openAlong, type OpenedFolder, placeIn } from "../process/opened-folders.ts";
import { removeIn } from "./plain-mirror.ts";

/** Where things are in a mirror, whatever an agent has laid in their places. */

/** Which refs are ours; no agent in a room writes there. */
export const journalFolder = "cos-refs";

/** What is known of the files of each worktree; no agent in a room writes there. */
export const indexFolder = "cos-index";

/** What git, and we, look into; a file in the place of one stops every goal of the repository. Those above come first. */
const folders = ["info", "refs", "refs/heads", "refs/remotes", "worktrees", journalFolder, indexFolder];

/** No folder stands there. */
const files = ["packed-refs", "shallow"];

/** What makes git look into another repository, with a configuration of its own, or into none. */
const elsewhere = ["commondir", "gitdir"];

/**
 * The environment in which git uses this folder and no other. A file in it, `commondir`, could name one whose configuration starts
 * programs; whoever is named here is not asked.
 */
export function inGitDir(dir: string): { readonly GIT_DIR: string; readonly GIT_COMMON_DIR: string } {
  return { GIT_DIR: dir, GIT_COMMON_DIR: dir };
}

/** Puts folders and files of a mirror in their places. Cheap; safe to repeat, also by several processes. */
export async function layFolders(mirrorDir: string): Promise<void> {
  for (const name of elsewhere) await rm(join(mirrorDir, name), { recursive: true, force: true });
  for (const name of files) await removeFolder(join(mirrorDir, name));
  for (const name of folders) await ensureFolder(join(mirrorDir, name));
}

async function removeFolder(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found?.isDirectory()) await rm(path, { recursive: true, force: true });
}

async function ensureFolder(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found?.isDirectory()) return;
  // Only what is in its place is removed: another process may be making it now.
  if (found !== null) await rm(path, { recursive: true, force: true });
  await mkdir(path, { recursive: true });
}

/** Removes what stands in the place of a ref's file, and what is no folder on the way to it; no link is followed. */
export async function clearPlaceOf(mirrorDir: string, ref: string): Promise<void> {
  const folder = await openAlong(mirrorDir, dirname(ref).split(sep), makeFolderIn);
  try {
    await rm(placeIn(folder, basename(ref)), { recursive: true, force: true });
  } finally {
    await folder.handle.close();
  }
}

async function makeFolderIn(folder: OpenedFolder, name: string): Promise<void> {
  const at = placeIn(folder, name);
  const found = await lstat(at).catch(() => null);
  if (found?.isDirectory()) return;
  if (found !== null) await removeIn(folder, name);
  await mkdir(at, { recursive: true });
}
