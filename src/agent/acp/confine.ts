import { readlink, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** A path an agent named, seen from the worktree. `real` is absolute, with every link on the way resolved. */
export interface ConfinedPath {
  /** The worktree, likewise. */
  readonly root: string;
  readonly real: string;
  readonly isInside: boolean;
  /** Relative to the worktree when inside, else `real`. */
  readonly shown: string;
}

/**
 * Resolves a path as the file system does: links and `..` are followed one after the other, and a file that does not exist yet may be. A
 * program may take `..` away before it asks the file system: what leads out by either reading is outside.
 */
export async function confine(worktree: string, path: string): Promise<ConfinedPath> {
  const root = await realpath(worktree);
  const asIs = await realPathOf(root, path);
  const isSame = !path.split(sep).includes("..");
  const taken = isSame ? asIs : await realPathOf(root, resolve(root, path));
  const real = isBelow(root, asIs) ? taken : asIs;
  const isInside = isBelow(root, real);
  return { root, real: isInside ? asIs : real, isInside, shown: isInside ? relative(root, asIs) || "." : real };
}

function isBelow(root: string, real: string): boolean {
  const from = relative(root, real);
  return from !== ".." && !from.startsWith(`..${sep}`) && !isAbsolute(from);
}

/** As Linux: more links than this on one path are a loop. */
const mostLinks = 40;

/** As `realpath`, where the end of the path may be missing. A link to a missing place counts as that place. */
async function realPathOf(from: string, path: string): Promise<string> {
  let at = isAbsolute(path) ? sep : from;
  const rest = path.split(sep).reverse();
  for (let links = 0; rest.length > 0; ) {
    const name = rest.pop() ?? "";
    if (name === "" || name === ".") continue;
    if (name === "..") {
      at = dirname(at);
      continue;
    }
    const target = await readlink(join(at, name)).catch(() => null);
    if (target === null) {
      at = join(at, name);
      continue;
    }
    links += 1;
    if (links > mostLinks) return sep; // A loop is nowhere inside.
    if (isAbsolute(target)) at = sep;
    rest.push(...target.split(sep).reverse());
  }
  return at;
}
