import { changedFiles } from "./diff.ts";
import { guardMirror, type Mirror, mirrorGit, tryMirrorGit } from "./mirror.ts";
import { isAncestor, readRef, snapshotRefs, treeOf, writeRef } from "./refs.ts";
import { adminDir, headCommit } from "./worktree-admin.ts";
import { madeBySetup } from "./setup-stamp.ts";
import { worktreeTree } from "./worktree-tree.ts";

/**
 * Like `keepAttempt`, when no attempt follows. When `recorded` is null, nothing was recorded, and the worktree's HEAD counts as
 * recorded. Null when nothing was left, or there is no worktree. Throws `GitError`.
 */
export async function keepLeft(options: {
  readonly mirror: Mirror;
  readonly worktreeDir: string;
  readonly branch: string;
  readonly recorded: string | null;
  /** Maximum number of bytes, by the room on the disk. */
  readonly mostBytes: number;
}): Promise<string | null> {
  const { mirror, worktreeDir: dir, branch, mostBytes } = options;
  await guardMirror(mirror);
  if ((await adminDir(mirror, dir)) === null) return null;
  const recorded = options.recorded ?? (await headCommit(mirror, dir));
  return recorded === null ? null : await keepAttempt({ mirror, dir, branch, recorded, mostBytes });
}

/** The work an attempt left beyond the last recorded commit. */
export interface LeftWork {
  /** The commit that holds it; the last recorded commit when nothing was left. */
  readonly commit: string;
  readonly files: readonly string[];
}

/** Keeps work of an attempt that is not to be recorded, and returns it. No process of the attempt may be alive. Throws `GitError`. */
export async function leftWork(options: {
  readonly mirror: Mirror;
  readonly worktreeDir: string;
  readonly branch: string;
  readonly recorded: string;
}): Promise<LeftWork> {
  const { mirror, worktreeDir: dir, branch, recorded } = options;
  await guardMirror(mirror);
  const ref = await keepAttempt({ mirror, dir, branch, recorded });
  const commit = ref === null ? null : await readRef(mirror, ref);
  if (commit === null) return { commit: recorded, files: [] };
  return { commit, files: (await changedFiles(mirror, recorded, commit)).map(({ path }) => path) };
}

/** Maximum number of bytes kept of one attempt: more is output, not work. */
const mostKept = 1_000_000_000;

/**
 * Keeps the worktree's state beyond the last recorded commit, committed or not, as a commit under `refs/cos/<goal>/attempt-<n>`.
 * Returns the ref's name, or null when there was nothing. Safe to repeat: a state that the newest ref already holds is not kept again.
 * Files that are too large are left out (`addOthers`). Throws `GitError`.
 */
export async function keepAttempt(options: {
  readonly mirror: Mirror;
  readonly dir: string;
  readonly branch: string;
  readonly recorded: string;
  readonly mostBytes?: number;
}): Promise<string | null> {
  const { mirror, dir, branch, recorded, mostBytes = mostKept } = options;
  const head = (await headCommit(mirror, dir)) ?? (await readRef(mirror, `refs/heads/${branch}`)) ?? recorded;
  const admin = await adminDir(mirror, dir);
  const setup = await madeBySetup(admin);
  const { tree } = await worktreeTree({
    mirror,
    dir,
    base: recorded,
    recorded,
    setup,
    keptBytes: Math.min(mostBytes, mostKept),
  });
  if (tree === null && (await isAncestor(mirror, head, recorded))) return null;

  const prefix = `refs/cos/${branch.slice(branch.indexOf("/") + 1)}/attempt-`;
  const numbers = Object.keys(await snapshotRefs(mirror))
    .filter((name) => name.startsWith(prefix))
    .map((name) => Number(name.slice(prefix.length)));
  const last = Math.max(0, ...numbers.filter(Number.isInteger));
  const kept = tree ?? (await treeOf(mirror, recorded));
  if (last > 0 && (await holds(mirror, `${prefix}${last}`, { tree: kept, parent: head }))) return `${prefix}${last}`;
  const number = last + 1;
  const commit = await mirrorGit(mirror, ["commit-tree", kept, "-p", head, "-m", `What attempt ${number} left`]);
  await writeRef(mirror, `${prefix}${number}`, commit.trim());
  return `${prefix}${number}`;
}

async function holds(
  mirror: Mirror,
  ref: string,
  { tree, parent }: { readonly tree: string; readonly parent: string },
): Promise<boolean> {
  const shown = await tryMirrorGit(mirror, ["show", "--no-patch", "--format=%T %P", ref], {});
  return shown.type === "ok" && shown.stdout.trim() === `${tree} ${parent}`;
}
