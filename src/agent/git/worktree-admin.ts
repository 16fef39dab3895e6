import { copyFile, lstat, mkdir, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Mirror, mirrorGit, tryMirrorGit } from "./mirror.ts";
import { writeRef } from "./refs.ts";
import { readSetupStamp } from "./setup-stamp.ts";
import { indexFileOf } from "./worktree-tree.ts";

/** How a worktree is tied to its mirror. An agent can untie it; here it is found, and tied again. */

/** Installed, never meant; kept between attempts beside what setup made. */
const alwaysKept = ["node_modules", ".venv"];

/** What git leaves of an unfinished operation; it would make the next agent's first `git status` a riddle. */
const unfinished = [
  "index.lock HEAD.lock config.worktree info rebase-merge rebase-apply sequencer AUTO_MERGE SQUASH_MSG",
  "MERGE_HEAD MERGE_MSG MERGE_MODE CHERRY_PICK_HEAD REVERT_HEAD BISECT_LOG BISECT_START BISECT_NAMES",
].flatMap((line) => line.split(" "));

/** The administration of a worktree inside the mirror, or null. Found by where it says the worktree is. */
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

/** As git writes it. */
const mirrorOfAdmin = "../..\n";

/** Git looks for refs where this file says, and there it writes them, whatever GIT_COMMON_DIR says: an agent can name any folder. */
async function tieToMirror(admin: string): Promise<void> {
  const file = join(admin, "commondir");
  const found = await lstat(file).catch(() => null);
  if (found?.isFile() === true && (await readFile(file, "utf8")) === mirrorOfAdmin) return;
  await rm(file, { recursive: true, force: true });
  await writeFile(file, mirrorOfAdmin);
}

/** Where git must look for a worktree, whatever its `.git` file says: an agent can point that elsewhere. */
export function inWorktree(mirror: Mirror, worktreeDir: string, admin: string): Readonly<Record<string, string>> {
  return { GIT_DIR: admin, GIT_COMMON_DIR: mirror.dir, GIT_WORK_TREE: worktreeDir };
}

/** The commit checked out in a worktree, or null when its HEAD is broken. */
export async function headCommit(mirror: Mirror, worktreeDir: string): Promise<string | null> {
  return (await commitsIn(mirror, worktreeDir, ["HEAD"]))[0] ?? null;
}

/**
 * The commits that names stand for in a worktree, by one process of git: null for a name that is broken or missing, and for all of them
 * where there is no worktree. `names` hold no line break.
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
 * Puts HEAD on `branch`, and the branch at `commit` (null: HEAD alone, on no branch), and removes what an unfinished
 * operation left. Files and index are not touched. Throws `GitError`.
 */
export async function resetHead(mirror: Mirror, admin: string, branch: string | null, commit: string): Promise<void> {
  for (const name of [...unfinished, "HEAD"]) await rm(join(admin, name), { recursive: true, force: true });
  if (branch !== null) await writeRef(mirror, `refs/heads/${branch}`, commit);
  await writeFile(join(admin, "HEAD"), branch === null ? `${commit}\n` : `ref: refs/heads/${branch}\n`);
}

/**
 * Makes the files of a worktree those of `commit`. Everything else is removed but what setup made, `node_modules`,
 * `.venv` and `keep` (names or paths, as in an ignore file). Throws `GitError`, or what the file system throws.
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
  await rm(join(admin, "index"), { recursive: true, force: true }); // It may hold flags that hide changes.
  await resetHead(mirror, admin, options.branch, commit);
  await rm(join(dir, ".git"), { recursive: true, force: true });
  await writeFile(join(dir, ".git"), `gitdir: ${admin}\n`);
  const made = (await readSetupStamp(admin))?.made ?? [];
  const kept = [...alwaysKept, ...keep, ...made.map((path) => `/${path.replaceAll(/[\\*?[\]!#]/g, "\\$&")}`)];
  // Before the files are written: a `.gitattributes` of the agent's would say how.
  await mirrorGit(mirror, ["clean", "--quiet", "-ffdx", ...kept.flatMap((pattern) => ["-e", pattern])], {
    environment,
  });
  await mirrorGit(mirror, ["reset", "--quiet", "--hard", commit], { environment });
  await mkdir(dirname(indexFileOf(mirror, dir)), { recursive: true });
  await copyFile(join(admin, "index"), indexFileOf(mirror, dir));
}
