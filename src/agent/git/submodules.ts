import { createHash } from "node:crypto";
import { lstat, mkdir, realpath } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { type GitOptions, tryGit } from "./git.ts";
import { type Mirror, tryMirrorGit } from "./mirror.ts";
import { removeTree } from "./tree.ts";
import { indexFileOf } from "./worktree-tree.ts";

/**
 * Submodules. Their files are plain files where goals are worked and verified, copied from the person's repository (`.git/modules`).
 * Nothing is fetched, and their URLs are never contacted. Git ignores these folders, so nothing in them is part of the work; changes
 * there are reported. A submodule that the person's repository does not have stays empty, also when the repository is remote.
 */

/** A submodule in a commit: its path, and the commit it is at. */
interface Submodule {
  readonly path: string;
  readonly commit: string;
  /** Its name in `.gitmodules`; the path when it has none. */
  readonly name: string;
}

/** Maximum nesting depth of submodules; deeper ones stay empty. */
const deepest = 5;

/** Fills the folders of a commit's submodules below `dir`, anew each time. Never rejects because a repository lacks something. */
export async function fillSubmodules(mirror: Mirror, dir: string, commit: string): Promise<void> {
  const indexes = submoduleIndexes(mirror, dir);
  await removeTree(indexes);
  for await (const { path, target, gitDir, commit: wanted } of submodulesBelow(mirror, dir, commit)) {
    await removeTree(target);
    await mkdir(target, { recursive: true });
    await mkdir(indexes, { recursive: true });
    if (gitDir !== null) await layFiles({ gitDir, target, index: indexIn(indexes, path) }, wanted);
  }
}

/**
 * Files in a commit's submodule folders that were changed, removed or created since `fillSubmodules`, sorted. They are not part of the
 * work. Submodules in `moved` are skipped: their new commit is part of the work. Only reads.
 */
export async function changedInSubmodules(
  { mirror, dir, commit }: { readonly mirror: Mirror; readonly dir: string; readonly commit: string },
  moved: readonly string[],
): Promise<readonly string[]> {
  const indexes = submoduleIndexes(mirror, dir);
  if (!(await isThere(indexes))) return [];
  const changed: string[] = [];
  for await (const { path, target, gitDir } of submodulesBelow(mirror, dir, commit)) {
    const index = indexIn(indexes, path);
    if (gitDir === null || !(await isThere(index)) || moved.some((each) => `${path}/`.startsWith(`${each}/`))) continue;
    changed.push(...(await changedSince({ gitDir, target, index })).map((file) => `${path}/${file}`));
  }
  return changed.sort();
}

/** Folder with the indexes of a worktree's submodules; it exists only when there are some. */
export function submoduleIndexes(mirror: Pick<Mirror, "dir">, worktreeDir: string): string {
  return `${indexFileOf(mirror, worktreeDir)}-submodules`;
}

function indexIn(folder: string, path: string): string {
  return join(folder, createHash("sha256").update(path).digest("hex").slice(0, 24));
}

/**
 * The paths of submodules at a branch whose files the person's repository does not have, so that their folders stay empty. Nested
 * submodules are not included. Never rejects.
 */
export async function missingSubmodules(repositoryPath: string, branch: string): Promise<readonly string[]> {
  const asked = (args: readonly string[]) => tryGit(args, { cwd: repositoryPath, configuration: "person's" });
  const modules = await modulesOf(repositoryPath);
  const missing: string[] = [];
  for (const { path, name } of await submodulesAt(asked, `refs/heads/${branch}`)) {
    const gitDir = modules === null ? null : await folderIn(modules, name);
    if (gitDir === null || !(await isThere(join(gitDir, "HEAD")))) missing.push(path);
  }
  return missing;
}

type Asked = (args: readonly string[]) => ReturnType<typeof tryGit>;

/** A submodule's place in a worktree. */
interface Place {
  /** Path relative to the worktree. */
  readonly path: string;
  readonly target: string;
  /** The submodule's repository; null when the person's repository does not have it. */
  readonly gitDir: string | null;
  readonly commit: string;
}

/** Yields the submodules of a commit, each before its nested ones. */
async function* submodulesBelow(mirror: Mirror, dir: string, commit: string): AsyncGenerator<Place> {
  // Without a `.gitmodules` at the top, a clean checkout has no submodules.
  if (!(await isThere(join(dir, ".gitmodules")))) return;
  const modules = await modulesOf(mirror.repositoryPath);
  if (modules === null) return;
  const asked = (args: readonly string[]) => tryMirrorGit(mirror, args);
  yield* placesFrom(modules, { dir, below: "", asked, commit, depth: 1 });
}

interface Searched {
  readonly dir: string;
  /** The path within the worktree, ending in "/". */
  readonly below: string;
  /** Runs git in the repository that has `commit`. */
  readonly asked: Asked;
  readonly commit: string;
  readonly depth: number;
}

