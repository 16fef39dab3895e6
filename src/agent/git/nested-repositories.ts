import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { inFolder, removeTree } from "./tree.ts";

/** What our index of a worktree has otherwise than a commit. Modes are as git writes them; `before` is "000000" for a new file. */
export interface StagedChange {
  readonly before: string;
  readonly after: string;
  /** The name of what is recorded of it now. */
  readonly object: string;
  readonly path: string;
}

/**
 * Folders with files that an agent made a repository of: git would record a link to a commit that nobody else has instead
 * of the files, and keeps a link that the agent committed. Submodules that were recorded are not among them, nor such as
 * came with a branch of the person's: nothing lies in their folders.
 */
export async function nestedRepositories(dir: string, changes: readonly StagedChange[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { before, after, path } of changes) {
    if (after !== "160000" || before === "160000") continue;
    if ((await readdir(join(dir, path)).catch(() => [])).length > 0) found.push(path);
  }
  return found;
}

/** Makes plain folders of a repository and of every one inside it, whatever they are called. */
export async function removeRepositories(folder: string | Buffer): Promise<void> {
  await removeTree(inFolder(folder, ".git"));
  const entries = await readdir(folder, { withFileTypes: true, encoding: "buffer" }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await removeRepositories(inFolder(folder, entry.name));
}
