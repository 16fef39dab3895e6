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
 * Files that lie in a worktree as a checkout lays them and that git records otherwise all the same: their attributes say of line
 * ends, `$Id$` or an encoding what they were not committed with. Nobody has changed them.
 */

/** Longer ones are the work where git says so. */
const longestRead = 200_000_000;

interface ChangedWorktree {
  readonly mirror: Mirror;
  readonly dir: string;
  /** What `changes` were found against. */
  readonly commit: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Of our own; it is there only while this is asked. */
  readonly folder: string;
}

/**
 * Those of `changes` that are none. None are where attributes are changed, too: then it may be the work to record files by them; and none where git
 * cannot lay them. Throws `GitError`.
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

/** Whether a file was there before and is recorded with other bytes than lie there: only then it can be as it was checked out. */
async function isConverted(mirror: Mirror, dir: string, change: StagedChange): Promise<boolean> {
  if (change.before !== change.after || !change.after.startsWith("100")) return false;
  const file = join(dir, change.path);
  const opened = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  // Its name may be no text.
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