/** `modules` is the folder with the submodules' repositories. */
async function* placesFrom(modules: string, { dir, below, asked, commit, depth }: Searched): AsyncGenerator<Place> {
  for (const submodule of await submodulesAt(asked, commit)) {
    const target = await folderIn(dir, submodule.path);
    if (target === null) continue;
    const found = await folderIn(modules, submodule.name);
    const gitDir = found !== null && (await isThere(join(found, "HEAD"))) ? found : null;
    const path = `${below}${submodule.path}`;
    yield { path, target, gitDir, commit: submodule.commit };
    if (gitDir === null || depth === deepest) continue;
    const inside = (args: readonly string[]) => tryGit(args, repositoryAt(gitDir));
    const deeper = { dir: target, below: `${path}/`, asked: inside, commit: submodule.commit, depth: depth + 1 };
    yield* placesFrom(join(gitDir, "modules"), deeper);
  }
}

async function submodulesAt(asked: Asked, commit: string): Promise<readonly Submodule[]> {
  const listed = await asked(["ls-tree", "-r", "-z", "--full-tree", commit]);
  if (listed.type === "failed") return [];
  const links = listed.stdout.split("\0").filter((line) => line.startsWith("160000 "));
  if (links.length === 0) return [];
  const names = await namesAt(asked, commit);
  return links.map((line) => {
    const path = line.slice(line.indexOf("\t") + 1);
    return { path, commit: line.split(/[ \t]/)[2] ?? "", name: names.get(path) ?? path };
  });
}

/** The names of submodules by path, from a commit's `.gitmodules`. */
async function namesAt(asked: Asked, commit: string): Promise<ReadonlyMap<string, string>> {
  const told = await asked([
    "config",
    "--blob",
    `${commit}:.gitmodules`,
    "-z",
    "--get-regexp",
    "^submodule\\..*\\.path$",
  ]);
  const names = new Map<string, string>();
  for (const entry of told.type === "ok" ? told.stdout.split("\0") : []) {
    const end = entry.indexOf("\n");
    if (end !== -1) names.set(entry.slice(end + 1), entry.slice("submodule.".length, end - ".path".length));
  }
  return names;
}

/** The folder with submodule repositories in the person's repository; null when git cannot say. */
async function modulesOf(repositoryPath: string): Promise<string | null> {
  const asked = ["rev-parse", "--path-format=absolute", "--git-path", "modules"];
  const told = await tryGit(asked, { cwd: repositoryPath, configuration: "person's" });
  return told.type === "ok" ? told.stdout.replace(/\n$/, "") : null;
}

/** Joins a path to a folder, if no part of it is a link. Null when it would lead elsewhere. */
async function folderIn(folder: string, path: string): Promise<string | null> {
  const parts = path.split("/");
  if (parts.some((part) => part === "" || part === "." || part === ".." || part.toLowerCase() === ".git")) return null;
  const top = await realpath(folder).catch(() => null);
  if (top === null) return null;
  const target = join(top, path);
  const parent = await realpath(dirname(target)).catch(() => null);
  if (parent !== null && parent !== dirname(target)) return null;
  return target.startsWith(top + sep) ? target : null;
}

interface Laid {
  readonly gitDir: string;
  readonly target: string;
  /** An index file of our own. */
  readonly index: string;
}

/** Writes the files of a commit into an empty folder. Does nothing when the repository does not have the commit. */
async function layFiles(laid: Laid, commit: string): Promise<void> {
  const options = filesOf(laid);
  const read = await tryGit(["read-tree", `${commit}^{commit}`], options);
  if (read.type === "ok") await tryGit(["checkout-index", "--all", "--force", "--index"], options);
}

/** Compares with the index only, and reads no file content, so that no filter of the person's runs. */
async function changedSince(laid: Laid): Promise<readonly string[]> {
  const options = filesOf(laid);
  const asked = [
    ["diff-files", "-z", "--name-only", "--ignore-submodules=all"],
    ["ls-files", "-z", "--others", "--exclude-standard"],
  ];
  const told = await Promise.all(asked.map((args) => tryGit(args, options)));
  const listed = told.flatMap((each) => (each.type === "ok" ? each.stdout.split("\0") : []));
  return [...new Set(listed.filter((path) => path !== ""))];
}

function filesOf({ gitDir, target, index }: Laid): GitOptions {
  const repository = repositoryAt(gitDir);
  const environment = { ...repository.environment, GIT_INDEX_FILE: index, GIT_WORK_TREE: target };
  return { ...repository, cwd: target, environment };
}

/** A submodule's repository names its checkout in the person's repository; these options override it. */
function repositoryAt(gitDir: string): GitOptions {
  return { cwd: gitDir, configuration: "person's", environment: { GIT_DIR: gitDir, GIT_WORK_TREE: gitDir } };
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}
