import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { removeTree } from "./tree.ts";

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

/** Makes plain folders of a repository and of every one inside it. */
export async function removeRepositories(folder: string): Promise<void> {
  await removeTree(join(folder, ".git"));
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => []))
    if (entry.isDirectory()) await removeRepositories(join(folder, entry.name));
}
