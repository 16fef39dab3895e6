import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { rename, symlink } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { isInside } from "./visible.ts";

/** Links on the way to a person's settings. Nothing can be mounted over a link, so links are restored when a room is closed. */

/** A link and its target. */
export interface Link {
  readonly path: string;
  readonly to: string;
}

/** Maximum number of links on one path; more are a loop. */
const mostLinks = 40;

/** All links on the way to a path, in order. */
export function linksOnWay(path: string): Link[] {
  const found: Link[] = [];
  let at: string = sep;
  let left = path.split(sep).filter((name) => name !== "");
  while (left.length > 0 && found.length < mostLinks) {
    const [name = "", ...rest] = left;
    left = rest;
    if (name === ".") continue;
    const next = name === ".." ? dirname(at) : join(at, name);
    const to = targetOf(next);
    if (to === null) {
      at = next;
      continue;
    }
    found.push({ path: next, to });
    left = [...to.split(sep).filter((each) => each !== ""), ...rest];
    if (isAbsolute(to)) at = sep;
  }
  return found;
}

/** Null when it is not a link, or is missing. */
function targetOf(path: string): string | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(path) : null;
  } catch {
    return null;
  }
}

/** The folders between one of `roots` and a path below it. When each is a mount, none can be moved. */
export function foldersBetween(roots: readonly string[], path: string): string[] {
  const root = roots.find((each) => path !== each && isInside(path, each));
  if (root === undefined) return [];
  const names = relative(root, dirname(path))
    .split(sep)
    .filter((name) => name !== "");
  return names.map((_, index) => join(root, ...names.slice(0, index + 1)));
}

/** The real path, with links resolved; null when it does not exist. */
export function realOf(path: string): string | null {
  return existsSync(path) ? realpathSync(path) : null;
}

/** Sets aside whatever replaced a link, and creates the link again. Safe to run concurrently with other rooms. */
export async function putBackLinks(links: readonly Link[], asideOf: (path: string) => string): Promise<void> {
  for (const { path, to } of links) {
    if (targetOf(path) === to) continue;
    await rename(path, asideOf(path)).catch(unless("ENOENT"));
    await symlink(to, path).catch(unless("EEXIST"));
  }
}

/** Returns a handler for `catch` that ignores errors with this code, and rethrows all others. */
export function unless(code: string): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (error.code !== code) throw error;
  };
}
