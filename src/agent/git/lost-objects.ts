import { constants } from "node:fs";
import { lstat, mkdtemp, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type GitResult, tryGit } from "./git.ts";
import { inGitDir } from "./mirror-folders.ts";

/** What git says of an object whose file does not hold it: the power went away before the disk had it. */
const isMeant =
  /^(?:error: object file .+ is empty|error: unable to unpack [0-9a-f]+ header|fatal: loose object [0-9a-f]+ \(stored in .+\) is corrupt)$/m;

/** As long as a first fetch may take. */
const longestMs = 10 * 60_000;

interface Place {
  /** The mirror. */
  readonly dir: string;
  readonly repositoryPath: string;
}

/**
 * Runs git on a mirror. Where it stops at objects that the disk has lost, their files are removed, all that the person's repository
 * has is brought again, and the command is repeated. What was nowhere else is missing then, as on a machine that never had it.
 */
export async function pastLostObjects(place: Place, run: () => Promise<GitResult>): Promise<GitResult> {
  const result = await run();
  if (result.type === "ok" || !isMeant.test(result.stderr)) return result;
  // All of them at once: git brings nothing beside one that it cannot read.
  const removed = await removeLost(join(place.dir, "objects"));
  return removed > 0 && (await bringAgain(place)) ? await run() : result;
}

/** Removes files of objects that hold none; how many. No link is followed. */
async function removeLost(objects: string): Promise<number> {
  let removed = 0;
  for (const folder of await readdir(objects)) {
    const path = join(objects, folder);
    if (!/^[0-9a-f]{2}$/.test(folder) || !(await lstat(path)).isDirectory()) continue;
    for (const file of await readdir(path)) {
      if (!(await isLost(join(path, file)))) continue;
      await rm(join(path, file), { force: true });
      removed += 1;
    }
  }
  return removed;
}

/** Whether a file is shorter than any object, or does not begin as one: a disk gives back nothing, or zeros (RFC 1950, 2.2). */
async function isLost(path: string): Promise<boolean> {
  if (!(await lstat(path)).isFile()) return false;
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead < 2 || buffer.readUInt8(0) % 16 !== 8 || buffer.readUInt16BE(0) % 31 !== 0;
  } finally {
    await handle.close();
  }
}

/**
 * By a bundle: a fetch takes for granted what is behind the commits that are there, and stops at names whose commits are not. False: the
 * person's repository cannot be read, which whoever reads it next says.
 */
async function bringAgain({ dir, repositoryPath }: Place): Promise<boolean> {
  const folder = await mkdtemp(`${dir}-again-`);
  try {
    const file = join(folder, "all");
    const theirs = { cwd: repositoryPath, configuration: "person's", timeoutMs: longestMs } as const;
    const made = await tryGit(["bundle", "create", "--quiet", file, "--branches"], theirs);
    if (made.type === "failed") return false;
    const ours = { cwd: dir, configuration: "ours", environment: inGitDir(dir), timeoutMs: longestMs } as const;
    return (await tryGit(["bundle", "unbundle", file], ours)).type === "ok";
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
