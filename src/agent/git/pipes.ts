import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { open, readdir, rename, rm } from "node:fs/promises";
import { inFolder } from "./tree.ts";

/**
 * Named pipes that an agent may leave at paths git reads in a worktree. Git would wait forever for a writer, and does not remove them.
 */

const readByGit = [".gitignore", ".gitattributes", ".gitmodules"];

/** Longer than git needs for most trees. The search itself has to read all folders. */
const lookAfterMs = 15_000;

/**
 * Waits for a git command on an agent's files. When it takes long, pipes that block it are removed, again after each further `afterMs`.
 * The agent must have ended.
 */
export async function pastPipes<Result>(
  dir: string,
  running: Promise<Result>,
  afterMs: number = lookAfterMs,
): Promise<Result> {
  const moved: Buffer[] = [];
  let [looking, isLooking] = [Promise.resolve(), false];
  const look = async (): Promise<void> => {
    isLooking = true;
    await free(dir, moved).catch(() => undefined);
    isLooking = false;
  };
  const timer = setInterval(() => {
    if (!isLooking) looking = look();
  }, afterMs);
  try {
    return await running;
  } finally {
    clearInterval(timer);
    await looking;
    for (const path of moved) await rm(path, { force: true });
  }
}

/**
 * Renames pipes, so that git finds no more of them, and keeps them for later calls: git may have found one before, and open it only
 * after this search.
 */
async function free(dir: string, moved: Buffer[]): Promise<void> {
  await movePipes(dir, moved);
  for (const path of moved) await endWaiting(path);
}

async function movePipes(folder: string | Buffer, moved: Buffer[]): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, encoding: "buffer" }).catch(() => []);
  for (const entry of entries) {
    const path = inFolder(folder, entry.name);
    if (entry.isDirectory()) await movePipes(path, moved);
    else if (entry.isFIFO() && readByGit.includes(entry.name.toString())) {
      const away = Buffer.concat([path, Buffer.from(`-${randomBytes(8).toString("hex")}`)]);
      await rename(path, away);
      moved.push(away);
    }
  }
}

const { O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;

/** Ends a reader that waits for the pipe. Opening fails when nobody waits. */
async function endWaiting(path: Buffer): Promise<void> {
  const writing = await open(path, O_WRONLY | O_NONBLOCK | O_NOFOLLOW).catch(() => null);
  await writing?.close();
}
