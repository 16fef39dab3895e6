import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { open, readdir, rename, rm } from "node:fs/promises";
import { inFolder } from "./tree.ts";

/** Pipes that an agent has laid where git reads files of a worktree: it would wait for somebody to write, and removes none. */

const readByGit = [".gitignore", ".gitattributes", ".gitmodules"];

/** Longer than most trees take. Who looks through one has to read all its folders. */
const lookAfterMs = 15_000;

/** What git does with the files of an agent that has ended; where it takes long, it is freed from pipes, as often as that long. */
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
 * Pipes are called otherwise, so that git finds none any more, and kept: it may have found one before, and wait for it only after we
 * have looked.
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

/** Who waits for it reads its end; where nobody does, it cannot be opened. */
async function endWaiting(path: Buffer): Promise<void> {
  const writing = await open(path, O_WRONLY | O_NONBLOCK | O_NOFOLLOW).catch(() => null);
  await writing?.close();
}
