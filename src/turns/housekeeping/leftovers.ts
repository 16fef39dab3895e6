import { readdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { removeTree } from "../../agent/git/tree.ts";
import { folders, temporaryNames } from "../../core/housekeeping/folders.ts";
import type { Deps } from "../../deps.ts";

/**
 * Files that killed processes of the bot have left, recognised by the names that the bot gives: rooms of agents and copies for one
 * command among temporary files, new copies for the repair of a mirror, and unfinished files of git.
 */

/** No process uses such a file for longer than this. */
const longestUsedMs = 7 * 24 * 60 * 60_000;

/** No git process of the bot writes one file of objects for longer than an hour; this leaves a margin. */
const longestWrittenMs = 24 * 60 * 60_000;

const inTemporary = (name: string): boolean =>
  Object.values(temporaryNames).some((beginning) => name.startsWith(beginning));
const besideMirrors = (name: string): boolean => name.includes(".git-again-");

/** Removes these files. Files that cannot be removed, such as those of another user, stay. Never rejects. */
export async function removeLeftovers({ config, git, log }: Pick<Deps, "config" | "git" | "log">): Promise<void> {
  for (const [folder, isOurs] of [
    [tmpdir(), inTemporary],
    [join(config.dataDir, folders.mirrors), besideMirrors],
  ] as const)
    for (const name of (await readdir(folder).catch(() => [])).filter(isOurs)) {
      const path = join(folder, name);
      const found = await stat(path).catch(() => null);
      // The file system sets the time of a file by the real clock, so it is compared with the real clock too.
      if (found === null || found.uid !== process.getuid?.() || Date.now() - found.mtimeMs < longestUsedMs) continue;
      await removeTree(path).catch((error: unknown) => log.warn("prune.failed", { kind: "leftover", name, error }));
    }
  for (const gitDir of await gitDirsIn(config.dataDir))
    await git
      .removeUnfinished(gitDir, Date.now() - longestWrittenMs)
      .catch((error: unknown) => log.warn("prune.failed", { kind: "leftover", name: basename(gitDir), error }));
}

/** Packs the objects of one mirror or copy that needs it; the others wait for the next call. Never rejects. */
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

/** The git directories of all mirrors, and of all copies of remote repositories. */
async function gitDirsIn(dataDir: string): Promise<string[]> {
  const found: string[] = [];
  for (const folder of [folders.mirrors, folders.copies].map((each) => join(dataDir, each)))
    for (const name of await readdir(folder).catch(() => [])) if (name.endsWith(".git")) found.push(join(folder, name));
  return found;
}
