import { createHash } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Mirror, mirrorGit, tryMirrorGit } from "./mirror.ts";
import { removeTree } from "./tree.ts";

/** Hashing a large tree for the first time. */
const longestAddMs = 10 * 60_000;

/**
 * The tree object of a worktree as it lies there: everything git does not ignore, but `.cos/` and `leftOut`, which are
 * as in `base`. Reads the files only: the agent's index and its flags play no part. Throws `GitError`.
 */
export async function worktreeTree(options: {
  readonly mirror: Mirror;
  readonly dir: string;
  readonly base: string;
  readonly leftOut?: readonly string[];
}): Promise<string> {
  const { mirror, dir, base } = options;
  const indexFile = indexFileOf(mirror, dir);
  await mkdir(dirname(indexFile), { recursive: true });
  await rm(`${indexFile}.lock`, { force: true });
  const environment = { GIT_WORK_TREE: dir, GIT_INDEX_FILE: indexFile };

  // Merging one tree into the kept index keeps what it knows of unchanged files; from nothing each file is read.
  const merged = await tryMirrorGit(mirror, ["read-tree", "-m", base], { environment });
  if (merged.type === "failed") {
    await rm(indexFile, { recursive: true, force: true });
    await mirrorGit(mirror, ["read-tree", base], { environment });
  }
  const leftOut = [".cos", ...(options.leftOut ?? [])].map(
    (path) => `:(exclude,top,literal)${path.replace(/\/$/, "")}`,
  );
  const add = ["add", "--all", "--ignore-errors", "--", ":(top)", ...leftOut];
  // A file that cannot be read is left out: the commit is what gets verified, so nothing is claimed for it.
  await tryMirrorGit(mirror, add, { environment, timeoutMs: longestAddMs });
  const nested = await nestedRepositories(mirror, base, environment);
  if (nested.length > 0) {
    for (const path of nested) await removeTree(join(dir, path, ".git"));
    await mirrorGit(mirror, ["rm", "--quiet", "-r", "--cached", "--", ...nested], { environment });
    await tryMirrorGit(mirror, add, { environment, timeoutMs: longestAddMs });
  }
  return (await mirrorGit(mirror, ["write-tree"], { environment })).trim();
}

/** Our own index of a worktree; it lives beside the agent's. */
export function indexFileOf(mirror: Pick<Mirror, "dir">, worktreeDir: string): string {
  return join(mirror.dir, "cos-index", createHash("sha256").update(worktreeDir).digest("hex").slice(0, 24));
}

/**
 * Folders that an agent made a repository of: git would record a link to a commit that nobody else has instead of the
 * files. Submodules that `base` knows are not among them.
 */
async function nestedRepositories(
  mirror: Mirror,
  base: string,
  environment: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const raw = await mirrorGit(mirror, ["diff-index", "--cached", "--raw", "-z", "--no-renames", base], { environment });
  const fields = raw.split("\0");
  const found: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [before, after] = (fields[at] ?? "").slice(1).split(" ");
    const path = fields[at + 1];
    if (after === "160000" && before !== "160000" && path !== undefined) found.push(path);
  }
  return found;
}
