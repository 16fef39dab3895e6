import { lstat, mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { keepAttempt } from "./attempt.ts";
import { assertCommit, GitError } from "./git.ts";
import { guardMirror, type Mirror, mirrorGit, tryMirrorGit } from "./mirror.ts";
import { treeOf } from "./refs.ts";
import { fillSubmodules, submoduleIndexes } from "./submodules.ts";
import { removeTree } from "./tree.ts";
import { adminDir, inWorktree, resetWorktree } from "./worktree-admin.ts";
import { indexFileOf, laidFolder } from "./worktree-tree.ts";

/**
 * The worktree of one goal (D23). Each attempt starts from the last recorded commit. What an earlier attempt left is first kept under a
 * ref. Nothing an agent did to the worktree, its branch, its index or its administrative folder is trusted.
 */

/**
 * Makes `worktreeDir` a worktree of `branch` at `startCommit`, new or again. Unrecorded work of an earlier attempt is first kept as
 * `refs/cos/<goal>/attempt-<n>` (returned as `kept`). Then everything is reset and cleaned, except what setup made, `node_modules`,
 * `.venv` and `keep` (names or paths). A broken worktree is created anew, and with `isFresh` any worktree is. Safe to repeat; no
 * process of an earlier attempt may be alive. Throws `GitError`.
 */
export async function prepareWorktree(options: {
  readonly mirror: Mirror;
  readonly worktreeDir: string;
  readonly branch: string;
  readonly startCommit: string;
  readonly keep?: readonly string[];
  readonly isFresh?: boolean;
}): Promise<{ readonly kept: string | null; readonly isNew: boolean }> {
  const { mirror, worktreeDir, branch, startCommit } = options;
  assertCommit(startCommit);
  await guardMirror(mirror);
  const exists = (await lstat(worktreeDir).catch(() => null))?.isDirectory() ?? false;
  const kept = exists ? await keepAttempt({ mirror, dir: worktreeDir, branch, recorded: startCommit }) : null;
  if (options.isFresh === true) await removeWorktree({ mirror, worktreeDir });
  const isNew = await resetOrAdd({ mirror, dir: worktreeDir, branch, commit: startCommit, keep: options.keep ?? [] });
  await fillSubmodules(mirror, worktreeDir, startCommit);
  return { kept, isNew };
}

/**
 * Makes `worktreeDir` a clean checkout of `commit`, on no branch, for verification or to try a merge. Removes everything else except
 * what setup made. Throws `GitError`.
 */
export async function prepareCheckout(options: {
  readonly mirror: Mirror;
  readonly worktreeDir: string;
  readonly commit: string;
  /** Files taken from another commit, and files that must be absent (D26). */
  readonly overlay?: { readonly from: string; readonly files: readonly string[]; readonly absent: readonly string[] };
}): Promise<void> {
  const { mirror, worktreeDir, commit, overlay } = options;
  assertCommit(commit);
  await guardMirror(mirror);
  await resetOrAdd({ mirror, dir: worktreeDir, branch: null, commit, keep: [] });
  await fillSubmodules(mirror, worktreeDir, commit);
  if (overlay === undefined) return;
  for (const file of overlay.absent) await rm(join(worktreeDir, file), { recursive: true, force: true });
  if (overlay.files.length === 0) return;
  assertCommit(overlay.from);
  const admin = await adminDir(mirror, worktreeDir);
  if (admin === null) throw new Error(`${worktreeDir} is not a worktree of ${mirror.dir}`);
  const args = ["--literal-pathspecs", "checkout", overlay.from, "--pathspec-from-file=-", "--pathspec-file-nul"];
  await mirrorGit(mirror, args, {
    environment: inWorktree(mirror, worktreeDir, admin),
    input: overlay.files.join("\0"),
  });
}

/** The paths of all files in a commit. Throws `GitError`. */
export async function filesAt(mirror: Mirror, commit: string): Promise<readonly string[]> {
  assertCommit(commit);
  await guardMirror(mirror);
  const listed = await mirrorGit(mirror, ["ls-tree", "-r", "-z", "--name-only", commit]);
  return listed.split("\0").filter((path) => path !== "");
}

/** The paths of a commit's symbolic links; the text of each is its target. Throws `GitError`. */
export async function linksAt(mirror: Mirror, commit: string): Promise<readonly string[]> {
  assertCommit(commit);
  await guardMirror(mirror);
  const listed = await mirrorGit(mirror, ["ls-tree", "-r", "-z", commit]);
  return listed.split("\0").flatMap((line) => (line.startsWith("120000 ") ? [line.slice(line.indexOf("\t") + 1)] : []));
}

/** A file's text in a commit, at most its first `maxBytes`; null when there is no such file, also for a folder. */
export async function textAt(mirror: Mirror, commit: string, path: string, maxBytes = 100_000): Promise<string | null> {
  assertCommit(commit);
  await guardMirror(mirror);
  const shown = await tryMirrorGit(mirror, ["cat-file", "blob", `${commit}:${path}`], { maxBytes });
  return shown.type === "ok" ? shown.stdout : null;
}

/** Like `treeOf`, but guards the mirror first. Throws `GitError`. */
export async function committedTree(mirror: Mirror, commit: string): Promise<string> {
  assertCommit(commit);
  await guardMirror(mirror);
  return await treeOf(mirror, commit);
}

/** The text files of a commit that contain a word. Throws `GitError`. */
export async function filesNaming(mirror: Mirror, commit: string, word: string): Promise<readonly string[]> {
  assertCommit(commit);
  await guardMirror(mirror);
  const args = ["grep", "-l", "-I", "-z", "--fixed-strings", "-e", word, commit];
  const found = await tryMirrorGit(mirror, args, {});
  // Git exits with 1 when there are none.
  if (found.type === "failed" && found.exitCode !== 1) throw new GitError(args, found);
  const listed = found.type === "ok" ? found.stdout.split("\0").filter((line) => line !== "") : [];
  return listed.map((line) => line.slice(commit.length + 1));
}

/** A worktree of a mirror; its folder need not exist. */
interface Placed {
  readonly mirror: Pick<Mirror, "dir">;
  readonly worktreeDir: string;
}

/** Removes a worktree and the mirror's data on it; its branch stays. Safe to repeat. */
export async function removeWorktree(placed: Placed): Promise<void> {
  const admin = await adminDir(placed.mirror, placed.worktreeDir);
  await removeTree(placed.worktreeDir);
  await forget(placed, admin);
}

/** Removes the mirror's data on a worktree; the folder stays. Safe to repeat. */
export async function forgetWorktree(placed: Placed): Promise<void> {
  await forget(placed, await adminDir(placed.mirror, placed.worktreeDir));
}

async function forget({ mirror, worktreeDir }: Placed, admin: string | null): Promise<void> {
  if (admin !== null) await removeTree(admin);
  await rm(indexFileOf(mirror, worktreeDir), { force: true });
  await removeTree(submoduleIndexes(mirror, worktreeDir));
  await removeTree(laidFolder(mirror, worktreeDir));
}

interface Target {
  readonly mirror: Mirror;
  readonly dir: string;
  readonly branch: string | null;
  readonly commit: string;
  readonly keep: readonly string[];
}

/** Resets an existing worktree, or removes its remains and creates it. True when it was created. */
async function resetOrAdd(target: Target): Promise<boolean> {
  const { mirror, dir, commit } = target;
  const admin = await adminDir(mirror, dir);
  if (admin !== null && (await canReset(target, admin))) return false;

  await removeWorktree({ mirror, worktreeDir: dir });
  await mkdir(dirname(dir), { recursive: true });
  await mirrorGit(mirror, ["worktree", "add", "--quiet", "--force", "--detach", "--no-checkout", dir, commit]);
  const added = await adminDir(mirror, dir);
  if (added === null) throw new Error(`git added no worktree at ${dir}`);
  await resetWorktree({ ...target, admin: added });
  return true;
}

async function canReset(target: Target, admin: string): Promise<boolean> {
  const exists = (await lstat(target.dir).catch(() => null))?.isDirectory() ?? false;
  if (!exists) return false;
  try {
    await resetWorktree({ ...target, admin });
    return true;
  } catch {
    return false; // On failure, such as unreadable folders or a broken administrative folder, the worktree is created anew.
  }
}
