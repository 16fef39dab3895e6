import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { git } from "./git.ts";
import { inGitDir } from "./mirror-folders.ts";

/**
 * Packing of a mirror or a copy. Git does it by itself nowhere here (`gc.auto`): what it drops may be what an agent's git, in a
 * folder beside the mirror, has built on. So nothing is dropped: every object that was there is there afterwards, reachable or not.
 */

/** From so many on, looking for one becomes slow. */
const mostLoose = 2_000;
const mostPacks = 20;

/** Nobody waits for it, and others wait for the process that does it; the next time goes on. */
const longestMs = 2 * 60_000;

/** Packs what lies in single files, and small packs into one. Whether there was enough of it. Throws `GitError`. */
export async function packObjects(gitDir: string): Promise<boolean> {
  const objects = join(gitDir, "objects");
  const packs = (await namesIn(join(objects, "pack"))).filter((name) => name.endsWith(".pack"));
  if (packs.length <= mostPacks && !(await hasLoose(objects, mostLoose))) return false;
  const settings = ["-c", "pack.threads=1", "-c", "pack.windowMemory=256m", "-c", "repack.writeBitmaps=false"];
  await git([...settings, "repack", "-q", "-d", "-l", "--geometric=2"], {
    cwd: gitDir,
    configuration: "ours",
    environment: inGitDir(gitDir),
    timeoutMs: longestMs,
  });
  return true;
}

/** Whether more than so many objects lie in files of their own. */
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
