import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { isSecretPath } from "../../core/permissions/secret-files.ts";
import { confine } from "./confine.ts";

/** Maximum number of folders that are searched. Beyond it the answer is "not inside". */
const mostFolders = 20_000;

interface Search {
  readonly worktree: string;
  foldersLeft: number;
}

/**
 * True when no name that a shell would substitute for one of these patterns leads out of the worktree by a link. `patterns` are
 * relative to `from`, a folder in the worktree.
 */
export async function arePatternsInside(worktree: string, from: string, patterns: readonly string[]): Promise<boolean> {
  const search = { worktree, foldersLeft: mostFolders };
  for (const pattern of patterns) {
    if (!(await staysInside(search, resolve(worktree, from), pattern.split("/")))) return false;
  }
  return true;
}

/** True when no link that could match the pattern leads out, whatever the names are. */
async function staysInside(search: Search, folder: string, [part, ...rest]: readonly string[]): Promise<boolean> {
  if (part === undefined) return true;
  if (!/[*?[]/.test(part)) return staysInside(search, join(folder, part), rest);
  for (const entry of await entriesOf(search, folder)) {
    if (entry.name.startsWith(".") && !part.startsWith(".")) continue;
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink() && !(await confine(search.worktree, path)).isInside) return false;
    if (!entry.isFile() && rest.length > 0 && !(await staysInside(search, path, rest))) return false;
  }
  return search.foldersLeft > 0;
}

/**
 * True when a command that gets arbitrary file names of the worktree and splits them at blanks (xargs) reads nothing outside. No link
 * may lead out, and no part of a name may be an option or a path that leads out.
 */
export async function areAllNamesInside(worktree: string): Promise<boolean> {
  const search = { worktree, foldersLeft: mostFolders };
  const folders = [worktree];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await entriesOf(search, folder)) {
      const path = join(folder, entry.name);
      if (isOdd(relative(worktree, path))) return false;
      if (entry.isSymbolicLink() && !(await confine(worktree, path)).isInside) return false;
      if (entry.isDirectory()) folders.push(path);
    }
  }
  return search.foldersLeft > 0;
}

function isOdd(path: string): boolean {
  if (/["'\\]/.test(path) || path.startsWith("-")) return true;
  const [, ...parts] = path.split(/\s/);
  return parts.some((part) => /^[-/]/.test(part) || part.split("/").includes(".."));
}

/** Folders of packages: what is called like a secret there was published. */
const published: ReadonlySet<string> = new Set(["node_modules", "site-packages", ".git"]);

/** Files with a name for secrets, and links to them, below `from` and relative to it (`PermissionFacts`). None when that is outside. */
export async function secretsBelow(worktree: string, from: string): Promise<string[]> {
  const search = { worktree, foldersLeft: mostFolders };
  const top = resolve(worktree, from);
  if (!(await confine(worktree, from)).isInside) return [];
  const [secrets, links]: [string[], { path: string; to: string }[]] = [[], []];
  const folders = [top];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    // Any name may be in a folder that is not looked through.
    if (search.foldersLeft <= 0)
      secrets.push(...[".env", "server.pem"].map((name) => relative(top, join(folder, name))));
    for (const entry of await entriesOf(search, folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!published.has(entry.name)) folders.push(path);
      } else if (isSecretPath(relative(worktree, path))) secrets.push(relative(top, path));
      else if (entry.isSymbolicLink()) {
        const { root, real } = await confine(worktree, path);
        links.push({ path: relative(top, path), to: relative(resolve(root, from), real) });
      }
    }
  }
  return [...secrets, ...links.flatMap(({ path, to }) => behindLink(path, to, secrets))];
}

function behindLink(path: string, to: string, secrets: readonly string[]): string[] {
  if (isSecretPath(to)) return [path];
  const below = to === "" ? "" : `${to}/`;
  return secrets.flatMap((secret) => (secret.startsWith(below) ? [`${path}/${secret.slice(below.length)}`] : []));
}

/** Empty for a missing folder, and when the limit is reached. */
async function entriesOf(search: Search, folder: string): Promise<Dirent[]> {
  if (search.foldersLeft <= 0) return [];
  search.foldersLeft -= 1;
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}
