import { constants } from "node:fs";
import { open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Pipes that an agent has laid where git reads files of a worktree: it would wait for somebody to write, and removes none. */

const readByGit = [".gitignore", ".gitattributes", ".gitmodules"];

/** Longer than most trees take. Who looks through one has to read all its folders. */
const lookAfterMs = 15_000;

/** What git does with the files of an agent that has ended; where it takes long, it is freed from pipes. */
export async function pastPipes<Result>(
  dir: string,
  running: Promise<Result>,
  afterMs: number = lookAfterMs,
): Promise<Result> {
  const timer = setTimeout(() => void removePipes(dir).catch(() => undefined), afterMs);
  try {
    return await running;
  } finally {
    clearTimeout(timer);
  }
}

async function removePipes(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await removePipes(path);
    else if (entry.isFIFO() && readByGit.includes(entry.name)) await removePipe(path);
  }
}

const { O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;

/** Who waits for it reads its end. */
async function removePipe(path: string): Promise<void> {
  const writing = await open(path, O_WRONLY | O_NONBLOCK | O_NOFOLLOW).catch(() => null);
  await rm(path, { force: true });
  await writing?.close();
}
