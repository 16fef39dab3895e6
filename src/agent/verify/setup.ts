import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { guardMirror, type Mirror, mirrorGit } from "../git/mirror.ts";
import { isLockFile } from "../git/proposals.ts";
import { changedFrom, stillAsNoted } from "../git/setup-changes.ts";
import { readSetupStamp, type SetupStamp, writeSetupStamp } from "../git/setup-stamp.ts";
import { runShell, type ShellOptions, type ShellResult } from "../process/shell.ts";
import { adminDir, headCommit, inWorktree } from "../git/worktree-admin.ts";

export type Setup =
  /** Setup succeeded before with the same command and lock files, and what it made is still there. */
  | { readonly type: "satisfied" }
  | { readonly type: "done"; readonly shell: ShellResult }
  | { readonly type: "failed"; readonly shell: ShellResult };

/**
 * Runs the setup command in a worktree, unless it has succeeded there with the same lock files (D25). Records the untracked paths that
 * it made, which stay between attempts and are never committed. Also records the tracked files that it changed, which are not part of
 * the work; if one of them has changed again, setup runs again. `shell` is as for `runShell`.
 */
export async function runSetup(options: {
  readonly mirror: Mirror;
  readonly worktree: string;
  readonly shell: Omit<ShellOptions, "cwd" | "command"> & { readonly command: string };
}): Promise<Setup> {
  const { mirror, worktree } = options;
  const { command } = options.shell;
  await guardMirror(mirror);
  const admin = await adminDir(mirror, worktree);
  if (admin === null) throw new Error(`${worktree} is not a worktree of ${mirror.dir}`);
  const environment = inWorktree(mirror, worktree, admin);

  const lockHash = await hashLockFiles(mirror, worktree, environment);
  const before = await untracked(mirror, environment);
  const stamp = await readSetupStamp(admin);
  const isThere = stamp !== null && (await isAsLeft(worktree, stamp, before));
  if (isThere && stamp?.command === command && stamp.lockHash === lockHash) return { type: "satisfied" };

  const head = await headCommit(mirror, worktree);
  const differing = async (): Promise<SetupStamp["changed"]> =>
    head === null ? [] : await changedFrom(mirror, head, { worktree, environment });
  // Existing changes are work, except those that an earlier setup left.
  const work = without(await differing(), stamp?.changed ?? []);
  const shell = await runShell({ ...options.shell, cwd: worktree });
  if (shell.end.type !== "exited" || shell.end.exitCode !== 0) return { type: "failed", shell };
  await guardMirror(mirror); // An install may have configured git, for example hooks.
  const made = [...(await untracked(mirror, environment))].filter(
    (path) => !before.has(path) || stamp?.made.includes(path),
  );
  const changed = without(await differing(), work);
  await writeSetupStamp(admin, { command, lockHash, made, changed });
  return { type: "done", shell };
}

/** The files of `changed` that are not in `others` with the same state. */
function without(changed: SetupStamp["changed"], others: SetupStamp["changed"]): SetupStamp["changed"] {
  const known = new Map(others.map(({ path, state }) => [path, state]));
  return changed.filter(({ path, state }) => known.get(path) !== state);
}

/** True when everything that setup made and changed is still as it was left. */
async function isAsLeft(
  worktree: string,
  { made, changed }: SetupStamp,
  untrackedPaths: ReadonlySet<string>,
): Promise<boolean> {
  if (!made.every((path) => untrackedPaths.has(path))) return false;
  return (await stillAsNoted(worktree, changed)).length === changed.length;
}

const longestLockFile = 200_000_000;

/** Hashes the content of all lock files and manifests that git does not ignore, in any folder. */
async function hashLockFiles(
  mirror: Mirror,
  worktree: string,
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const listed = await mirrorGit(mirror, ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    environment,
  });
  const hash = createHash("sha256");
  const top = await realpath(worktree);
  for (const path of [...new Set(listed.split("\0"))].sort()) {
    if (!isLockFile(path)) continue;
    hash.update(`${path}\0`).update(await readInside(top, path));
  }
  return hash.digest("hex");
}

/**
 * Reads a file of a worktree, also through a link inside it. Empty for anything else: an agent may have left a pipe, or a link to the
 * outside. A file that is too large gives its size.
 */
async function readInside(top: string, path: string): Promise<string | Buffer> {
  try {
    const real = await realpath(join(top, path));
    if (!real.startsWith(top + sep)) return "";
    const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = await file.stat();
      return found.isFile() && found.size <= longestLockFile ? await file.readFile() : `${found.size}`;
    } finally {
      await file.close();
    }
  } catch {
    return "";
  }
}

/** Untracked paths, ignored or not, except `.cos/`. A whole folder is one entry that ends in "/". */
async function untracked(mirror: Mirror, environment: Readonly<Record<string, string>>): Promise<ReadonlySet<string>> {
  const listed = await mirrorGit(mirror, ["ls-files", "-z", "--others", "--directory"], { environment });
  return new Set(listed.split("\0").filter((path) => path !== "" && path !== ".cos/"));
}
