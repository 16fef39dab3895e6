import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder and those above it, unless they are there. Node's own way never comes back from a file system that lets
 * nobody make one and answers ENOENT, as /proc and autofs do. Throws what `mkdir` says. Safe twice, and at once.
 */
export function makeFolder(path: string, mode: number): void {
  if (isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
