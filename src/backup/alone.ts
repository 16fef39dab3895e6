import { realpathSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { placesOf } from "../db/embedded/places.ts";

/**
 * Does the work while nobody else of this machine does such work in the data directory, whichever database theirs is for; false: somebody
 * does, and nothing was done. Makes the directory. A process that is killed lets go.
 */
export async function aloneIn(dataDir: string, work: () => Promise<void>): Promise<boolean> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const { socket, socketIsFile } = placesOf(realpathSync(dataDir));
  const held = await listenAt(`${socket}-restore`, socketIsFile);
  if (held === null) return false;
  try {
    await work();
    return true;
  } finally {
    held.close();
  }
}

/** Listening is the lock. Null: somebody listens there. */
async function listenAt(socket: string, isFile: boolean): Promise<Server | null> {
  const server = createServer();
  const isTaken = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(true));
    server.listen(socket, () => resolve(false));
  });
  if (!isTaken) return server;
  if (!isFile || (await answers(socket))) return null;
  // Left by one that was killed.
  rmSync(socket, { force: true });
  return await listenAt(socket, false);
}

async function answers(socket: string): Promise<boolean> {
  return await new Promise((resolve) => {
    const probe = connect(socket, () => {
      probe.destroy();
      resolve(true);
    });
    probe.once("error", () => resolve(false));
  });
}
