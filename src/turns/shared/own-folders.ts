import { existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Mirror } from "../../agent/git/mirror.ts";
import { DiskLost } from "../../core/space/disk-lost.ts";
import { spaceWordsOf } from "../../core/space/no-space.ts";
import type { Deps } from "../../deps.ts";
import { worktreesDir } from "../../paths.ts";

/** What is done in folders of ours that may go away under it. */

interface Used {
  readonly mirror: Mirror;
  /** It is in the mirror, as far as was recorded. */
  readonly commit: string;
}

/**
 * Runs `work` in worktrees of a mirror. Where it throws or comes to "failed", and the mirror, its refs or the folder of worktrees are not those
 * that they were, or the mirror has lost the commit, that says nothing of the work: throws `DiskLost`. No space stays what it is.
 */
export async function onOwnDisk<Result extends { readonly type: string }>(
  { config, git }: Pick<Deps, "config" | "git">,
  { mirror, commit }: Used,
  work: () => Promise<Result>,
): Promise<Result> {
  // A mirror that lost its content is laid out anew: what says so is the folder of its refs.
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

/** Tells a folder from another one at the same place; null: there is none. */
function identityOf(folder: string): string | null {
  try {
    const { dev, ino, birthtimeMs } = statSync(folder);
    return `${dev} ${ino} ${birthtimeMs}`;
  } catch {
    return null;
  }
}

/** Makes a folder with those above it; one that is there, as nearly always, costs a look. */
export function ensureFolder(folder: string): void {
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
}
