import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type RepositoryPlaces, repositoryOf, takeSnapshot } from "../agent/git/snapshot.ts";
import { sessionFolderOf } from "./session-store.ts";

/** What tools leave by themselves, and what is installed: no work of anybody. */
const passedOver =
  /^(?:\.git|\.hg|\.svn|node_modules|\.venv|venv|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.cache|\.tox|\.nyc_output|\.DS_Store)$/;

/** Of a longer file the size and the time of its last change stand for its content. */
const longestBytes = 10_000_000;

/** What a session is about: a repository, or outside of git a folder. */
export interface SessionPlace {
  readonly root: string;
  readonly repository: RepositoryPlaces | null;
}

/**
 * What the sessions of a directory are kept under: its repository; outside of git the nearest folder above it that has some,
 * else itself.
 */
export async function groundOf(dataDir: string, directory: string): Promise<SessionPlace> {
  const repository = await repositoryOf(directory);
  if (repository !== null) return { root: repository.root, repository };
  for (let folder = directory; ; folder = dirname(folder)) {
    if (existsSync(sessionFolderOf(dataDir, folder))) return { root: folder, repository };
    if (folder === dirname(folder)) return { root: directory, repository };
  }
}

/** What the work looks like now: git's tree of it, outside of git a hash over every file and its content. */
export async function revisionOf({ root, repository }: SessionPlace): Promise<string> {
  const snapshot = repository === null ? null : await takeSnapshot(repository);
  await snapshot?.close();
  return snapshot?.revision ?? (await contentHash(root));
}

/** The same files with the same content give the same hash, `files-` and 40 hex digits; what cannot be read counts as it is named. */
export async function contentHash(root: string): Promise<string> {
  const hash = createHash("sha256");
  await take(root, "");
  return `files-${hash.digest("hex").slice(0, 40)}`;

  async function take(folder: string, path: string): Promise<void> {
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter((each) => !passedOver.test(each)).sort()) {
      const [full, inside] = [join(folder, name), `${path}/${name}`];
      const found = await lstat(full).catch(() => null);
      if (found?.isDirectory() === true) {
        await take(full, inside);
        continue;
      }
      hash.update(`\0${inside}\0`);
      if (found?.isSymbolicLink() === true) hash.update(await readlink(full).catch(() => ""));
      else if (found?.isFile() !== true) continue;
      else if (found.size > longestBytes) hash.update(`${found.size} ${found.mtimeMs}`);
      else
        hash.update(`${found.mode & 0o111}\0`).update(
          createHash("sha256")
            .update(await readFile(full).catch(() => ""))
            .digest(),
        );
    }
  }
}
