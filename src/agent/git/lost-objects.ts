import { lstat, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { putBackPacks, removeDerived, salvage, setAsideDamaged } from "./damaged-packs.ts";
import { type GitResult, tryGit } from "./git.ts";
import { inGitDir } from "./mirror-folders.ts";
import { objectName } from "./new-objects.ts";

/**
 * What git says where objects are not what they were: the power went away before the disk had them, or the disk has lost or changed
 * them since. It names the file, or the object, or says that something which has to be there is not.
 */
const isMeant = [
  /^(?:error|fatal|warning): .*(?:\bobjects\/|\.pack\b|\.idx\b|packfile|pack index|multi-pack-index|commit-graph)/m,
  /^(?:error|fatal): (?:unable to unpack|inflate: |corrupt loose object|garbage at end of|hash mismatch|object corrupt)/m,
  /^(?:error|fatal): (?:unable to read (?:tree|sha1 file|object|[0-9a-f]{8})|could not read [0-9a-f]{8}|bad (?:tree )?object |missing (?:blob|tree|commit)|invalid object |cannot read existing object)/im,
  /^(?:error|fatal): (?:.* does not point to a valid object|failed to (?:traverse parents|read object)|.* did not (?:send|receive) all necessary objects)/im,
];

/** As long as a first fetch may take. */
const longestMs = 10 * 60_000;

/** Mirrors that were filled for nothing, and when: reading all packs takes long, and what is nowhere is missing for good. */
const inVain = new Map<string, number>();
const notAgainMs = 10 * 60_000;

interface Place {
  /** The mirror. */
  readonly dir: string;
  readonly repositoryPath: string;
}

/**
 * Runs git on a mirror. Where it stops at objects that are lost or damaged, their files are removed, all that the person's repository
 * has is brought again, and the command is repeated. What can be read of a damaged pack stays; what was nowhere else is missing then,
 * as on a machine that never had it, and nothing is filled again for it for ten minutes.
 */
export async function pastLostObjects(place: Place, run: () => Promise<GitResult>): Promise<GitResult> {
  const result = await run();
  if (result.type === "ok" || !isMeant.some((words) => words.test(result.stderr))) return result;
  if (performance.now() - (inVain.get(place.dir) ?? Number.NEGATIVE_INFINITY) < notAgainMs) return result;
  if (!(await mend(place))) return result;
  const again = await run();
  if (again.type === "failed") inVain.set(place.dir, performance.now());
  return again;
}

/** False: the person's repository cannot be read, which whoever reads it next says; nothing that could be read is lost then. */
async function mend(place: Place): Promise<boolean> {
  const folder = await mkdtemp(`${place.dir}-again-`);
  try {
    // All of them at once: git brings nothing beside one that it cannot read.
    await removeLost(join(place.dir, "objects"));
    await removeDerived(place.dir);
    const packs = await setAsideDamaged(place.dir, folder, longestMs);
    const isBrought = await bringAgain(place, folder);
    if (isBrought) await salvage(place.dir, packs, longestMs);
    else await putBackPacks(place.dir, packs);
    return isBrought;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes files of objects that do not hold what their names say. No link is followed. */
async function removeLost(objects: string): Promise<void> {
  for (const folder of await readdir(objects)) {
    const path = join(objects, folder);
    if (!/^[0-9a-f]{2}$/.test(folder) || !(await lstat(path)).isDirectory()) continue;
    for (const file of await readdir(path)) {
      if (await isLost(join(path, file), `${folder}${file}`)) await rm(join(path, file), { force: true });
    }
  }
}

async function isLost(path: string, name: string): Promise<boolean> {
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(name)) return false;
  const found = await lstat(path).catch(() => null);
  if (found?.isFile() !== true) return false;
  try {
    return (await objectName(path, name.length === 40 ? "sha1" : "sha256", Number.POSITIVE_INFINITY)) !== name;
  } catch (error) {
    // The disk does not give it back at all. Whatever else keeps us from reading it may pass.
    return error instanceof Error && "code" in error && error.code === "EIO";
  }
}

/**
 * As a pack of all branches: a fetch takes for granted what is behind the commits that are there, and it and bundles stop at names whose
 * commits are not.
 */
async function bringAgain({ dir, repositoryPath }: Place, folder: string): Promise<boolean> {
  const theirs = { cwd: repositoryPath, configuration: "person's", timeoutMs: longestMs } as const;
  const heads = await tryGit(["for-each-ref", "--format=%(objectname)", "refs/heads"], theirs);
  if (heads.type === "failed") return false;
  const made = await tryGit(["pack-objects", "--revs", "-q", join(folder, "all")], { ...theirs, input: heads.stdout });
  if (made.type === "failed") return false;
  const inputFile = join(folder, `all-${made.stdout.trim()}.pack`);
  const ours = { cwd: dir, configuration: "ours", environment: inGitDir(dir), timeoutMs: longestMs } as const;
  return (await tryGit(["index-pack", "--stdin"], { ...ours, inputFile })).type === "ok";
}
