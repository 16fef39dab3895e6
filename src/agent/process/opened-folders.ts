import { constants, existsSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";

/**
 * Between two of our checks an agent may replace a folder with a link. So a folder that an agent can write to is opened, and its
 * content is reached through the open handle, whatever is at its path by now.
 */
export interface OpenedFolder {
  readonly path: string;
  readonly handle: FileHandle;
}

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;

const openFiles = "/proc/self/fd";

/** Opens a folder. Rejects when it is not a folder, even when it is a link to one. */
export async function openFolder(path: string): Promise<OpenedFolder> {
  return { path, handle: await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW) };
}

/** Opens a folder within an open one, under the same rules. */
export async function openBelow(folder: OpenedFolder, name: string): Promise<OpenedFolder> {
  const { handle } = await openFolder(placeIn(folder, name));
  return { path: join(folder.path, name), handle };
}

/** Opens a folder step by step along `names`. `before` is called before each step. */
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

/** The path of an open folder, or of `name` in it, through the handle. Its own path where /proc is missing. */
export function placeIn({ handle, path }: OpenedFolder, name = ""): string {
  return existsSync(openFiles) ? join(openFiles, String(handle.fd), name) : join(path, name);
}
