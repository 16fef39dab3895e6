import { lstat, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { putBackPacks, removeDerived, salvage, setAsideDamaged } from "./damaged-packs.ts";
import { type GitResult, tryGit } from "./git.ts";
import { inGitDir } from "./mirror-folders.ts";
import { objectName } from "./new-objects.ts";

/**
 * Git's messages about lost or damaged objects: the power failed before the disk had them, or the disk has lost or changed them since.
 * They name the file or the object, or say that something required is missing.
 */
const isMeant = [
  /^(?:error|fatal|warning): .*(?:\bobjects\/|\.pack\b|\.idx\b|packfile|pack index|multi-pack-index|commit-graph)/m,
  /^(?:error|fatal): (?:unable to unpack|inflate: |corrupt loose object|garbage at end of|hash mismatch|object corrupt)/m,
  /^(?:error|fatal): (?:unable to read (?:tree|sha1 file|object|[0-9a-f]{8})|could not read [0-9a-f]{8}|bad (?:tree )?object |missing (?:blob|tree|commit)|invalid object |cannot read existing object)/im,
  /^(?:error|fatal): (?:.* does not point to a valid object|failed to (?:traverse parents|read object)|.* did not (?:send|receive) all necessary objects)/im,
];

/** Time limit, as for a first fetch. */
const longestMs = 10 * 60_000;

/**
 * Mirrors that were refilled without success, with the time. Reading all packs takes long, and an object that exists nowhere stays
 * missing.
 */
const inVain = new Map<string, number>();
const notAgainMs = 10 * 60_000;

interface Place {
  /** The mirror's folder. */
  readonly dir: string;
  readonly repositoryPath: string;
}

/**
 * Runs git on a mirror. When git stops at lost or damaged objects, their files are removed, everything the person's repository has is
 * copied again, and the command is repeated. Readable objects of damaged packs are kept. Objects that existed nowhere else are missing
 * afterwards, as on a machine that never had them. After a repair that did not help, none is tried for ten minutes.
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

/** False when the person's repository cannot be read; the next reader reports that. Readable objects are kept in that case. */
async function mend(place: Place): Promise<boolean> {
  const folder = await mkdtemp(`${place.dir}-again-`);
  try {
    // All at once: git adds nothing while one unreadable object file is there.
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

/** Removes object files whose content does not match their name. Follows no link. */
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
    // EIO means that the disk cannot return the data. Any other error may be temporary.
    return error instanceof Error && "code" in error && error.code === "EIO";
  }
}

/**
 * Copies all branches as one pack. A fetch would not do: it assumes that everything behind existing commits is there. Fetches and
 * bundles also stop at refs whose commits are missing.
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
