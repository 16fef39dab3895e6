import { createHash } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { addAll, type Added, addOthers } from "./add-all.ts";
import { type Mirror, mirrorGit, tryMirrorGit } from "./mirror.ts";
import { indexFolder } from "./mirror-folders.ts";
import { leaveOutNoText, mayBeNoText, nameBytes, readAsText } from "./names.ts";
import { nestedRepositories, removeRepositories, type StagedChange } from "./nested-repositories.ts";
import { pastPipes } from "./pipes.ts";
import { otherTree } from "./refs.ts";
import { putBackChanges, stillAsNoted } from "./setup-changes.ts";
import type { SetupStamp } from "./setup-stamp.ts";
import { makeReadable } from "./shut-files.ts";
import { untouchedFiles } from "./untouched-files.ts";

/** The result of `worktreeTree`. Paths in `notAdded` are as in `base`. When git was `stopped`, the tree does not hold all files. */
export interface WorktreeTree extends Added {
  /** Null when it equals the tree of `recorded`. */
  readonly tree: string | null;
  /** Files that are as in `recorded` because their names are not valid text, quoted as git does. */
  readonly unnamed: readonly string[];
}

/**
 * Returns the tree object of a worktree's files. Ignored files are left out. `.cos/` and what setup made are as in `base`. What setup
 * changed, and files whose name is not valid text, are as in `recorded`. The agent's index and its flags are not used. `recorded` is
 * our last commit, `base` may be the agent's. Throws `GitError`.
 */
export async function worktreeTree(worktree: Worktree, pipesAfterMs?: number): Promise<WorktreeTree> {
  return await pastPipes(worktree.dir, writeTree(worktree), pipesAfterMs);
}

interface Worktree {
  readonly mirror: Mirror;
  readonly dir: string;
  readonly base: string;
  readonly recorded: string;
  readonly setup?: Pick<SetupStamp, "made" | "changed">;
  /** Set when the work is only kept, not recorded: the maximum number of bytes. Files at which git stops are then left out. */
  readonly keptBytes?: number;
}

async function writeTree(options: Worktree): Promise<WorktreeTree> {
  const { mirror, dir, base, recorded, setup = { made: [], changed: [] }, keptBytes } = options;
  const indexFile = indexFileOf(mirror, dir);
  await makeReadable(dir);
  await mkdir(dirname(indexFile), { recursive: true });
  await rm(`${indexFile}.lock`, { force: true });
  const environment = { GIT_WORK_TREE: dir, GIT_INDEX_FILE: indexFile };

  // Merging a tree into the kept index keeps the data on unchanged files. Without it git reads every file.
  const merged = await tryMirrorGit(mirror, ["read-tree", "-m", base], { environment });
  if (merged.type === "failed") {
    await rm(indexFile, { recursive: true, force: true });
    await mirrorGit(mirror, ["read-tree", base], { environment });
  }
  const adding = { mirror, dir, base, environment, leftOut: [".cos", ...setup.made] };
  const bySetup = { paths: await stillAsNoted(dir, setup.changed), environment };
  const add = async (): Promise<Added> =>
    await (keptBytes === undefined ? addAll(adding) : addOthers(adding, keptBytes));
  let added = await add();
  await putBackChanges(mirror, recorded, bySetup);
  let changes = await stagedChanges(mirror, base, environment);
  const laying = { mirror, dir, commit: base, environment, folder: laidFolder(mirror, dir) };
  const settled = new Set(bySetup.paths.map(readAsText));
  const others = changes.filter(({ path }) => !settled.has(path));
  const untouched = { paths: (await untouchedFiles(laying, others)).map(nameBytes), environment };
  await putBackChanges(mirror, base, untouched);
  if (base !== recorded || untouched.paths.length > 0) changes = await stagedChanges(mirror, recorded, environment);
  if (changes.length === 0) return { tree: null, unnamed: [], ...added };
  const nested = await nestedRepositories(dir, changes);
  if (nested.length > 0) {
    for (const path of nested) await removeRepositories(join(dir, path));
    const input = nested.join("\0");
    await mirrorGit(mirror, ["update-index", "--force-remove", "-z", "--stdin"], { environment, input });
    added = await add();
    await putBackChanges(mirror, recorded, bySetup);
    await putBackChanges(mirror, base, untouched);
  }
  const mayBeUnnamed = nested.length > 0 || changes.some(({ path }) => mayBeNoText(path));
  const unnamed = mayBeUnnamed ? await leaveOutNoText(mirror, recorded, environment) : [];
  const tree = (await mirrorGit(mirror, ["write-tree"], { environment })).trim();
  return { tree: mayBeUnnamed ? await otherTree(mirror, recorded, tree) : tree, unnamed, ...added };
}

/** Path of our own index for a worktree, separate from the agent's. */
export function indexFileOf(mirror: Pick<Mirror, "dir">, worktreeDir: string): string {
  return join(mirror.dir, indexFolder, createHash("sha256").update(worktreeDir).digest("hex").slice(0, 24));
}

/** Temporary folder for files as a checkout writes them. */
export function laidFolder(mirror: Pick<Mirror, "dir">, worktreeDir: string): string {
  return `${indexFileOf(mirror, worktreeDir)}-laid`;
}

async function stagedChanges(
  mirror: Mirror,
  commit: string,
  environment: Readonly<Record<string, string>>,
): Promise<readonly StagedChange[]> {
  // Ignores settings in the agent's `.gitmodules`, which could exclude folders from the comparison.
  const asked = ["diff-index", "--cached", "--raw", "-z", "--no-renames", "--ignore-submodules=none", commit];
  const fields = (await mirrorGit(mirror, asked, { environment })).split("\0");
  const found: StagedChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [before = "", after = "", , object = ""] = (fields[at] ?? "").slice(1).split(" ");
    found.push({ before, after, object, path: fields[at + 1] ?? "" });
  }
  return found;
}
