import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { shallowEnd, unbundle } from "../agent/git/bundle.ts";
import { GitError } from "../agent/git/git.ts";
import { removeTree } from "../agent/git/tree.ts";
import { gitFolders, keptFiles, keptFolders } from "../core/backups/manifest.ts";
import { prunedFileOf, worktreesDir } from "../paths.ts";
import { unpack } from "./archive.ts";
import { sync, syncTree } from "./sync.ts";

/**
 * What is in a data directory that a backup would bring too, or that belongs to goals. Files that a bot writes there without any goal
 * are left out.
 */
export async function inTheWayOf(dataDir: string): Promise<string[]> {
  const ofGoals = (await namesIn(worktreesDir(dataDir))).filter((name) => name !== basename(prunedFileOf(dataDir)));
  const worktrees = ofGoals.length > 0 ? [basename(worktreesDir(dataDir))] : [];
  return [...(await filled(dataDir, [...gitFolders, ...keptFolders])), ...worktrees];
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return await readdir(folder).catch(() => []);
}

/** Those of these folders that are not empty. Also a file with such a name, and a folder that cannot be read. */
async function filled(dataDir: string, folders: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of folders) {
    const names = await readdir(join(dataDir, name)).catch(nullUnlessMissing);
    if (names === null || names.length > 0) found.push(name);
  }
  return found;
}

function nullUnlessMissing(error: NodeJS.ErrnoException): readonly string[] | null {
  return error.code === "ENOENT" ? [] : null;
}

/** The file that is written when everything was unpacked. Contains the backup's name. */
const unpackedName = "unpacked";

/** The name of the backup that is completely unpacked there. Empty when there is none. */
export async function unpackedOf(staging: string): Promise<string> {
  return await readFile(join(staging, unpackedName), "utf8").catch(() => "");
}

interface BackupFile {
  readonly file: string;
  /** Its name, made from its content. */
  readonly backup: string;
  readonly staging: string;
}

/** Unpacks a file again from the start and checks all of it. Throws Unreadable, and the file system's errors. */
export async function unpackAll({ file, backup, staging }: BackupFile): Promise<void> {
  await removeTree(staging);
  await mkdir(staging, { recursive: true, mode: 0o700 });
  await unpack(file, staging);
  await unbundleAll(staging);
  // So that everything is on disk before the marker, even if the machine loses power later.
  await syncTree(staging);
  await writeFile(join(staging, unpackedName), backup, { flush: true });
  await sync(staging);
}

/** The rows are worth more than the history of one repository: what git cannot read is left out, and named afterwards. */
async function unbundleAll(staging: string): Promise<void> {
  for (const { file, path } of await bundlesIn(staging)) {
    const dir = join(staging, path);
    await mkdir(dirname(dir), { recursive: true, mode: 0o700 });
    try {
      await unbundle(file, dir);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      await removeTree(dir);
    }
  }
}

interface Bundle {
  readonly file: string;
  readonly repositoryId: string;
  /** The path of its repository below the data directory. */
  readonly path: string;
}

async function bundlesIn(staging: string): Promise<readonly Bundle[]> {
  const found: Bundle[] = [];
  for (const folder of gitFolders) {
    const from = join(staging, "git", folder);
    for (const name of (await readdir(from).catch(() => [])).filter((each) => !each.endsWith(shallowEnd))) {
      const repositoryId = name.replace(/\.bundle$/, "");
      found.push({ file: join(from, name), repositoryId, path: join(folder, `${repositoryId}.git`) });
    }
  }
  return found;
}

/** The ids of repositories whose history is in the backup but could not be read. Call it after everything was moved to its place. */
export async function unreadIn(staging: string, dataDir: string): Promise<readonly string[]> {
  const unread: string[] = [];
  for (const { repositoryId, path } of await bundlesIn(staging))
    if ((await stat(join(dataDir, path)).catch(() => null)) === null) unread.push(repositoryId);
  return [...new Set(unread)];
}

export type Placed =
  /** `replaced`: names of files that were here with another content. */
  | { readonly type: "placed"; readonly replaced: readonly string[] }
  | { readonly type: "in the way"; readonly names: readonly string[] };

/**
 * Moves what was unpacked to its place; an earlier try may have moved some of it already. When folders at their place are not empty,
 * moves nothing and returns their names. Files (`keptFiles`) replace those that are there: a bot that was started before has made a new
 * console token, and the restored sessions of the console belong to the backup's. Throws when the unpacked files are not there any more.
 */
export async function place(staging: string, dataDir: string, backup: string): Promise<Placed> {
  if ((await unpackedOf(staging)) !== backup)
    throw new Error(`what was unpacked in ${staging} is gone; restore the same file once more`);
  const folders = await present([
    ...gitFolders.map((name) => ({ from: join(staging, name), name })),
    ...keptFolders.map((name) => ({ from: join(staging, "data", name), name })),
  ]);
  const files = await present(keptFiles.map((name) => ({ from: join(staging, "data", name), name })));
  const names = await filled(
    dataDir,
    folders.map(({ name }) => name),
  );
  if (names.length > 0) return { type: "in the way", names };
  const replaced: string[] = [];
  for (const { from, name } of files) if (await isOther(from, join(dataDir, name))) replaced.push(name);
  for (const { from, name } of [...folders, ...files]) await rename(from, join(dataDir, name));
  await sync(dataDir);
  return { type: "placed", replaced };
}

interface Move {
  readonly from: string;
  readonly name: string;
}

async function present(moves: readonly Move[]): Promise<readonly Move[]> {
  const found: Move[] = [];
  for (const move of moves) if ((await stat(move.from).catch(() => null)) !== null) found.push(move);
  return found;
}

/** True when there is a file already, and its content is another one. */
async function isOther(file: string, already: string): Promise<boolean> {
  const old = await readFile(already).catch(() => null);
  return old !== null && !old.equals(await readFile(file));
}
