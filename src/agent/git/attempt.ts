import { guardMirror, type Mirror, mirrorGit } from "./mirror.ts";
import { isAncestor, readRef, snapshotRefs, treeOf, writeRef } from "./refs.ts";
import { adminDir, headCommit } from "./worktree-admin.ts";
import { madeBySetup } from "./setup-stamp.ts";
import { worktreeTree } from "./worktree-tree.ts";

/**
 * The same where no attempt follows: `recorded` null, nothing was recorded, which is where its branch began then. Null: there is nothing, or
 * no worktree. Throws `GitError`.
 */
export async function keepLeft(options: {
  readonly mirror: Mirror;
  readonly worktreeDir: string;
  readonly branch: string;
  readonly recorded: string | null;
}): Promise<string | null> {
  const { mirror, worktreeDir: dir, branch } = options;
  await guardMirror(mirror);
  if ((await adminDir(mirror, dir)) === null) return null;
  const recorded = options.recorded ?? (await headCommit(mirror, dir));
  return recorded === null ? null : await keepAttempt({ mirror, dir, branch, recorded });
}

/**
 * Keeps what a worktree holds beyond the last recorded commit, uncommitted or committed, as a commit under
 * `refs/cos/<goal>/attempt-<n>`, and returns the ref's name. Null: there was nothing. Throws `GitError`.
 */
export async function keepAttempt(options: {
  readonly mirror: Mirror;
  readonly dir: string;
  readonly branch: string;
  readonly recorded: string;
}): Promise<string | null> {
  const { mirror, dir, branch, recorded } = options;
  const head = (await headCommit(mirror, dir)) ?? (await readRef(mirror, `refs/heads/${branch}`)) ?? recorded;
  const admin = await adminDir(mirror, dir);
  const setup = await madeBySetup(admin);
  const { tree } = await worktreeTree({ mirror, dir, base: recorded, recorded, setup });
  if (tree === null && (await isAncestor(mirror, head, recorded))) return null;

  const prefix = `refs/cos/${branch.slice(branch.indexOf("/") + 1)}/attempt-`;
  const numbers = Object.keys(await snapshotRefs(mirror))
    .filter((name) => name.startsWith(prefix))
    .map((name) => Number(name.slice(prefix.length)));
  const number = Math.max(0, ...numbers.filter(Number.isInteger)) + 1;
  const kept = tree ?? (await treeOf(mirror, recorded));
  const commit = await mirrorGit(mirror, ["commit-tree", kept, "-p", head, "-m", `What attempt ${number} left`]);
  await writeRef(mirror, `${prefix}${number}`, commit.trim());
  return `${prefix}${number}`;
}
