import { open, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Flushes a file, or a folder's list of names, to disk. Rejects with the file system's error. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Like `sync`, for a folder and everything in it. */
export async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await syncTree(path);
    else if (entry.isFile()) await sync(path);
  }
  await sync(folder);
}
