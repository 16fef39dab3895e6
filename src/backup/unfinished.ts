import { chmodSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * The files beside a backup while it is written: `FILE.….partial`, and a folder `.FILE-…` that nobody can list. A process that is
 * killed leaves them behind.
 */

export const partialEnd = ".partial";
/** No backup takes this long to write. */
const leftAfterMs = 7 * 24 * 60 * 60_000;

/** Its owner can enter it, but not list it (`backup.ts`). No other folder with such a name has this mode. */
export const asideMode = 0o300;

interface Found {
  readonly path: string;
  readonly ageMs: number;
}

/** The unfinished files and folders of this process. */
const own = new Set<string>();

/** Records a path, before anything is written there, as this process's own. Returns the path. */
export function begun(path: string): string {
  own.add(path);
  return path;
}

/** Forgets a path that has been removed, or renamed to its final name. */
export function ended(path: string): void {
  own.delete(path);
}

/** Removes what killed backups left in this folder more than a week ago, whatever they were called. */
export function removeLeft(folder: string): void {
  for (const { path, ageMs } of unfinishedIn(folder)) if (ageMs > leftAfterMs) remove(path);
}

/** Removes all unfinished files of this process at once, when it is told to end. Another process may be writing a backup with the same name. */
export function removeUnfinished(): void {
  for (const path of own) remove(path);
}

function unfinishedIn(folder: string): Found[] {
  return namesIn(folder).flatMap((name) => {
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.uid !== process.getuid?.()) return [];
    const isPartial = found.isFile() && /^.+\.[0-9a-f]{8}\.partial$/.test(name);
    const isAside = found.isDirectory() && (found.mode & 0o777) === asideMode && /^\..+-[A-Za-z0-9]{6}$/.test(name);
    return isPartial || isAside ? [{ path, ageMs: Date.now() - found.mtimeMs }] : [];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function remove(path: string): void {
  try {
    if (statSync(path).isDirectory()) chmodSync(path, 0o700);
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The next backup tries again.
  }
}
