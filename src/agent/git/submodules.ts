import { lstat, mkdir, mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { type GitOptions, tryGit } from "./git.ts";
import { type Mirror, tryMirrorGit } from "./mirror.ts";
import { removeTree } from "./tree.ts";
import { temporaryNames } from "../../core/housekeeping/folders.ts";

/**
 * Submodules: their files lie where goals are worked and verified, as plain files, taken from what the person's repository has of them
 * (`.git/modules`); nothing is fetched, and their URLs are never asked. Git sees nothing in such a folder, so that nothing of it is part of the work.
 * A submodule that the person's repository does not have stays empty, as it does where the repository is elsewhere.
 */

/** A submodule as a commit has it: which commit of it is wanted, and where it lies. */
interface Submodule {
  readonly path: string;
  readonly commit: string;
  /** As `.gitmodules` calls it; the path where it does not say. */
  readonly name: string;
}

/** Submodules of submodules of submodules: deeper ones stay empty. */
const deepest = 5;

/** Fills the folders of a commit's submodules below `dir`, anew each time. Never rejects for what a repository lacks. */
export async function fillSubmodules(mirror: Mirror, dir: string, commit: string): Promise<void> {
  // What a clean checkout does not have at its top names no submodule.
  if (!(await isThere(join(dir, ".gitmodules")))) return;
  const asked = (args: readonly string[]) => tryMirrorGit(mirror, args);
  const modules = await modulesOf(mirror.repositoryPath);
  if (modules !== null) await fillFrom(modules, { dir, asked, commit, depth: 1 });
}

/**
 * The paths of the submodules at a branch of a person's repository whose files it does not have: their folders stay empty. Without
 * those inside others. Never rejects.
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

interface Filling {
  readonly dir: string;
  /** Asks the repository that has `commit`. */
  readonly asked: Asked;
  readonly commit: string;
  readonly depth: number;
}

/** `modules`: the folder with the repositories of the submodules. */
async function fillFrom(modules: string, { dir, asked, commit, depth }: Filling): Promise<void> {
  for (const submodule of await submodulesAt(asked, commit)) {
    const target = await folderIn(dir, submodule.path);
    if (target === null) continue;
    await removeTree(target);
    await mkdir(target, { recursive: true });
    const gitDir = await folderIn(modules, submodule.name);
    if (gitDir === null || !(await isThere(join(gitDir, "HEAD")))) continue;
    if (!(await layFiles(gitDir, submodule.commit, target)) || depth === deepest) continue;
    const inside = (args: readonly string[]) => tryGit(args, repositoryAt(gitDir));
    await fillFrom(join(gitDir, "modules"), { dir: target, asked: inside, commit: submodule.commit, depth: depth + 1 });
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

/** How `.gitmodules` of a commit calls what lies at a path. */
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

/** The repositories of submodules that the person's repository has; null where it cannot be asked. */
async function modulesOf(repositoryPath: string): Promise<string | null> {
  const asked = ["rev-parse", "--path-format=absolute", "--git-path", "modules"];
  const told = await tryGit(asked, { cwd: repositoryPath, configuration: "person's" });
  return told.type === "ok" ? told.stdout.replace(/\n$/, "") : null;
}

/** A path below a folder, whose own parts are no links; null: it would lead elsewhere. */
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

/** Writes the files of a commit into an empty folder, with an index of our own; false where the repository does not have it. */
async function layFiles(gitDir: string, commit: string, target: string): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), temporaryNames.submodule));
  try {
    const repository = repositoryAt(gitDir);
    const environment = { ...repository.environment, GIT_INDEX_FILE: join(folder, "index"), GIT_WORK_TREE: target };
    const read = await tryGit(["read-tree", `${commit}^{commit}`], { ...repository, environment });
    if (read.type === "failed") return false;
    return (
      (await tryGit(["checkout-index", "--all", "--force"], { ...repository, cwd: target, environment })).type === "ok"
    );
  } finally {
    await removeTree(folder);
  }
}

/** A submodule's repository names its checkout in the person's: nothing is asked or done there. */
function repositoryAt(gitDir: string): GitOptions {
  return { cwd: gitDir, configuration: "person's", environment: { GIT_DIR: gitDir, GIT_WORK_TREE: gitDir } };
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}
