import { lstat } from "node:fs/promises";
import { GitError, type GitResult } from "./git.ts";
import { type Mirror, mirrorGit, tryMirrorGit } from "./mirror.ts";
import { nameBytes, placeOf, readAsText, textOf } from "./names.ts";
import { removeRepositories } from "./nested-repositories.ts";
import { openShut } from "./shut-files.ts";

/** Hashing a large tree for the first time. */
const longestAddMs = 10 * 60_000;

/** All names in here are bytes (`nameBytes`), but those that come from outside and go there: an agent can call its folders what is no text. */

/** The files of a worktree, and the index that they are added to. */
interface FilesToAdd {
  readonly mirror: Mirror;
  readonly dir: string;
  /** What the index holds before anything is added. */
  readonly base: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Paths that are no part of the work. */
  readonly leftOut: readonly string[];
}

/** Git stopped at a file, and nothing of what lies there can be recorded: who left it can do it otherwise. */
export class WorkNotAdded extends GitError {
  /** The line in which git says at which file, and why; it may give advice before. */
  override get aboutWork(): string {
    const lines = this.stderr.split("\n").filter((line) => line.trim() !== "");
    return lines.findLast((line) => line.startsWith("fatal: ")) ?? lines.at(-1) ?? "git add did not end";
  }
}

export interface Added {
  /** What git could not add; a folder ends in "/". */
  readonly notAdded: readonly string[];
  /** Why git stopped before it had looked at every file; null when it did. */
  readonly stopped: WorkNotAdded | null;
}

const nothingLeft: Added = { notAdded: [], stopped: null };

/**
 * Adds everything that git does not ignore. What cannot be read is made readable where it is ours, and a repository without a
 * commit is made a plain folder: git adds neither, and says so only in words. Throws `GitError`.
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
  // What is ignored may have been shut, too.
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

/** Nobody writes a source that large. */
const largestKept = 100_000_000;

/**
 * The same where it only has to be kept. Files that are too large for that are left out, and everything where there is more than
 * `mostBytes` besides: runaway output would be copied onto the disk that it has filled. If git stops, files are left out that
 * `.gitattributes` says are written in another encoding, which are what it stops at. All others are added. Throws `GitError`.
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
  // Git also reads what was not changed, where it was written as late as the index.
  const paths = [...(await untracked(adding)), ...(await changed(adding)), ...(await tracked(adding))];
  const asked = ["check-attr", "-z", "--stdin", "working-tree-encoding"];
  const told = (await ask(adding, asked, [...new Set(paths)])).split("\0");
  // Path, attribute and value, one after the other.
  const encoded = told.filter(
    (path, at) => at % 3 === 0 && path !== "" && !/^(?:unspecified|unset)$/.test(told[at + 2] ?? ""),
  );
  return await addFiles({ ...adding, leftOut: [...adding.leftOut, ...encoded.slice(0, mostNamed)] });
}

/** Some files could not be added, and all others were. */
const oneByOne = 1;

/** More folders or files than that are not named to git, which then stops at the first one. */
const mostNamed = 1_000;

async function add(files: FilesToAdd, shut: readonly string[]): Promise<GitResult> {
  // At a folder that it may list and not enter it stops; at files it goes on.
  const folders = shut.filter((path) => path.endsWith("/")).slice(0, mostNamed);
  // A repository in the folder of a link is asked by `git status` what it has changed, which starts programs that its own configuration
  // names: an agent has written that.
  const links = await linksIn(files);
  // What becomes of ends of lines is said otherwise for each file.
  const safely = ["-c", "core.safecrlf=false"];
  const args = [...safely, "add", "--all", "--ignore-errors", "--pathspec-from-file=-", "--pathspec-file-nul"];
  const added = await tryAsk(files, args, pathspecs([...files.leftOut, ...folders, ...links]));
  await addLinks(files, withoutLeftOut(files, links));
  return added;
}

/** Folders that the index has as links to commits: submodules, and repositories that an agent made. */
async function linksIn(files: FilesToAdd): Promise<readonly string[]> {
  const listed = await ask(files, ["ls-files", "-z", "--stage"]);
  return listed
    .split("\0")
    .flatMap((entry) => (entry.startsWith("160000 ") ? [entry.slice(entry.indexOf("\t") + 1)] : []));
}

/** The commits at which they stand now; what is there no more is taken out. No program is started for that. */
async function addLinks(files: FilesToAdd, links: readonly string[]): Promise<void> {
  const update = (paths: readonly string[], how: readonly string[]): Promise<GitResult> =>
    tryAsk(files, ["update-index", ...how, "-z", "--stdin"], paths);
  const asTheyLie = ["--add", "--remove", "--replace"];
  if (links.length === 0 || (await update(links, asTheyLie)).type === "ok") return;
  // It stops at the first that lies behind a symbolic link, where nothing of the index is.
  for (const link of links)
    if ((await update([link], asTheyLie)).type === "failed") await update([link], ["--force-remove"]);
}

type Asked = Pick<FilesToAdd, "mirror" | "environment">;

/** Asks git with names of files as its input. Throws `GitError`. */
async function ask(
  { mirror, environment }: Asked,
  args: readonly string[],
  names: readonly string[] = [],
): Promise<string> {
  return await mirrorGit(mirror, args, { ...asBytes(names), environment });
}

/** The same where failing is an answer. */
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

/** Everything but these paths. */
function pathspecs(leftOut: readonly string[]): readonly string[] {
  return [":(top)", ...leftOut.map((path) => `:(exclude,top,literal)${path.replace(/\/$/, "")}`)];
}

/** Names from a list of git's. What is left out, and is no text, could not be said to it. */
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

/** The files that `addAll` would read, each with its bytes. */
async function sizesToAdd(files: FilesToAdd): Promise<readonly { readonly path: string; readonly bytes: number }[]> {
  const { mirror, environment, dir } = files;
  // An index that was just made takes every file for changed.
  await tryMirrorGit(mirror, ["update-index", "-q", "--refresh"], { environment, timeoutMs: longestAddMs });
  const paths = [...(await untracked(files)), ...(await changed(files))];
  return await Promise.all(
    paths.map(async (path) => {
      const found = await lstat(placeOf(dir, path)).catch(() => null);
      return { path, bytes: found?.isFile() === true ? found.size : 0 };
    }),
  );
}

/** Files that the index does not have. A repository without a commit is one entry, which ends in "/". */
async function untracked(files: FilesToAdd): Promise<readonly string[]> {
  return await listed(files, ["ls-files", "-z", "--others", "--exclude-standard"]);
}

/** Files that the index has. */
async function tracked(files: FilesToAdd): Promise<readonly string[]> {
  return await listed(files, ["ls-files", "-z", "--cached"]);
}

/** Files that the index has otherwise. */
async function changed(files: FilesToAdd): Promise<readonly string[]> {
  return await listed(files, ["diff-files", "-z", "--name-only", "--ignore-submodules=all"]);
}

/** Those that git would add, were they readable. */
async function notIgnored(files: FilesToAdd, paths: readonly string[]): Promise<readonly string[]> {
  const asked = withoutLeftOut(files, paths);
  if (asked.length === 0) return [];
  // It exits with 1 when none is ignored.
  const told = await tryAsk(files, ["check-ignore", "-z", "--stdin"], asked);
  const ignored = new Set(told.type === "ok" ? names(told.stdout) : []);
  return asked.filter((path) => !ignored.has(path));
}

function names(listed: string): readonly string[] {
  return listed.split("\0").filter((path) => path !== "");
}
