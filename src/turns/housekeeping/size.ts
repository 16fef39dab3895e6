import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** How much lies under some folders. `isWhole` false: there was more than could be looked at in the time. */
export interface Size {
  readonly bytes: number;
  readonly isWhole: boolean;
}

/**
 * Adds up the files under a folder for at most `withinMs`; what is gone or cannot be read counts nothing, and links are not
 * followed. Never rejects.
 */
export async function folderSize(folder: string, withinMs: number): Promise<Size> {
  const until = performance.now() + withinMs;
  const waiting = [folder];
  let bytes = 0;
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (performance.now() > until) return { bytes, isWhole: false };
    const found = await lstat(path).catch(() => null);
    if (found === null) continue;
    bytes += found.size;
    if (!found.isDirectory()) continue;
    for (const name of await readdir(path).catch(() => [])) waiting.push(join(path, name));
  }
  return { bytes, isWhole: true };
}
