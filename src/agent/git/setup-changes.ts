import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readlink, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Mirror, mirrorGit } from "./mirror.ts";
import { nameBytes, placeOf } from "./names.ts";
import type { SetupStamp } from "./setup-stamp.ts";

/**
 * How files of a worktree lie there: what setup did to those that git tracks, and whether they are still as it left them. Paths have a
 * character for each byte (names.ts): a name that is no text stays what it is.
 */

type Changed = SetupStamp["changed"];

/** Files that are longer are told apart by their length and their time. */
const longestRead = 200_000_000;

/** The tracked files of a worktree that differ from `commit`, each with how it lies there now. Throws `GitError`. */
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

/** Those of `changed` that lie in a worktree as they were noted. */
export async function stillAsNoted(worktree: string, changed: Changed): Promise<readonly string[]> {
  const same: string[] = [];
  for (const { path, state } of changed) {
    if ((await fileState(worktree, path)) === state) same.push(path);
  }
  return same;
}

/**
 * Makes an index hold `paths` as they are in `commit`: those that it does not have are taken out. Throws `GitError`.
 * By lines and not by arguments: a setup may change every file.
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

/** How a path lies in a worktree, as one line; null where it is no file of it: a folder, a pipe, or behind a link. */
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
  // Somebody may have put a link or a pipe there since.
  const opened = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return createHash("sha256")
      .update(await opened.readFile())
      .digest("hex");
  } finally {
    await opened.close();
  }
}
