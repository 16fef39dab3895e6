import { randomBytes } from "node:crypto";
import { copyFile, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type GitOptions, git, tryGit } from "./git.ts";
import { findMirror, guardMirror, type Mirror, mirrorGit, openMirror, tryMirrorGit } from "./mirror.ts";
import { writtenRef } from "./ref-journal.ts";
import { writeRef } from "./refs.ts";
import { createCopy } from "./remote.ts";

/** Writes a repository of ours to one file that git can read (`git clone FILE`): the whole history, or what a goal added to it. */

/** Suffix of the file beside a bundle of a shallow repository that says where the history is cut. A bundle cannot hold that. */
export const shallowEnd = ".shallow";

const longestBundleMs = 30 * 60_000;

/**
 * Writes all refs of a mirror, with their history, to `file`. False when there is no mirror, or it has no refs. An agent can write to
 * the mirror, so its configuration is reset first. Throws `GitError` and `NoSpace`.
 * @param repositoryPath the person's repository; it need not exist
 * @param commits included too, even if no ref leads to them any more; commits the mirror does not have are left out
 */
export async function bundleMirror(
  mirrorDir: string,
  repositoryPath: string,
  { file, commits }: { readonly file: string; readonly commits: readonly string[] },
): Promise<boolean> {
  const mirror = await anyMirror(mirrorDir, repositoryPath);
  if (mirror === null) return false;
  if ((await mirrorGit(mirror, ["for-each-ref", "--count=1"])) === "") return false;
  const held = await holdUnreferenced(mirror, commits);
  try {
    await mirrorGit(mirror, ["bundle", "create", "--quiet", file, "--all"], { timeoutMs: longestBundleMs });
  } finally {
    for (const ref of held) await mirrorGit(mirror, ["update-ref", "-d", ref]);
  }
  await keepShallow(mirrorDir, file);
  return true;
}

async function keepShallow(dir: string, file: string): Promise<void> {
  const found = await stat(join(dir, "shallow")).catch(() => null);
  if (found?.isFile() === true) await copyFile(join(dir, "shallow"), `${file}${shallowEnd}`);
}

/** Maximum number of commits in one git command: they are arguments. */
const atOnce = 500;

/** Creates a temporary ref for each of these commits that no ref leads to. Returns the refs. */
async function holdUnreferenced(mirror: Mirror, commits: readonly string[]): Promise<string[]> {
  const held: string[] = [];
  const all = commits.filter((commit) => /^[0-9a-f]{40,64}$/.test(commit));
  for (let from = 0; from < all.length; from += atOnce) {
    const some = all.slice(from, from + atOnce);
    const found = await mirrorGit(mirror, ["rev-list", "--ignore-missing", ...some, "--not", "--all"]);
    const left = new Set(found.split("\n"));
    for (const commit of some.filter((each) => left.has(each))) {
      const ref = `refs/cos/backup/${commit}`;
      await mirrorGit(mirror, ["update-ref", ref, commit]);
      held.push(ref);
    }
  }
  return held;
}

async function anyMirror(mirrorDir: string, repositoryPath: string): Promise<Mirror | null> {
  const found = await findMirror(mirrorDir);
  if (found === null) return null;
  return await openMirror({ mirrorDir, repositoryPath }).catch(() => found);
}

/** Like `bundleMirror`, for a repository that no agent writes to. */
export async function bundleCopy(dir: string, file: string): Promise<boolean> {
  const refs = await tryGit(["for-each-ref", "--count=1"], inCopy(dir));
  if (refs.type === "failed" || refs.stdout === "") return false;
  await git(["bundle", "create", "--quiet", file, "--all"], { ...inCopy(dir), timeoutMs: longestBundleMs });
  await keepShallow(dir, file);
  return true;
}

/** The ref that carries a goal's recorded work from one machine's mirror to another's. */
function workRefOf(goalId: string): string {
  return `refs/cos/${goalId}/head`;
}

/**
 * Writes a goal's recorded commits that the base branch does not have to `file`, which is replaced as a whole or not at all. False when
 * the base branch has them all. Throws `GitError` and `NoSpace`.
 */
export async function bundleWork(
  mirror: Mirror,
  work: { readonly goalId: string; readonly commit: string; readonly baseBranch: string; readonly file: string },
): Promise<boolean> {
  const { goalId, commit, baseBranch, file } = work;
  const ref = workRefOf(goalId);
  await writeRef(mirror, ref, commit);
  const range = [ref, `^refs/remotes/origin/${baseBranch}`];
  if ((await mirrorGit(mirror, ["rev-list", "--count", ...range])).trim() === "0") return false;
  // Uses a temporary name: a lock file left by a killed process blocks nobody.
  const fresh = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    await mirrorGit(mirror, ["bundle", "create", "--quiet", fresh, ...range], { timeoutMs: longestBundleMs });
    await rename(fresh, file);
  } finally {
    for (const left of [fresh, `${fresh}.lock`]) await rm(left, { force: true });
  }
  return true;
}

/** Fetches the file of `bundleWork` into another mirror, whose base branch must be fetched. False when git refuses it. */
export async function unbundleWork(mirror: Mirror, goalId: string, file: string): Promise<boolean> {
  const ref = workRefOf(goalId);
  await guardMirror(mirror);
  const quietly = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"];
  const fetched = await tryMirrorGit(mirror, ["fetch", ...quietly, "--", file, `+${ref}:${ref}`], {
    timeoutMs: longestBundleMs,
  });
  if (fetched.type === "failed") return false;
  const commit = (await mirrorGit(mirror, ["rev-parse", "--verify", `${ref}^{commit}`])).trim();
  await writtenRef(mirror.dir, ref, commit);
  return true;
}

/**
 * Creates a bare repository at `dir`, which must not exist, from a file of `bundleMirror` or `bundleCopy`. Uses `FILE.shallow` when it
 * exists. Throws `GitError` and `NoSpace`.
 */
export async function unbundle(file: string, dir: string): Promise<void> {
  await createCopy(dir, (await headOf(file)).includes("@object-format=sha256") ? "sha256" : "sha1");
  const cuts = await readFile(`${file}${shallowEnd}`, "utf8").catch(() => "");
  if (cuts !== "") await writeFile(join(dir, "shallow"), cuts, { flush: true });
  const quietly = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"];
  await git(["fetch", ...quietly, "--", file, "+refs/*:refs/*"], { ...inCopy(dir), timeoutMs: longestBundleMs });
}

async function headOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(200), 0, 200, 0);
    return buffer.toString("latin1", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

function inCopy(dir: string): GitOptions {
  return { cwd: dir, environment: { GIT_DIR: dir }, configuration: "ours" };
}
