import { existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Mirror } from "../../agent/git/mirror.ts";
import { DiskLost } from "../../core/space/disk-lost.ts";
import { spaceWordsOf } from "../../core/space/no-space.ts";
import type { Deps } from "../../deps.ts";
import { worktreesDir } from "../../paths.ts";

/** Work in folders of ours, which may disappear while it runs. */

interface Used {
  readonly mirror: Mirror;
  /** A commit that is recorded as being in the mirror. */
  readonly commit: string;
}

/**
 * Runs `work` in worktrees of a mirror. If it throws or results in "failed", and the mirror, its refs or the folder of worktrees was replaced
 * or removed, or the mirror has lost the commit, then the work is not the cause: throws `DiskLost`. Errors about missing space are thrown
 * unchanged.
 */
export async function onOwnDisk<Result extends { readonly type: string }>(
  { config, git }: Pick<Deps, "config" | "git">,
  { mirror, commit }: Used,
  work: () => Promise<Result>,
): Promise<Result> {
  // A mirror that lost its content is created again in the same folder. Then its folder of refs is another one.
  const folders = [mirror.dir, join(mirror.dir, "refs"), worktreesDir(config.dataDir)];
  const before = folders.map(identityOf);
  const assertThere = async (cause?: unknown): Promise<void> => {
    const now = folders.map(identityOf);
    const isSame = before.every((each, index) => each === null || each === now[index]);
    if (isSame && (await git.hasCommit(mirror, commit))) return;
    throw new DiskLost("the folders in which it was worked went away", { cause });
  };
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    if (spaceWordsOf(error) === null) await assertThere(error);
    throw error;
  }
  if (result.type === "failed") await assertThere();
  return result;
}

/** Returns a text that differs between two folders at the same path. Null when there is no folder. */
function identityOf(folder: string): string | null {
  try {
    const { dev, ino, birthtimeMs } = statSync(folder);
    return `${dev} ${ino} ${birthtimeMs}`;
  } catch {
    return null;
  }
}

/** Creates a folder and its parents, unless it exists. */
export function ensureFolder(folder: string): void {
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
}
