import { lstat, mkdir, rm } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { openAlong, type OpenedFolder, placeIn } from "../process/opened-folders.ts";
import { removeIn } from "./plain-mirror.ts";

/** Restores the folder layout of a mirror, whatever an agent has put in its place. */

/** Folder with the journal of our refs. No agent in a room can write there. */
export const journalFolder = "cos-refs";

/** Folder with indexes of the worktrees' files. No agent in a room can write there. */
export const indexFolder = "cos-index";

/** Folders that git and we read. A file in place of one stops every goal of the repository. Parents come first. */
const folders = ["info", "refs", "refs/heads", "refs/remotes", "worktrees", journalFolder, indexFolder];

/** Paths that must not be folders. */
const files = ["packed-refs", "shallow"];

/** Files that make git use another repository, with its own configuration, or none. */
const elsewhere = ["commondir", "gitdir"];

/**
 * Environment in which git uses exactly this folder. A file `commondir` in it could name another folder, whose configuration starts
 * programs; with these variables git does not read it.
 */
export function inGitDir(dir: string): { readonly GIT_DIR: string; readonly GIT_COMMON_DIR: string } {
  return { GIT_DIR: dir, GIT_COMMON_DIR: dir };
}

/** Restores a mirror's folders and files. Cheap, safe to repeat and to run concurrently. */
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
  // Removes only what is not a folder: another process may be creating the folder now.
  if (found !== null) await rm(path, { recursive: true, force: true });
  await mkdir(path, { recursive: true });
}

/** Removes whatever stands at the path of a ref's file, and anything on the way that is not a folder. Follows no link. */
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
