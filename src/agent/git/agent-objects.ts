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
 * Folders for the objects that agents' git creates (`new-objects.ts`): one for each room, beside the mirror, where no agent sees the
 * others'. Refs are written to the mirror at once. So a ref may name a commit whose objects are still in such a folder, while its agent
 * works or after it was killed.
 */

/** Age after which nothing can run in a room any more. */
const longestRoomMs = 7 * 24 * 60 * 60_000;

/** Creates a room's folder of objects, with the run in its name. Folders left a week ago are brought into the mirror and removed. */
export async function layObjectsOf(mirrorDir: string, runId: string): Promise<string> {
  const before = Date.now() - longestRoomMs;
  await takeFrom(mirrorDir, async (folder) => (await stat(folder)).mtimeMs < before);
  await removeHalfWritten(mirrorDir, before);
  const folder = await makeRoomFolder(mirrorDir, runId);
  await layNewObjects(folder);
  return folder;
}

/** Retries: whoever takes the last room's objects may remove the parent folder at the same moment. */
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
 * Brings the objects of a room into the mirror, and removes its folder. No process may run there. On failure the folder stays for the
 * next turn of its run.
 */
export async function takeObjectsOf(mirrorDir: string, folder: string): Promise<void> {
  await takeNewObjects(mirrorDir, folder);
  await removeTree(folder);
  await rmdir(roomsDirOf(mirrorDir)).catch(() => undefined);
}

/** Like `takeObjectsOf`, for all rooms of a run that has no process any more: a worker that was killed took nothing. */
export async function takeLeftObjects(mirrorDir: string, runId: string): Promise<void> {
  await takeFrom(mirrorDir, async (_folder, name) => name.startsWith(`${runId}-`));
}

/** Maximum number of broken refs that are removed for one git command. */
const mostBroken = 100;

/**
 * Runs git on a mirror, and repairs broken refs at which git stops. The missing object is first looked for in the rooms, which stay as
 * they are. If it is nowhere, a ref that an agent wrote is deleted: one such ref stops every fetch of the repository. A ref that we
 * wrote is kept.
 */
export async function pastBrokenRefs(mirrorDir: string, run: () => Promise<GitResult>): Promise<GitResult> {
  let result = await run();
  for (let removed = 0; removed < mostBroken; removed += 1) {
    const name = result.type === "failed" ? stoppedAt(result.stderr) : null;
    if (name === null) return result;
    const object = await namedBy(mirrorDir, name);
    // Git writes an object before the ref that names it, so the agent has written this one by now.
    for (const { path } of await foldersIn(mirrorDir)) await takeNewObjects(mirrorDir, path);
    if (!(await isThere(mirrorDir, object)) && !(await forgetName(mirrorDir, name, object))) return result;
    result = await run();
  }
  return result;
}

/** Returns the ref in "bad object refs/heads/x", "bad object worktrees/x/HEAD", "refs/heads/x does not point to a valid object". */
function stoppedAt(stderr: string): string | null {
  const found = /(?:bad object ((?:refs|worktrees)\/\S+)|(refs\/\S+) does not point to a valid object)/.exec(stderr);
  const name = found?.[1] ?? found?.[2] ?? null;
  return name?.split("/").some((part) => part === "" || part === "." || part === "..") === true ? null : name;
}

/** The object that a ref names; null when git cannot say. */
async function namedBy(mirrorDir: string, name: string): Promise<string | null> {
  const asked = await tryGit(["rev-parse", "--verify", "--quiet", "--end-of-options", name], inMirror(mirrorDir));
  const said =
    asked.type === "ok" ? asked.stdout.trim() : await readFile(join(mirrorDir, name), "utf8").catch(() => "");
  return /^[0-9a-f]{40,64}$/.exec(said.trim())?.[0] ?? null;
}

async function isThere(mirrorDir: string, object: string | null): Promise<boolean> {
  return object !== null && (await tryGit(["cat-file", "-e", object], inMirror(mirrorDir))).type === "ok";
}

/** Deletes a broken ref. False when we wrote it, or when it is not one that may be deleted. */
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
  // Git does not delete a ref that it would not create itself.
  if (forgotten.type === "failed") await removeFile(mirrorDir, name);
  return true;
}

/** Removes a file in a mirror, and may put another one in its place. Follows no link on the way. */
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
