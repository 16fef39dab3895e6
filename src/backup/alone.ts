import { realpathSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { listenAlone } from "../db/embedded/lock-socket.ts";
import { embeddedPlaces } from "../db/embedded/places.ts";

/**
 * Runs the work unless another process of this machine does such work in the data directory, for whatever database. Returns false,
 * without running it, when another does. Creates the directory. A process that is killed releases the lock.
 */
export async function aloneIn(dataDir: string, work: () => Promise<void>): Promise<boolean> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const { socket, socketIsFile } = embeddedPlaces(realpathSync(dataDir));
  const held = await listenAlone(`${socket}-restore`, socketIsFile);
  if (held === null) return false;
  try {
    await work();
    return true;
  } finally {
    held.close();
  }
}
