import { constants } from "node:fs";
import { access, readdir, realpath } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { tryGit } from "./git.ts";
import { worktreesOf } from "./branch-holder.ts";

/**
 * Whether the hooks of a person's repository are theirs alone: they lie in its `.git` or outside of it. Those among its own files
 * (`core.hooksPath=.husky`, or a link to `scripts/pre-push`) may be of an agent's making, since its branch may be checked out there, in
 * any of its worktrees, and would run as that person. False also where there are none. Rejects only with `NoSpace`.
 */
export async function hooksAreTheirs(repositoryPath: string): Promise<boolean> {
  const folder = await pathOf(repositoryPath, ["--git-path", "hooks"]);
  const gitDir = await pathOf(repositoryPath, ["--git-common-dir"]);
  const listed = await worktreesOf(repositoryPath);
  if (folder === null || gitDir === null || listed === null) return false;
  // `core.worktree` may lay the files elsewhere than the list says; a bare one has none of its own.
  const top = await pathOf(repositoryPath, ["--show-toplevel"]);
  const places = [...listed.filter(({ isBare }) => !isBare).map(({ dir }) => dir), ...(top === null ? [] : [top])];
  const worktrees = await Promise.all(places.map((dir) => realpath(dir).catch(() => dir)));
  const names = await readdir(folder).catch(() => null);
  if (names === null) return false;
  // Each may be a link of its own; one that leads nowhere does not run.
  const found = [folder, ...names.map((name) => join(folder, name))].map((path) => realpath(path).catch(() => null));
  const hooks = (await Promise.all(found)).filter((path) => path !== null);
  return !hooks.some((hook) => worktrees.some((files) => isAmong(hook, files, gitDir)));
}

/** Whether a person's repository has such a hook, which git would run. Rejects only with `NoSpace`. */
export async function hasHook(repositoryPath: string, name: string): Promise<boolean> {
  const path = await pathOf(repositoryPath, ["--git-path", `hooks/${name}`]);
  if (path === null) return false;
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Whether a path is one of a worktree's files. Its `.git` is none of them, and a worktree may itself lie in that of a bare repository. */
function isAmong(path: string, files: string, gitDir: string): boolean {
  return isIn(path, files) && !(isIn(gitDir, files) && isIn(path, gitDir));
}

/** Where something of a repository is, with its links followed; null: there is no such thing. */
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

/** What takes a push into a person's repository: their hooks and rules, and no maintenance, which would rewrite their files. */
export async function receivePack(repositoryPath: string): Promise<string> {
  const hooks = (await hooksAreTheirs(repositoryPath)) ? "" : " -c core.hooksPath=/dev/null";
  return `git -c receive.autogc=false -c gc.auto=0 -c maintenance.auto=false${hooks} receive-pack`;
}
