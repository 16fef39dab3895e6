import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Mirror, mirrorGit, tryMirrorGit } from "./mirror.ts";
import { nameBytes } from "./names.ts";
import type { StagedChange } from "./nested-repositories.ts";
import { fileState } from "./setup-changes.ts";
import { removeTree } from "./tree.ts";

/**
 * Finds files that are exactly as a checkout writes them, but that git would record with other bytes: their attributes set line ends,
 * `$Id$` or an encoding with which they were not committed. Nobody has changed them.
 */

/** Maximum size in bytes; a larger file counts as work when git says so. */
const longestRead = 200_000_000;

interface ChangedWorktree {
  readonly mirror: Mirror;
  readonly dir: string;
  /** The commit with which `changes` were computed. */
  readonly commit: string;
  readonly environment: Readonly<Record<string, string>>;
  /** A temporary folder of ours. */
  readonly folder: string;
}

/**
 * Returns the paths of `changes` that nobody has changed. Empty when a `.gitattributes` changed too, because recording files by it may
 * be the work; also empty when git cannot write the files. Throws `GitError`.
 */
export async function untouchedFiles(
  { mirror, dir, commit, environment, folder }: ChangedWorktree,
  changes: readonly StagedChange[],
): Promise<readonly string[]> {
  if (changes.some(({ path }) => basename(path) === ".gitattributes")) return [];
  const asked: string[] = [];
  for (const change of changes) if (await isConverted(mirror, dir, change)) asked.push(change.path);
  if (asked.length === 0) return [];
  await removeTree(folder);
  await mkdir(folder);
  try {
    const laid = { environment: { ...environment, GIT_INDEX_FILE: join(folder, "index") } };
    const files = join(folder, "files");
    await mirrorGit(mirror, ["read-tree", commit], laid);
    const lay = ["checkout-index", "--quiet", "-z", "--stdin", `--prefix=${files}/`];
    const input = asked.map((path) => `${path}\0`).join("");
    if ((await tryMirrorGit(mirror, lay, { ...laid, input })).type === "failed") return [];
    const untouched: string[] = [];
    for (const path of asked) {
      const bytes = nameBytes(path);
      if ((await fileState(dir, bytes)) === (await fileState(files, bytes))) untouched.push(path);
    }
    return untouched;
  } finally {
    await removeTree(folder);
  }
}

/** True when an existing file would be recorded with other bytes than it has. Only such a file can be as it was checked out. */
async function isConverted(mirror: Mirror, dir: string, change: StagedChange): Promise<boolean> {
  if (change.before !== change.after || !change.after.startsWith("100")) return false;
  const file = join(dir, change.path);
  const opened = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  // The name may not be valid text.
  if (opened === null) return false;
  try {
    const { size } = await opened.stat();
    if (size > longestRead) return false;
    const blob = createHash(mirror.objectFormat).update(`blob ${size}\0`);
    return blob.update(await opened.readFile()).digest("hex") !== change.object;
  } finally {
    await opened.close();
  }
}
