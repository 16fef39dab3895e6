import { chmodSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

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
  /** The name of the backup that it is a part of. */
  readonly of: string;
  readonly ageMs: number;
}

/** Removes what killed backups left in this folder more than a week ago, whatever they were called. */
export function removeLeft(folder: string): void {
  for (const { path, ageMs } of unfinishedIn(folder)) if (ageMs > leftAfterMs) remove(path);
}

/** Removes all unfinished files of a backup with this name at once, when its process is told to end. */
export function removeUnfinished(file: string): void {
  for (const { path, of } of unfinishedIn(dirname(file))) if (of === basename(file)) remove(path);
}

function unfinishedIn(folder: string): Found[] {
  return namesIn(folder).flatMap((name) => {
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.uid !== process.getuid?.()) return [];
    const [, partialOf] = /^(.+)\.[0-9a-f]{8}\.partial$/.exec(name) ?? [];
    const [, asideOf] = /^\.(.+)-[A-Za-z0-9]{6}$/.exec(name) ?? [];
    const isAside = found.isDirectory() && (found.mode & 0o777) === asideMode;
    const of = found.isFile() ? partialOf : isAside ? asideOf : undefined;
    return of === undefined ? [] : [{ path, of, ageMs: Date.now() - found.mtimeMs }];
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
