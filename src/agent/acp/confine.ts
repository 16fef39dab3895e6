import { readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** A path an agent named, seen from the worktree. `real` is absolute, with every link on the way resolved. */
export interface ConfinedPath {
  /** The worktree, likewise. */
  readonly root: string;
  readonly real: string;
  readonly isInside: boolean;
  /** Relative to the worktree when inside, else `real`. */
  readonly shown: string;
}

/** Resolves a path as the file system would: `..` and links are followed, and a file that does not exist yet may be. */
export async function confine(worktree: string, path: string): Promise<ConfinedPath> {
  const root = await realpath(worktree);
  const real = await realPathOf(resolve(worktree, path));
  const from = relative(root, real);
  const isInside = from !== ".." && !from.startsWith(`..${sep}`) && !isAbsolute(from);
  return { root, real, isInside, shown: isInside ? from || "." : real };
}

/** As Linux: more links than this on one path are a loop. */
const mostLinks = 40;

/** As `realpath`, where the end of the path may be missing. A link to a missing place counts as that place. */
async function realPathOf(path: string, links = 0): Promise<string> {
  const found = await realpath(path).catch(() => null);
  if (found !== null) return found;
  if (links > mostLinks) return sep; // A loop is nowhere inside.
  const target = await readlink(path).catch(() => null);
  if (target !== null) return realPathOf(resolve(dirname(path), target), links + 1);
  const parent = dirname(path);
  return parent === path ? path : join(await realPathOf(parent, links), basename(path));
}
