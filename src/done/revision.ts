import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type RepositoryPlaces, repositoryOf, takeSnapshot } from "../agent/git/snapshot.ts";
import { sessionFolderOf } from "./session-store.ts";

/** Files and folders that tools create or install; they are not part of the work. */
const passedOver =
  /^(?:\.git|\.hg|\.svn|node_modules|\.venv|venv|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.cache|\.tox|\.nyc_output|\.DS_Store)$/;

/** Maximum size of a file whose content is hashed. For a larger file, its size and modification time are used. */
const longestBytes = 10_000_000;

/** The place of a session: a repository, or a folder outside git. */
export interface SessionPlace {
  readonly root: string;
  readonly repository: RepositoryPlaces | null;
}

/**
 * Returns the place under which a directory's sessions are stored: its repository; outside git the nearest folder upwards that has
 * sessions, else the directory itself.
 */
export async function groundOf(dataDir: string, directory: string): Promise<SessionPlace> {
  const repository = await repositoryOf(directory);
  if (repository !== null) return { root: repository.root, repository };
  for (let folder = directory; ; folder = dirname(folder)) {
    if (existsSync(sessionFolderOf(dataDir, folder))) return { root: folder, repository };
    if (folder === dirname(folder)) return { root: directory, repository };
  }
}

/** Returns the revision of the current state of the work: the id of git's tree, or outside git a hash over all files. */
export async function revisionOf({ root, repository }: SessionPlace): Promise<string> {
  const snapshot = repository === null ? null : await takeSnapshot(repository);
  await snapshot?.close();
  return snapshot?.revision ?? (await contentHash(root));
}

/**
 * Hashes all files with their content to `files-` and 40 hex digits; the same files give the same hash. A file that cannot be read counts
 * by its name only.
 */
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
