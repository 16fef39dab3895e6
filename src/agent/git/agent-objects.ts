import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rmdir, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { roomsDirOf } from "../../core/housekeeping/folders.ts";
import { openAlong, placeIn } from "../process/opened-folders.ts";
import { type GitResult, tryGit } from "./git.ts";
import { layNewObjects, removeHalfWritten, takeNewObjects } from "./new-objects.ts";
import { inGitDir } from "./mirror-folders.ts";
import { removeIn } from "./plain-mirror.ts";
import { lastWritten } from "./ref-journal.ts";
import { removeTree } from "./tree.ts";

/**
 * Where agents' git keeps what it makes (`new-objects.ts`): a folder of each room beside the mirror, which no agent sees. Refs are the
 * mirror's at once, so one may name a commit that lies in such a folder still, while its agent works or after it was killed.
 */

/** After so long nothing works in a room any more. */
const longestRoomMs = 7 * 24 * 60 * 60_000;

/** A room's folder of objects, with its run in its name. What was left a week ago is taken and removed. */
export async function layObjectsOf(mirrorDir: string, runId: string): Promise<string> {
  const before = Date.now() - longestRoomMs;
  await takeFrom(mirrorDir, async (folder) => (await stat(folder)).mtimeMs < before);
  await removeHalfWritten(mirrorDir, before);
  const folder = await makeRoomFolder(mirrorDir, runId);
  await layNewObjects(folder);
  return folder;
}

/** Whoever takes the last room's objects removes what held them, in this very moment perhaps. */
async function makeRoomFolder(mirrorDir: string, runId: string, tries = 10): Promise<string> {
  await mkdir(roomsDirOf(mirrorDir), { recursive: true, mode: 0o700 });
  try {
    return await mkdtemp(join(roomsDirOf(mirrorDir), `${runId}-`));
  } catch (error) {
    if (tries === 0 || existsSync(roomsDirOf(mirrorDir))) throw error;
    return await makeRoomFolder(mirrorDir, runId, tries - 1);
  }
}

/**
 * Brings what a room's git has made into the mirror, and removes its folder. Nothing may run there any more. What fails leaves the
 * folder to the next turn of its run.
 */
export async function takeObjectsOf(mirrorDir: string, folder: string): Promise<void> {
  await takeNewObjects(mirrorDir, folder);
  await removeTree(folder);
  await rmdir(roomsDirOf(mirrorDir)).catch(() => undefined);
}

/** The same of all rooms of a run of which nothing runs any more: a worker that was killed took nothing. */
export async function takeLeftObjects(mirrorDir: string, runId: string): Promise<void> {
  await takeFrom(mirrorDir, async (_folder, name) => name.startsWith(`${runId}-`));
}

/** So many names that lead nowhere are removed for one command of git. */
const mostBroken = 100;

/**
 * Runs git on a mirror. Where it stops at a name whose object is not there, that is looked for in the rooms, which stay as they are; what
 * an agent has named and is nowhere loses its name, since one stops every fetch of the repository. What we have named keeps it.
 */
export async function pastBrokenRefs(mirrorDir: string, run: () => Promise<GitResult>): Promise<GitResult> {
  let result = await run();
  for (let removed = 0; removed < mostBroken; removed += 1) {
    const name = result.type === "failed" ? stoppedAt(result.stderr) : null;
    if (name === null) return result;
    const object = await namedBy(mirrorDir, name);
    // Git makes an object before what names it: who works has made this one by now.
    for (const { path } of await foldersIn(mirrorDir)) await takeNewObjects(mirrorDir, path);
    if (!(await isThere(mirrorDir, object)) && !(await forgetName(mirrorDir, name, object))) return result;
    result = await run();
  }
  return result;
}

/** The name in "bad object refs/heads/x", "bad object worktrees/x/HEAD", "refs/heads/x does not point to a valid object". */
function stoppedAt(stderr: string): string | null {
  const found = /(?:bad object ((?:refs|worktrees)\/\S+)|(refs\/\S+) does not point to a valid object)/.exec(stderr);
  const name = found?.[1] ?? found?.[2] ?? null;
  return name?.split("/").some((part) => part === "" || part === "." || part === "..") === true ? null : name;
}

/** The object that a name has; null: git does not say it. */
async function namedBy(mirrorDir: string, name: string): Promise<string | null> {
  const asked = await tryGit(["rev-parse", "--verify", "--quiet", "--end-of-options", name], inMirror(mirrorDir));
  const said =
    asked.type === "ok" ? asked.stdout.trim() : await readFile(join(mirrorDir, name), "utf8").catch(() => "");
  return /^[0-9a-f]{40,64}$/.exec(said.trim())?.[0] ?? null;
}

async function isThere(mirrorDir: string, object: string | null): Promise<boolean> {
  return object !== null && (await tryGit(["cat-file", "-e", object], inMirror(mirrorDir))).type === "ok";
}

/** False: the name is ours, as we gave it. */
async function forgetName(mirrorDir: string, name: string, object: string | null): Promise<boolean> {
  if (name.startsWith("worktrees/")) {
    if (basename(name) !== "HEAD") return false;
    await removeFile(mirrorDir, name, (place) => writeFile(place, "ref: refs/heads/none\n", { flag: "wx" }));
    return true;
  }
  const ours = await lastWritten(mirrorDir, name);
  if (typeof ours === "string" && ours === object) return false;
  const old = object === null ? [] : [object];
  const forgotten = await tryGit(["update-ref", "--no-deref", "-d", name, ...old], inMirror(mirrorDir));
  // One that git itself would not make: nothing else takes it away.
  if (forgotten.type === "failed") await removeFile(mirrorDir, name);
  return true;
}

/** Removes a file in a mirror, and puts another one in its place; no link on the way is followed. */
async function removeFile(
  mirrorDir: string,
  path: string,
  replace: (place: string) => Promise<void> = async () => undefined,
): Promise<void> {
  const folder = await openAlong(mirrorDir, dirname(path).split(sep));
  try {
    await removeIn(folder, basename(path));
    await replace(placeIn(folder, basename(path)));
  } finally {
    await folder.handle.close();
  }
}

function inMirror(mirrorDir: string) {
  return { cwd: mirrorDir, configuration: "ours", environment: inGitDir(mirrorDir) } as const;
}

async function foldersIn(mirrorDir: string): Promise<{ readonly path: string; readonly name: string }[]> {
  const entries = await readdir(roomsDirOf(mirrorDir), { withFileTypes: true }).catch(() => []);
  return entries.flatMap((entry) =>
    entry.isDirectory() ? [{ name: entry.name, path: join(roomsDirOf(mirrorDir), entry.name) }] : [],
  );
}

async function takeFrom(
  mirrorDir: string,
  isWanted: (folder: string, name: string) => Promise<boolean>,
): Promise<void> {
  for (const { path, name } of await foldersIn(mirrorDir))
    if (await isWanted(path, name).catch(() => false)) await takeObjectsOf(mirrorDir, path);
}
