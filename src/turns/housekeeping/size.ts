import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Size of the files under a folder. `isWhole` is false if the time was not enough to look at all of them. */
export interface Size {
  readonly bytes: number;
  readonly isWhole: boolean;
}

/**
 * Adds up the sizes of the files under a folder, for at most `withinMs`. Files that cannot be read count as zero. Links are not followed.
 * Never rejects.
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
