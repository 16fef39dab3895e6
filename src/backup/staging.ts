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

async function filled(dataDir: string, folders: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of folders) {
    if ((await namesIn(join(dataDir, name))).length > 0) found.push(name);
  }
  return found;
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

/**
 * Moves what was unpacked to its place; an earlier try may have moved some of it already. When folders at their place are not empty,
 * moves nothing and returns their names. Throws when the unpacked files are not there any more.
 */
export async function place(staging: string, dataDir: string, backup: string): Promise<string[]> {
  if ((await unpackedOf(staging)) !== backup)
    throw new Error(`what was unpacked in ${staging} is gone; restore the same file once more`);
  const moves: { readonly from: string; readonly name: string }[] = [];
  const inStaging = [
    ...gitFolders.map((name) => [name, name]),
    ...[...keptFolders, ...keptFiles].map((name) => [`data/${name}`, name]),
  ];
  for (const [path = "", name = ""] of inStaging) {
    const from = join(staging, path);
    if ((await stat(from).catch(() => null)) !== null) moves.push({ from, name });
  }
  const inTheWay = await filled(
    dataDir,
    moves.map(({ name }) => name),
  );
  if (inTheWay.length > 0) return inTheWay;
  for (const { from, name } of moves) await rename(from, join(dataDir, name));
  await sync(dataDir);
  return [];
}
