import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { GitError, tryGit } from "./git.ts";
import { inGitDir } from "./mirror-folders.ts";

/**
 * Packs the objects of a mirror or a copy. Git never does it by itself here (`gc.auto`): it might drop objects on which an agent's git,
 * in a folder beside the mirror, has built. So nothing is dropped here: every object stays, reachable or not.
 */

/** Limits above which finding an object becomes slow. */
const mostLoose = 2_000;
const mostPacks = 20;

/** Time limit: nobody waits for the packing, but others wait for the process that does it. */
const longestMs = 2 * 60_000;

/** Cache: folders where packing failed, with the time. Each try begins anew, and its unfinished files stay until they are old. */
const inVain = new Map<string, number>();
const notAgainMs = 24 * 60 * 60_000;

/**
 * Packs loose objects, and merges small packs. True when it packed, false when there was too little to do. Not tried again for a day
 * after a failure. Throws `GitError`.
 */
export async function packObjects(gitDir: string): Promise<boolean> {
  if (performance.now() - (inVain.get(gitDir) ?? Number.NEGATIVE_INFINITY) < notAgainMs) return false;
  const objects = join(gitDir, "objects");
  const packs = (await namesIn(join(objects, "pack"))).filter((name) => name.endsWith(".pack"));
  if (packs.length <= mostPacks && !(await hasLoose(objects, mostLoose))) return false;
  const settings = ["-c", "pack.threads=1", "-c", "pack.windowMemory=256m", "-c", "repack.writeBitmaps=false"];
  const args = [...settings, "repack", "-q", "-d", "-l", "--geometric=2"];
  const ours = { cwd: gitDir, configuration: "ours", environment: inGitDir(gitDir), timeoutMs: longestMs } as const;
  const packed = await tryGit(args, ours);
  if (packed.type === "ok") return true;
  inVain.set(gitDir, performance.now());
  throw new GitError(["repack"], packed);
}

/** True when more than `most` objects are loose. */
async function hasLoose(objects: string, most: number): Promise<boolean> {
  let found = 0;
  for (const folder of (await namesIn(objects)).filter((name) => /^[0-9a-f]{2}$/.test(name))) {
    found += (await namesIn(join(objects, folder))).length;
    if (found > most) return true;
  }
  return false;
}

async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch(() => []);
}
