import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { rename, symlink } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { isInside } from "./visible.ts";

/** Links by which a person's settings are reached. Nothing can be mounted over a link: it is put back when a room is closed. */

/** A link as it was. */
export interface Link {
  readonly path: string;
  readonly to: string;
}

/** More links than this on one way go round in a circle. */
const mostLinks = 40;

/** Every link that is passed on the way to a path, in the order in which it is met. */
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

/** Null: it is no link, or not there. */
function targetOf(path: string): string | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(path) : null;
  } catch {
    return null;
  }
}

/** The folders between one of `roots` and what lies below it: where each is a mount, none can be moved away. */
export function foldersBetween(roots: readonly string[], path: string): string[] {
  const root = roots.find((each) => path !== each && isInside(path, each));
  if (root === undefined) return [];
  const names = relative(root, dirname(path))
    .split(sep)
    .filter((name) => name !== "");
  return names.map((_, index) => join(root, ...names.slice(0, index + 1)));
}

/** What lies behind links; null: nothing. */
export function realOf(path: string): string | null {
  return existsSync(path) ? realpathSync(path) : null;
}

/** Sets aside what stands in the place of links, and lays them as they were; another room may do so, too. */
export async function putBackLinks(links: readonly Link[], asideOf: (path: string) => string): Promise<void> {
  for (const { path, to } of links) {
    if (targetOf(path) === to) continue;
    await rename(path, asideOf(path)).catch(unless("ENOENT"));
    await symlink(to, path).catch(unless("EEXIST"));
  }
}

/** For a `catch`: passes over errors of this code, and throws every other one. */
export function unless(code: string): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (error.code !== code) throw error;
  };
}
