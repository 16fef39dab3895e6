import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { inFolder, removeTree } from "./tree.ts";

/** A difference between our index of a worktree and a commit. Modes are as git writes them; `before` is "000000" for a new file. */
export interface StagedChange {
  readonly before: string;
  readonly after: string;
  /** The object id that is recorded now. */
  readonly object: string;
  readonly path: string;
}

/**
 * Returns folders with files that an agent turned into a repository. Git would record a link to a commit that nobody else has, instead
 * of the files, and keeps a link that the agent committed. Not included: submodules that were recorded before, and those from a branch
 * of the person's, whose folders are empty.
 */
export async function nestedRepositories(dir: string, changes: readonly StagedChange[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { before, after, path } of changes) {
    if (after !== "160000" || before === "160000") continue;
    if ((await readdir(join(dir, path)).catch(() => [])).length > 0) found.push(path);
  }
  return found;
}

/** Turns a repository, and every repository inside it, into plain folders, whatever their names are. */
export async function removeRepositories(folder: string | Buffer): Promise<void> {
  await removeTree(inFolder(folder, ".git"));
  const entries = await readdir(folder, { withFileTypes: true, encoding: "buffer" }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await removeRepositories(inFolder(folder, entry.name));
}
