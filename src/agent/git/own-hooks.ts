import { constants } from "node:fs";
import { access, readdir, realpath } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { tryGit } from "./git.ts";
import { worktreesOf } from "./branch-holder.ts";

/**
 * True when an agent cannot have written the hooks of a person's repository: they lie in its `.git` or outside of it. Hooks among the
 * repository's own files (`core.hooksPath=.husky`, or a link to `scripts/pre-push`) may be an agent's. Its branch may be checked out in
 * any worktree, and its hooks would run as that person. False also when there are none. Rejects only with `NoSpace`.
 */
export async function hooksAreTheirs(repositoryPath: string): Promise<boolean> {
  const folder = await pathOf(repositoryPath, ["--git-path", "hooks"]);
  const gitDir = await pathOf(repositoryPath, ["--git-common-dir"]);
  const listed = await worktreesOf(repositoryPath);
  if (folder === null || gitDir === null || listed === null) return false;
  // With `core.worktree` the files may lie elsewhere than the list says. A bare repository has no files.
  const top = await pathOf(repositoryPath, ["--show-toplevel"]);
  const places = [...listed.filter(({ isBare }) => !isBare).map(({ dir }) => dir), ...(top === null ? [] : [top])];
  const worktrees = await Promise.all(places.map((dir) => realpath(dir).catch(() => dir)));
  const names = await readdir(folder).catch(() => null);
  if (names === null) return false;
  // Each hook may be a link; a broken link does not run.
  const found = [folder, ...names.map((name) => join(folder, name))].map((path) => realpath(path).catch(() => null));
  const hooks = (await Promise.all(found)).filter((path) => path !== null);
  return !hooks.some((hook) => worktrees.some((files) => isAmong(hook, files, gitDir)));
}

/** True when a person's repository has this hook and git would run it. Rejects only with `NoSpace`. */
export async function hasHook(repositoryPath: string, name: string): Promise<boolean> {
  const path = await pathOf(repositoryPath, ["--git-path", `hooks/${name}`]);
  if (path === null) return false;
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * True when a path is one of a worktree's files. Files in `.git` do not count; a worktree may itself lie in the `.git` of a bare
 * repository.
 */
function isAmong(path: string, files: string, gitDir: string): boolean {
  return isIn(path, files) && !(isIn(gitDir, files) && isIn(path, gitDir));
}

/** The real path of something in a repository; null when it does not exist. */
async function pathOf(repositoryPath: string, asked: readonly string[]): Promise<string | null> {
  const at = { cwd: repositoryPath, configuration: "person's", withHooks: true } as const;
  const told = await tryGit(["rev-parse", ...asked], at);
  if (told.type === "failed") return null;
  return await realpath(resolve(repositoryPath, told.stdout.replace(/\n$/, ""))).catch(() => null);
}

function isIn(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/**
 * The command that receives a push into a person's repository. Their hooks and rules apply; maintenance is off, because it would
 * rewrite their files.
 */
export async function receivePack(repositoryPath: string): Promise<string> {
  const hooks = (await hooksAreTheirs(repositoryPath)) ? "" : " -c core.hooksPath=/dev/null";
  return `git -c receive.autogc=false -c gc.auto=0 -c maintenance.auto=false${hooks} receive-pack`;
}
