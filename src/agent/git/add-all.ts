import { lstat } from "node:fs/promises";
import { GitError, type GitResult } from "./git.ts";
import { type Mirror, mirrorGit, tryMirrorGit } from "./mirror.ts";
import { nameBytes, placeOf, readAsText, textOf } from "./names.ts";
import { removeRepositories } from "./nested-repositories.ts";
import { openShut } from "./shut-files.ts";

/** Time limit: a large tree may have to be hashed for the first time. */
const longestAddMs = 10 * 60_000;

/**
 * All names in this file are bytes (`nameBytes`), except in parameters and results of exported functions: an agent may use names that
 * are not valid text.
 */

/** The files of a worktree, and the index to which they are added. */
interface FilesToAdd {
  readonly mirror: Mirror;
  readonly dir: string;
  /** The tree that the index holds before anything is added. */
  readonly base: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Paths that are not part of the work. */
  readonly leftOut: readonly string[];
}

/** Git stopped at a file, so nothing of the worktree can be recorded. The agent that left the file can change it. */
export class WorkNotAdded extends GitError {
  /** The line in which git names the file and the reason. Advice may stand before it. */
  override get aboutWork(): string {
    const lines = this.stderr.split("\n").filter((line) => line.trim() !== "");
    return lines.findLast((line) => line.startsWith("fatal: ")) ?? lines.at(-1) ?? "git add did not end";
  }
}

export interface Added {
  /** Paths that git could not add; a folder ends in "/". */
  readonly notAdded: readonly string[];
  /** Why git stopped before it had read every file; null when it did not stop. */
  readonly stopped: WorkNotAdded | null;
}

const nothingLeft: Added = { notAdded: [], stopped: null };

/**
 * Adds everything that git does not ignore. Unreadable files of ours are made readable, and a repository without a commit is made a
 * plain folder: git adds neither, and reports that only in words. Throws `GitError`.
 */
export async function addAll(files: FilesToAdd): Promise<Added> {
  return await addFiles(inBytes(files));
}

function inBytes(files: FilesToAdd): FilesToAdd {
  return { ...files, leftOut: files.leftOut.map((path) => nameBytes(path.replace(/\/$/, ""))) };
}

async function addFiles(files: FilesToAdd): Promise<Added> {
  const first = await add(files, []);
  if (first.type === "ok" && first.stderr === "") return nothingLeft;
  const found = await openShut(files.dir);
  // Opened files may be ignored ones.
  if (found.opened.length > 0)
    await mirrorGit(files.mirror, ["read-tree", "-m", files.base], { environment: files.environment });
  const shut = await notIgnored(files, found.shut);
  const withoutCommit = (await untracked(files)).filter((path) => path.endsWith("/"));
  for (const path of withoutCommit) await removeRepositories(placeOf(files.dir, path.replace(/\/$/, "")));
  const second = await add(files, shut);
  if (second.type === "failed" && second.exitCode !== oneByOne)
    return { notAdded: [], stopped: new WorkNotAdded(["add"], second) };
  const left = [...shut, ...(await untracked(files)), ...(await changed(files))];
  return { notAdded: [...new Set(left.map(readAsText))].sort(), stopped: null };
}

/** Maximum size in bytes of one file that is kept: no source is larger. */
const largestKept = 100_000_000;

/**
 * Like `addAll`, for work that is only kept. Leaves out files that are too large. Adds nothing when the rest is more than `mostBytes`:
 * runaway output would be copied onto the disk it has filled. When git stops, adds again without files for which `.gitattributes` sets
 * another encoding, which are what git stops at. Throws `GitError`.
 */
export async function addOthers(given: FilesToAdd, mostBytes: number): Promise<Added> {
  const largest = Math.min(largestKept, mostBytes);
  const all = inBytes(given);
  const files = await sizesToAdd(all);
  const large = files.filter(({ bytes }) => bytes > largest).map(({ path }) => path);
  const restBytes = files.reduce((sum, { bytes }) => (bytes > largest ? sum : sum + bytes), 0);
  if (restBytes > mostBytes || large.length > mostNamed) return nothingLeft;
  const adding = { ...all, leftOut: [...all.leftOut, ...large] };
  const added = await addFiles(adding);
  if (added.stopped === null) return added;
  // Git also reads unchanged files that were written as late as the index.
  const paths = [...(await untracked(adding)), ...(await changed(adding)), ...(await tracked(adding))];
  const asked = ["check-attr", "-z", "--stdin", "working-tree-encoding"];
  const told = (await ask(adding, asked, [...new Set(paths)])).split("\0");
  // The output repeats path, attribute, value.
  const encoded = told.filter(
    (path, at) => at % 3 === 0 && path !== "" && !/^(?:unspecified|unset)$/.test(told[at + 2] ?? ""),
  );
  return await addFiles({ ...adding, leftOut: [...adding.leftOut, ...encoded.slice(0, mostNamed)] });
}

/** Exit code of git when some files could not be added, but all others were. */
const oneByOne = 1;

/** Maximum number of paths that are excluded by name. Beyond it git stops at the first of the others. */
const mostNamed = 1_000;

