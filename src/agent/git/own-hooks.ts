import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import { tryGit } from "./git.ts";

/**
 * Whether the hooks of a person's repository are theirs alone: they lie in its `.git` or outside of it. Those among its own files
 * (`core.hooksPath=.husky`) may be of an agent's making, since its branch may be checked out there, and would run as that person.
 * Rejects only with `NoSpace`.
 */
export async function hooksAreTheirs(repositoryPath: string): Promise<boolean> {
  const at = { cwd: repositoryPath, configuration: "person's" } as const;
  const asked = await tryGit(["rev-parse", "--git-path", "hooks", "--git-common-dir"], { ...at, withHooks: true });
  if (asked.type === "failed") return false;
  const top = await tryGit(["rev-parse", "--show-toplevel"], at);
  // A bare one has no files of its own.
  if (top.type === "failed") return true;
  const [hooks = "", gitDir = "", files = ""] = await Promise.all(
    [...asked.stdout.trim().split("\n"), top.stdout.trim()].map((path) => whole(repositoryPath, path)),
  );
  return isIn(hooks, gitDir) || !isIn(hooks, files);
}

/** Where it is; a link leads where it leads. */
async function whole(folder: string, path: string): Promise<string> {
  const place = resolve(folder, path);
  return await realpath(place).catch(() => place);
}

function isIn(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !way.startsWith("..") && !isAbsolute(way);
}
