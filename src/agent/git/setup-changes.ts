import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readlink, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Mirror, mirrorGit } from "./mirror.ts";
import { nameBytes, placeOf } from "./names.ts";
import type { SetupStamp } from "./setup-stamp.ts";

/**
 * Finds tracked files that setup changed, and whether they are still as setup left them. Paths have one character for each byte
 * (names.ts), so that a name that is not valid text is unchanged.
 */

type Changed = SetupStamp["changed"];

/** Maximum size in bytes of a file that is hashed. Larger files are compared by size and time. */
const longestRead = 200_000_000;

/** The tracked files of a worktree that differ from `commit`, each with its current state. Throws `GitError`. */
export async function changedFrom(
  mirror: Mirror,
  commit: string,
  { worktree, environment }: { readonly worktree: string; readonly environment: Readonly<Record<string, string>> },
): Promise<Changed> {
  const asked = ["diff-index", "-z", "--name-only", "--no-renames", "--ignore-submodules=all", commit];
  const paths = (await mirrorGit(mirror, asked, { environment, encoding: "latin1" })).split("\0");
  const changed: { path: string; state: string }[] = [];
  for (const path of paths) {
    if (path === "" || path === ".cos" || path.startsWith(".cos/")) continue;
    const state = await fileState(worktree, path);
    if (state !== null) changed.push({ path, state });
  }
  return changed;
}

/** The paths of `changed` that are still in their recorded state. */
export async function stillAsNoted(worktree: string, changed: Changed): Promise<readonly string[]> {
  const same: string[] = [];
  for (const { path, state } of changed) {
    if ((await fileState(worktree, path)) === state) same.push(path);
  }
  return same;
}

/**
 * Resets `paths` in an index to their state in `commit`; paths that the commit does not have are removed. Throws `GitError`. Paths are
 * passed as input, not as arguments: setup may change every file.
 */
export async function putBackChanges(
  mirror: Mirror,
  commit: string,
  { paths, environment }: { readonly paths: readonly string[]; readonly environment: Readonly<Record<string, string>> },
): Promise<void> {
  if (paths.length === 0) return;
  const left = new Set(paths);
  const listed = await mirrorGit(mirror, ["ls-tree", "-r", "-z", "--full-tree", commit], { encoding: "latin1" });
  const lines = listed.split("\0").filter((line) => left.delete(line.slice(line.indexOf("\t") + 1)));
  const gone = [...left].map((path) => `0 ${"0".repeat(commit.length)}\t${path}`);
  const input = [...lines, ...gone].map((line) => `${line}\0`).join("");
  const asked = ["update-index", "--replace", "-z", "--index-info"];
  await mirrorGit(mirror, asked, { environment, input, encoding: "latin1" });
}

/** The state of a path in a worktree, as one line. Null when it is not a file of the worktree: a folder, a pipe, or behind a link. */
export async function fileState(worktree: string, path: string): Promise<string | null> {
  const file = placeOf(worktree, path);
  try {
    const folder = dirname(path);
    const lies = await realpath(placeOf(worktree, folder), { encoding: "latin1" });
    if (lies !== join(nameBytes(await realpath(worktree)), folder)) return null;
    const found = await lstat(file);
    if (found.isSymbolicLink()) return `link ${await readlink(file, { encoding: "latin1" })}`;
    if (!found.isFile()) return null;
    const mode = (found.mode & 0o100) === 0 ? "file" : "program";
    if (found.size > longestRead) return `${mode} ${found.size} ${found.mtimeMs}`;
    return `${mode} ${await hashOf(file)}`;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT" ? "none" : null;
  }
}

async function hashOf(file: Buffer): Promise<string> {
  // The file may have been replaced by a link or a pipe meanwhile.
  const opened = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return createHash("sha256")
      .update(await opened.readFile())
      .digest("hex");
  } finally {
    await opened.close();
  }
}
