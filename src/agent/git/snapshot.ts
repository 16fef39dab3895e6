import { copyFile, mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { readsObjectsOf } from "./alternates.ts";
import { tryGit } from "./git.ts";
import { removeTree } from "./tree.ts";
import { temporaryNames } from "../../core/housekeeping/folders.ts";

/**
 * A snapshot of a directory in a git repository, with untracked files and without ignored ones. Nothing is written to the repository:
 * index and objects are temporary files elsewhere (D25).
 */
export interface TreeSnapshot {
  /** The tree's hash; equal files give equal hashes. */
  readonly revision: string;
  /** Writes the files into an empty folder. Throws when git fails. */
  checkOut(folder: string): Promise<void>;
  /** Removes the temporary files. */
  close(): Promise<void>;
}

/** Absolute paths within a repository. */
export interface RepositoryPlaces {
  /** The top of the working tree. */
  readonly root: string;
  readonly objects: string;
  readonly index: string;
}

/** The repository that contains a directory; null outside of git. */
export async function repositoryOf(directory: string): Promise<RepositoryPlaces | null> {
  const asked = ["--show-toplevel", "--git-path", "objects", "--git-path", "index"];
  const found = await tryGit(["rev-parse", ...asked], person(directory));
  if (found.type === "failed") return null;
  const [root = "", objects = "", index = ""] = found.stdout
    .split("\n")
    .map((path) => (isAbsolute(path) ? path : join(directory, path)));
  return { root, objects, index };
}

/** Takes a snapshot. Null when git cannot read the working tree. Throws errors of the file system, and `NoSpace`. */
export async function takeSnapshot(places: RepositoryPlaces): Promise<TreeSnapshot | null> {
  const folder = await mkdtemp(join(tmpdir(), temporaryNames.snapshot));
  let snapshot: TreeSnapshot | null = null;
  try {
    snapshot = await snapshotIn(folder, places);
    return snapshot;
  } finally {
    if (snapshot === null) await removeTree(folder);
  }
}

async function snapshotIn(folder: string, { root, objects, index }: RepositoryPlaces): Promise<TreeSnapshot | null> {
  await mkdir(join(folder, "objects"));
  // The index knows which files are unchanged since it was written; without it git reads all of them.
  await copyFile(index, join(folder, "index")).catch(() => undefined);
  const environment = {
    GIT_INDEX_FILE: join(folder, "index"),
    GIT_OBJECT_DIRECTORY: join(folder, "objects"),
    ...readsObjectsOf(objects),
  };
  const added = await tryGit(["add", "--all"], { ...person(root), environment });
  const written = added.type === "ok" ? await tryGit(["write-tree"], { ...person(root), environment }) : added;
  if (written.type === "failed") return null;
  return {
    revision: written.stdout.trim(),
    async checkOut(target) {
      const prefix = target.endsWith("/") ? target : `${target}/`;
      const done = await tryGit(["checkout-index", "--all", "--force", `--prefix=${prefix}`], {
        ...person(root),
        environment,
      });
      if (done.type === "failed") throw new Error(`git checkout-index failed: ${done.stderr.trim()}`);
    },
    close: () => removeTree(folder),
  };
}

function person(root: string): { cwd: string; configuration: "person's" } {
  return { cwd: root, configuration: "person's" };
}
