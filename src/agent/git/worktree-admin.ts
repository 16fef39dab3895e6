import { copyFile, lstat, mkdir, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Mirror, mirrorGit, tryMirrorGit } from "./mirror.ts";
import { writeRef } from "./refs.ts";
import { readSetupStamp } from "./setup-stamp.ts";
import { indexFileOf } from "./worktree-tree.ts";

/** Links a worktree to its mirror. An agent can break the link; here the worktree is found and linked again. */

/** Installed folders, never part of the work; kept between attempts with what setup made. */
const alwaysKept = ["node_modules", ".venv"];

/** Files of unfinished git operations, which would confuse the next agent's first `git status`. */
const unfinished = [
  "index.lock HEAD.lock config.worktree info rebase-merge rebase-apply sequencer AUTO_MERGE SQUASH_MSG",
  "MERGE_HEAD MERGE_MSG MERGE_MODE CHERRY_PICK_HEAD REVERT_HEAD BISECT_LOG BISECT_START BISECT_NAMES",
].flatMap((line) => line.split(" "));

/** The administrative folder of a worktree inside the mirror, found by the worktree's path in it; null when there is none. */
export async function adminDir(mirror: Pick<Mirror, "dir">, worktreeDir: string): Promise<string | null> {
  const real = await realpath(worktreeDir).catch(() => worktreeDir);
  const folder = join(mirror.dir, "worktrees");
  for (const name of await readdir(folder).catch(() => [])) {
    const gitdir = (await readFile(join(folder, name, "gitdir"), "utf8").catch(() => "")).trim();
    if (gitdir !== join(worktreeDir, ".git") && gitdir !== join(real, ".git")) continue;
    await tieToMirror(join(folder, name));
    return join(folder, name);
  }
  return null;
}

/** The content that git writes. */
const mirrorOfAdmin = "../..\n";

/** Git reads and writes refs in the folder that this file names, whatever GIT_COMMON_DIR says: an agent could name any folder. */
async function tieToMirror(admin: string): Promise<void> {
  const file = join(admin, "commondir");
  const found = await lstat(file).catch(() => null);
  if (found?.isFile() === true && (await readFile(file, "utf8")) === mirrorOfAdmin) return;
  await rm(file, { recursive: true, force: true });
  await writeFile(file, mirrorOfAdmin);
}

/** Environment for git in a worktree, which overrides its `.git` file: an agent can change that. */
export function inWorktree(mirror: Mirror, worktreeDir: string, admin: string): Readonly<Record<string, string>> {
  return { GIT_DIR: admin, GIT_COMMON_DIR: mirror.dir, GIT_WORK_TREE: worktreeDir };
}

/** The commit checked out in a worktree; null when its HEAD is broken. */
export async function headCommit(mirror: Mirror, worktreeDir: string): Promise<string | null> {
  return (await commitsIn(mirror, worktreeDir, ["HEAD"]))[0] ?? null;
}

/**
 * The commits of several names in a worktree, by one git process. Null for a broken or missing name, and for all names when there is no
 * worktree. `names` must have no line breaks.
 */
export async function commitsIn(
  mirror: Mirror,
  worktreeDir: string,
  names: readonly string[],
): Promise<readonly (string | null)[]> {
  const admin = await adminDir(mirror, worktreeDir);
  if (admin === null) return names.map(() => null);
  const environment = inWorktree(mirror, worktreeDir, admin);
  const input = names.map((name) => `${name}^{commit}\n`).join("");
  const told = await tryMirrorGit(mirror, ["cat-file", "--batch-check=%(objectname) %(objecttype)"], {
    environment,
    input,
  });
  const lines = told.type === "ok" ? told.stdout.split("\n") : [];
  return names.map((_, at) => /^([0-9a-f]{40,64}) commit$/.exec(lines[at] ?? "")?.[1] ?? null);
}

/**
 * Sets HEAD to `branch` and the branch to `commit`, and removes files of unfinished operations. With `branch` null, HEAD is detached at
 * `commit`. Does not touch files and index. Throws `GitError`.
 */
export async function resetHead(mirror: Mirror, admin: string, branch: string | null, commit: string): Promise<void> {
  for (const name of [...unfinished, "HEAD"]) await rm(join(admin, name), { recursive: true, force: true });
  if (branch !== null) await writeRef(mirror, `refs/heads/${branch}`, commit);
  await writeFile(join(admin, "HEAD"), branch === null ? `${commit}\n` : `ref: refs/heads/${branch}\n`);
}

/**
 * Resets a worktree's files to `commit`. Removes everything else, except what setup made, `node_modules`, `.venv` and `keep` (names or
 * patterns, as in an ignore file). Throws `GitError` and errors of the file system.
 */
export async function resetWorktree(options: {
  readonly mirror: Mirror;
  readonly dir: string;
  readonly admin: string;
  readonly branch: string | null;
  readonly commit: string;
  readonly keep: readonly string[];
}): Promise<void> {
  const { mirror, dir, admin, commit, keep } = options;
  const environment = inWorktree(mirror, dir, admin);
  await rm(join(admin, "index"), { recursive: true, force: true }); // The index may hold flags that hide changes.
  await resetHead(mirror, admin, options.branch, commit);
  await rm(join(dir, ".git"), { recursive: true, force: true });
  await writeFile(join(dir, ".git"), `gitdir: ${admin}\n`);
  const made = (await readSetupStamp(admin))?.made ?? [];
  const kept = [...alwaysKept, ...keep, ...made.map((path) => `/${path.replaceAll(/[\\*?[\]!#]/g, "\\$&")}`)];
  // Clean before the files are written: an agent's `.gitattributes` would affect how they are written.
  await mirrorGit(mirror, ["clean", "--quiet", "-ffdx", ...kept.flatMap((pattern) => ["-e", pattern])], {
    environment,
  });
  await mirrorGit(mirror, ["reset", "--quiet", "--hard", commit], { environment });
  await mkdir(dirname(indexFileOf(mirror, dir)), { recursive: true });
  await copyFile(join(admin, "index"), indexFileOf(mirror, dir));
}
