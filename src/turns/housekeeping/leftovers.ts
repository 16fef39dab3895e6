import { readdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { removeTree } from "../../agent/git/tree.ts";
import { folders, temporaryNames } from "../../core/housekeeping/folders.ts";
import type { Deps } from "../../deps.ts";

/**
 * What processes of ours have left that were killed, by the names that we give: rooms of agents and copies for one command among
 * temporary files, what a mirror was to be mended with, and what git had half written. Nobody uses one for so long.
 */

const longestUsedMs = 7 * 24 * 60 * 60_000;

/** No git of ours writes one file of objects for longer than an hour. */
const longestWrittenMs = 24 * 60 * 60_000;

const inTemporary = (name: string): boolean =>
  Object.values(temporaryNames).some((beginning) => name.startsWith(beginning));
const besideMirrors = (name: string): boolean => name.includes(".git-again-");

/** Removes them. What cannot be removed, such as another user's, stays. Never rejects. */
export async function removeLeftovers({ config, git, log }: Pick<Deps, "config" | "git" | "log">): Promise<void> {
  for (const [folder, isOurs] of [
    [tmpdir(), inTemporary],
    [join(config.dataDir, folders.mirrors), besideMirrors],
  ] as const)
    for (const name of (await readdir(folder).catch(() => [])).filter(isOurs)) {
      const path = join(folder, name);
      const found = await stat(path).catch(() => null);
      // By the file system's own clock.
      if (found === null || found.uid !== process.getuid?.() || Date.now() - found.mtimeMs < longestUsedMs) continue;
      await removeTree(path).catch((error: unknown) => log.warn("prune.failed", { kind: "leftover", name, error }));
    }
  for (const gitDir of await gitDirsIn(config.dataDir))
    await git
      .removeUnfinished(gitDir, Date.now() - longestWrittenMs)
      .catch((error: unknown) => log.warn("prune.failed", { kind: "leftover", name: basename(gitDir), error }));
}

/** Packs objects of mirrors and copies, one of them a time: others wait for it. Never rejects. */
export async function packOne({ config, git, log }: Pick<Deps, "config" | "git" | "log">): Promise<void> {
  for (const gitDir of await gitDirsIn(config.dataDir)) {
    const name = basename(gitDir);
    try {
      if (!(await git.packObjects(gitDir))) continue;
      return log.info("prune.packed", { name });
    } catch (error) {
      log.warn("prune.failed", { kind: "objects", name, error });
    }
  }
}

/** Mirrors, and copies of repositories elsewhere. */
async function gitDirsIn(dataDir: string): Promise<string[]> {
  const found: string[] = [];
  for (const folder of [folders.mirrors, folders.copies].map((each) => join(dataDir, each)))
    for (const name of await readdir(folder).catch(() => [])) if (name.endsWith(".git")) found.push(join(folder, name));
  return found;
}
