import { readdir, rm } from "node:fs/promises";
import { openBelow, openFolder, type OpenedFolder, placeIn } from "../process/opened-folders.ts";

/**
 * Git follows links when it writes: to a log, an index or a ref that leads elsewhere, with our rights instead of those of whoever
 * created the link. And reading a pipe waits forever. Neither we nor git create links or pipes in a mirror, so each of them comes from
 * an agent.
 */

/** Not cleaned: no agent can write there (`new-objects.ts`), and it is large. */
const objects = "objects";

/**
 * Removes everything in a mirror that is neither file nor folder. Called when an agent has ended, and before the first read after a
 * crash.
 */
export async function makePlain(mirrorDir: string): Promise<void> {
  await inFolder(openFolder(mirrorDir), (folder) => makePlainBelow(folder, [objects]));
}

async function makePlainBelow(folder: OpenedFolder, leftOut: readonly string[] = []): Promise<void> {
  for (const name of await removeOdd(folder))
    if (!leftOut.includes(name)) await inFolder(openBelow(folder, name), makePlainBelow);
}

/** Like `makePlain`, for the direct content of one folder. */
export async function makePlainHere(path: string): Promise<void> {
  await inFolder(openFolder(path), async (folder) => void (await removeOdd(folder)));
}

/** Skips a folder that is missing, or is not a folder any more. */
async function inFolder(opening: Promise<OpenedFolder>, work: (folder: OpenedFolder) => Promise<void>): Promise<void> {
  const folder = await opening.catch(() => null);
  if (folder === null) return;
  try {
    await work(folder);
  } finally {
    await folder.handle.close();
  }
}

/** Removes what is neither file nor folder. Returns the names of the folders. */
async function removeOdd(folder: OpenedFolder): Promise<readonly string[]> {
  const entries = await readdir(placeIn(folder), { withFileTypes: true }).catch(() => []);
  for (const entry of entries.filter((each) => !each.isDirectory() && !each.isFile()))
    await removeIn(folder, entry.name);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/**
 * Removes anything but a folder, even when an agent has removed the permission. Does nothing when it is missing, or is a folder by now.
 */
export async function removeIn(folder: OpenedFolder, name: string): Promise<void> {
  const removing = (): Promise<void> => rm(placeIn(folder, name), { force: true }).catch(unlessFolder);
  await removing().catch(async () => {
    await folder.handle.chmod(0o700);
    await removing();
  });
}

/** Decides by the error: a second look might see something else again. */
function unlessFolder(error: unknown): void {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code !== "EISDIR" && code !== "ERR_FS_EISDIR") throw error;
}