async function add(files: FilesToAdd, shut: readonly string[]): Promise<GitResult> {
  // Git stops at a folder that it may list but not enter; at unreadable files it goes on.
  const folders = shut.filter((path) => path.endsWith("/")).slice(0, mostNamed);
  // For a repository in a link's folder `git status` is run, which starts programs named in that repository's configuration. An agent
  // may have written that.
  const links = await linksIn(files);
  // Avoids a warning about line ends for each file.
  const safely = ["-c", "core.safecrlf=false"];
  const args = [...safely, "add", "--all", "--ignore-errors", "--pathspec-from-file=-", "--pathspec-file-nul"];
  const added = await tryAsk(files, args, pathspecs([...files.leftOut, ...folders, ...links]));
  await addLinks(files, withoutLeftOut(files, links));
  return added;
}

/** Folders that the index has as links to commits: submodules, and repositories that an agent created. */
async function linksIn(files: FilesToAdd): Promise<readonly string[]> {
  const listed = await ask(files, ["ls-files", "-z", "--stage"]);
  return listed
    .split("\0")
    .flatMap((entry) => (entry.startsWith("160000 ") ? [entry.slice(entry.indexOf("\t") + 1)] : []));
}

/** Updates the links to the commits that are checked out now, and removes links whose folder is gone. Starts no programs. */
async function addLinks(files: FilesToAdd, links: readonly string[]): Promise<void> {
  const update = (paths: readonly string[], how: readonly string[]): Promise<GitResult> =>
    tryAsk(files, ["update-index", ...how, "-z", "--stdin"], paths);
  const asTheyLie = ["--add", "--remove", "--replace"];
  if (links.length === 0 || (await update(links, asTheyLie)).type === "ok") return;
  // Git stops at the first link behind a symbolic link, where the index can have nothing.
  for (const link of links)
    if ((await update([link], asTheyLie)).type === "failed") await update([link], ["--force-remove"]);
}

type Asked = Pick<FilesToAdd, "mirror" | "environment">;

/** Runs git with file names as its input. Throws `GitError`. */
async function ask(
  { mirror, environment }: Asked,
  args: readonly string[],
  names: readonly string[] = [],
): Promise<string> {
  return await mirrorGit(mirror, args, { ...asBytes(names), environment });
}

/** Like `ask`, but returns a failure instead of throwing. */
async function tryAsk(
  { mirror, environment }: Asked,
  args: readonly string[],
  names: readonly string[],
): Promise<GitResult> {
  return await tryMirrorGit(mirror, args, { ...asBytes(names), environment });
}

function asBytes(names: readonly string[]): {
  readonly input: string;
  readonly encoding: "latin1";
  readonly timeoutMs: number;
} {
  return { input: names.join("\0"), encoding: "latin1", timeoutMs: longestAddMs };
}

/** Pathspecs for everything except these paths. */
function pathspecs(leftOut: readonly string[]): readonly string[] {
  return [":(top)", ...leftOut.map((path) => `:(exclude,top,literal)${path.replace(/\/$/, "")}`)];
}

/** Names from a list of git's. Left-out names that are not valid text cannot be passed to git, and are removed here. */
async function listed(files: FilesToAdd, args: readonly string[]): Promise<readonly string[]> {
  const said = files.leftOut.map(textOf).filter((path) => path !== null);
  return withoutLeftOut(files, names(await ask(files, [...args, "--", ...pathspecs(said)])));
}

function withoutLeftOut({ leftOut }: FilesToAdd, paths: readonly string[]): readonly string[] {
  const left = new Set(leftOut);
  return paths.filter((path) => {
    for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1))
      if (left.has(path.slice(0, end))) return false;
    return true;
  });
}

/** The files that `addAll` would read, with their size in bytes. */
async function sizesToAdd(files: FilesToAdd): Promise<readonly { readonly path: string; readonly bytes: number }[]> {
  const { mirror, environment, dir } = files;
  // A new index reports every file as changed until it is refreshed.
  await tryMirrorGit(mirror, ["update-index", "-q", "--refresh"], { environment, timeoutMs: longestAddMs });
  const paths = [...(await untracked(files)), ...(await changed(files))];
  return await Promise.all(
    paths.map(async (path) => {
      const found = await lstat(placeOf(dir, path)).catch(() => null);
      return { path, bytes: found?.isFile() === true ? found.size : 0 };
    }),
  );
}

/** Files that are not in the index. A repository without a commit is one entry, which ends in "/". */
async function untracked(files: FilesToAdd): Promise<readonly string[]> {
  return await listed(files, ["ls-files", "-z", "--others", "--exclude-standard"]);
}

/** Files that are in the index. */
async function tracked(files: FilesToAdd): Promise<readonly string[]> {
  return await listed(files, ["ls-files", "-z", "--cached"]);
}

/** Files that differ from the index. */
async function changed(files: FilesToAdd): Promise<readonly string[]> {
  return await listed(files, ["diff-files", "-z", "--name-only", "--ignore-submodules=all"]);
}

/** Paths that git would add if they were readable. */
async function notIgnored(files: FilesToAdd, paths: readonly string[]): Promise<readonly string[]> {
  const asked = withoutLeftOut(files, paths);
  if (asked.length === 0) return [];
  // Git exits with 1 when none is ignored.
  const told = await tryAsk(files, ["check-ignore", "-z", "--stdin"], asked);
  const ignored = new Set(told.type === "ok" ? names(told.stdout) : []);
  return asked.filter((path) => !ignored.has(path));
}

function names(listed: string): readonly string[] {
  return listed.split("\0").filter((path) => path !== "");
}
