import { constants, existsSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";

/**
 * Between any two looks of ours an agent may put a link in the place of a folder. So a folder that it can write to is opened, and what
 * lies in it is reached by what was opened, whatever has its path by now.
 */
export interface OpenedFolder {
  readonly path: string;
  readonly handle: FileHandle;
}

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;

const openFiles = "/proc/self/fd";

/** Rejects where it is no folder, also where it is a link to one. */
export async function openFolder(path: string): Promise<OpenedFolder> {
  return { path, handle: await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW) };
}

/** A folder in one that was opened; the same. */
export async function openBelow(folder: OpenedFolder, name: string): Promise<OpenedFolder> {
  const { handle } = await openFolder(placeIn(folder, name));
  return { path: join(folder.path, name), handle };
}

/** Opens the folder that is reached by these names, each in the one before; `before` is called with each that is about to be opened. */
export async function openAlong(
  root: string,
  names: readonly string[],
  before: (folder: OpenedFolder, name: string) => Promise<void> = async () => undefined,
): Promise<OpenedFolder> {
  let folder = await openFolder(root);
  for (const name of names) {
    const { handle } = folder;
    try {
      await before(folder, name);
      folder = await openBelow(folder, name);
    } finally {
      await handle.close();
    }
  }
  return folder;
}

/** The path by which an opened folder, or what is called `name` in it, is reached; by its own where there is no other way. */
export function placeIn({ handle, path }: OpenedFolder, name = ""): string {
  return existsSync(openFiles) ? join(openFiles, String(handle.fd), name) : join(path, name);
}
