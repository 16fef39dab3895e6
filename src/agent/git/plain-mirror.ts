import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/**
 * Git writes through links: to a log, an index or a ref that leads elsewhere, with our rights and not with those of who laid
 * it there. And who reads a pipe waits for ever. In a mirror we and git make neither, so whatever is one comes from an agent.
 */

/** Nothing in it is written by an agent (`new-objects.ts`), and it is large. */
const objects = "objects";

/** Leaves nothing in a mirror but files and folders. For when an agent has ended, and before the first look after a crash. */
export async function makePlain(mirrorDir: string): Promise<void> {
  for (const folder of await makePlainHere(mirrorDir)) {
    if (folder !== objects) await makePlainBelow(join(mirrorDir, folder));
  }
}

async function makePlainBelow(folder: string): Promise<void> {
  for (const name of await makePlainHere(folder)) await makePlainBelow(join(folder, name));
}

/** The same for what lies in one folder, not below it; the names of its folders. A missing one has none. */
export async function makePlainHere(folder: string): Promise<readonly string[]> {
  const folders: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    if (entry.isDirectory()) folders.push(entry.name);
    else if (!entry.isFile()) await rm(join(folder, entry.name), { force: true });
  }
  return folders;
}
