import { createHash } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Mirror, mirrorGit, tryMirrorGit } from "./mirror.ts";
import { indexFolder } from "./mirror-folders.ts";
import { leaveOutNoText, mayBeNoText } from "./names.ts";
import { pastPipes } from "./pipes.ts";
import { otherTree } from "./refs.ts";
import { removeTree } from "./tree.ts";

/** Hashing a large tree for the first time. */
const longestAddMs = 10 * 60_000;

export interface WorktreeTree {
  /** Null: as in `recorded`. */
  readonly tree: string | null;
  /** Which files are as in `recorded` for their names, as git quotes them. */
  readonly unnamed: readonly string[];
}

/**
 * The tree object of a worktree as it lies there: everything git does not ignore, but `.cos/` and `leftOut`, which are
 * as in `base`, and files whose name is no text, which are as in `recorded`. Reads the files only: the agent's index and
 * its flags play no part. `recorded` is the last commit of ours, where `base` may be the agent's. Throws `GitError`.
 */
export async function worktreeTree(worktree: Worktree, pipesAfterMs?: number): Promise<WorktreeTree> {
  return await pastPipes(worktree.dir, writeTree(worktree), pipesAfterMs);
}

interface Worktree {
  readonly mirror: Mirror;
  readonly dir: string;
  readonly base: string;
  readonly recorded: string;
  readonly leftOut?: readonly string[];
}

async function writeTree(options: Worktree): Promise<WorktreeTree> {
  const { mirror, dir, base, recorded } = options;
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
  const changes = await stagedChanges(mirror, recorded, environment);
  if (changes.length === 0) return { tree: null, unnamed: [] };
  const nested = await nestedRepositories(dir, changes);
  if (nested.length > 0) {
    for (const path of nested) await removeRepositories(join(dir, path));
    const input = nested.join("\0");
    await mirrorGit(mirror, ["update-index", "--force-remove", "-z", "--stdin"], { environment, input });
    await tryMirrorGit(mirror, add, { environment, timeoutMs: longestAddMs });
  }
  const mayBeUnnamed = nested.length > 0 || changes.some(({ path }) => mayBeNoText(path));
  const unnamed = mayBeUnnamed ? await leaveOutNoText(mirror, recorded, environment) : [];
  const tree = (await mirrorGit(mirror, ["write-tree"], { environment })).trim();
  return { tree: mayBeUnnamed ? await otherTree(mirror, recorded, tree) : tree, unnamed };
}

/** Our own index of a worktree; it lives beside the agent's. */
export function indexFileOf(mirror: Pick<Mirror, "dir">, worktreeDir: string): string {
  return join(mirror.dir, indexFolder, createHash("sha256").update(worktreeDir).digest("hex").slice(0, 24));
}

/** What our index of a worktree has otherwise than `recorded`. Modes are as git writes them; `before` is "000000" for a new file. */
interface StagedChange {
  readonly before: string;
  readonly after: string;
  readonly path: string;
}

async function stagedChanges(
  mirror: Mirror,
  recorded: string,
  environment: Readonly<Record<string, string>>,
): Promise<readonly StagedChange[]> {
  // A file of the agent's, `.gitmodules`, could say that folders are not compared.
  const asked = ["diff-index", "--cached", "--raw", "-z", "--no-renames", "--ignore-submodules=none", recorded];
  const fields = (await mirrorGit(mirror, asked, { environment })).split("\0");
  const found: StagedChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [before = "", after = ""] = (fields[at] ?? "").slice(1).split(" ");
    found.push({ before, after, path: fields[at + 1] ?? "" });
  }
  return found;
}

/**
 * Folders with files that an agent made a repository of: git would record a link to a commit that nobody else has instead
 * of the files, and keeps a link that the agent committed. Submodules that were recorded are not among them, nor such as
 * came with a branch of the person's: nothing lies in their folders.
 */
async function nestedRepositories(dir: string, changes: readonly StagedChange[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { before, after, path } of changes) {
    if (after !== "160000" || before === "160000") continue;
    if ((await readdir(join(dir, path)).catch(() => [])).length > 0) found.push(path);
  }
  return found;
}

/** Makes plain folders of a repository and of every one inside it. */
async function removeRepositories(folder: string): Promise<void> {
  await removeTree(join(folder, ".git"));
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => []))
    if (entry.isDirectory()) await removeRepositories(join(folder, entry.name));
}
