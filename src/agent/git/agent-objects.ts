import { mkdir, mkdtemp, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type GitResult, tryGit } from "./git.ts";
import { layNewObjects, takeNewObjects } from "./new-objects.ts";
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
  await mkdir(foldersOf(mirrorDir), { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(foldersOf(mirrorDir), `${runId}-`));
  await layNewObjects(folder);
  return folder;
}

/** Brings what a room's git has made into the mirror, and removes its folder. Nothing may run there any more. */
export async function takeObjectsOf(mirrorDir: string, folder: string): Promise<void> {
  try {
    await takeNewObjects(mirrorDir, folder);
  } finally {
    await removeTree(folder);
  }
}

/** The same of all rooms of a run of which nothing runs any more: a worker that was killed took nothing. */
export async function takeLeftObjects(mirrorDir: string, runId: string): Promise<void> {
  await takeFrom(mirrorDir, async (_folder, name) => name.startsWith(`${runId}-`));
}

/**
 * Runs git on a mirror. Where it stops at a ref whose object is not there, that is looked for in the rooms, which stay as they are; a ref
 * that names what is nowhere is removed, since one stops every fetch of the repository; then git is run again.
 */
export async function pastBrokenRefs(mirrorDir: string, run: () => Promise<GitResult>): Promise<GitResult> {
  const result = await run();
  if (result.type === "ok" || !/bad object refs\/|refs\/\S* does not point to a valid object/.test(result.stderr))
    return result;
  const broken = await brokenRefs(mirrorDir);
  // Git makes an object before the ref that names it: who works has made these by now.
  for (const { path } of await foldersIn(mirrorDir)) await takeNewObjects(mirrorDir, path);
  for (const ref of await brokenRefs(mirrorDir)) {
    const [object = "", name = ""] = ref.split(" ", 2);
    if (broken.includes(ref)) await tryGit(["update-ref", "--no-deref", "-d", name, object], inMirror(mirrorDir));
  }
  return await run();
}

/** `OBJECT NAME` of each. */
async function brokenRefs(mirrorDir: string): Promise<string[]> {
  const listed = await tryGit(["for-each-ref", "--format=%(objectname) %(refname)"], inMirror(mirrorDir));
  const refs = listed.type === "ok" ? listed.stdout.split("\n").filter((line) => line !== "") : [];
  const input = refs.map((line) => `${line.split(" ", 1)[0]}\n`).join("");
  const looked = await tryGit(["cat-file", "--batch-check=%(objecttype)"], { ...inMirror(mirrorDir), input });
  const found = looked.type === "ok" ? looked.stdout.split("\n") : [];
  return refs.filter((_, index) => found[index]?.endsWith(" missing") === true);
}

function inMirror(mirrorDir: string) {
  return { cwd: mirrorDir, configuration: "ours", environment: { GIT_DIR: mirrorDir } } as const;
}

/** `/data/mirrors/repo-x.git` has its rooms' folders in `/data/mirrors/repo-x.rooms`. */
function foldersOf(mirrorDir: string): string {
  return `${mirrorDir.replace(/\.git$/, "")}.rooms`;
}

async function foldersIn(mirrorDir: string): Promise<{ readonly path: string; readonly name: string }[]> {
  const entries = await readdir(foldersOf(mirrorDir), { withFileTypes: true }).catch(() => []);
  return entries.flatMap((entry) =>
    entry.isDirectory() ? [{ name: entry.name, path: join(foldersOf(mirrorDir), entry.name) }] : [],
  );
}

async function takeFrom(
  mirrorDir: string,
  isWanted: (folder: string, name: string) => Promise<boolean>,
): Promise<void> {
  for (const { path, name } of await foldersIn(mirrorDir))
    if (await isWanted(path, name).catch(() => false)) await takeObjectsOf(mirrorDir, path);
}
