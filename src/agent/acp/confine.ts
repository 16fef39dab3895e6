import { readlink, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** A path that an agent named, resolved against the worktree. `real` is absolute, with every link resolved. */
export interface ConfinedPath {
  /** The worktree's own path, also absolute and with every link resolved. */
  readonly root: string;
  readonly real: string;
  readonly isInside: boolean;
  /** Relative to the worktree when the path is inside, else `real`. */
  readonly shown: string;
}

/**
 * Resolves a path as the file system does: links and `..` are followed in order, and the file need not exist. A program may also remove
 * `..` before it asks the file system. A path that leads out in either reading counts as outside.
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

/** Maximum number of links on one path, as on Linux; more are a loop. */
const mostLinks = 40;

/** Like `realpath`, but the end of the path may be missing. A link to a missing place resolves to that place. */
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
    if (links > mostLinks) return sep; // A loop resolves to the root, which is outside.
    if (isAbsolute(target)) at = sep;
    rest.push(...target.split(sep).reverse());
  }
  return at;
}
