import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { appendFile, chmod, copyFile, lstat, mkdir, readdir, readFile, realpath, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { bundleCopy, bundleMirror, shallowEnd } from "../agent/git/bundle.ts";
import { GitError } from "../agent/git/git.ts";
import {
  backupVersion,
  isEntryName,
  keptFiles,
  keptFolders,
  type Manifest,
  manifestName,
  settingsName,
  tableEntry,
} from "../core/backups/manifest.ts";
import type { BackedUp } from "../core/cards/backup-words.ts";
import { errorWords } from "../core/errors.ts";
import { spaceWordsOf } from "../core/space/no-space.ts";
import { openSnapshot, type DatabaseSnapshot } from "../db/backup/snapshot.ts";
import { repositoriesById } from "../db/repositories.ts";
import type { Deps } from "../deps.ts";
import { changedLately } from "../facts/kept-output.ts";
import { originOf } from "../facts/origin.ts";
import { backupFoldersOf } from "../paths.ts";
import { type ArchiveWriter, openArchive } from "./archive.ts";
import { asideMode, begun, ended } from "./unfinished.ts";

export interface BackingUp extends Pick<Deps, "database" | "config" | "now"> {
  readonly databaseUrl: string;
  readonly settingsFile: string;
  /** The version of this program. */
  readonly version: string;
}

export type BackupOutcome =
  | { readonly type: "written"; readonly backedUp: BackedUp }
  | { readonly type: "refused"; readonly reason: string; readonly next: string };

/**
 * Writes everything that the bot knows into one file, while bots and workers go on. First the database as of one moment, then what it
 * refers to: kept output, keys, and the commits of our mirrors. Worktrees are not included: they are made again from those. The file
 * exists only when it is complete. Throws DatabaseAway and GitError.
 */
export async function makeBackup(deps: BackingUp, wanted: string): Promise<BackupOutcome> {
  const file = resolve(wanted);
  const found = await lstat(file).catch(() => null);
  if (found !== null) return refused(`${file} is there already`, "name a file that is not there");
  const folder = await stat(dirname(file)).catch(() => null);
  if (folder?.isDirectory() !== true) return refused(`${dirname(file)} is no folder`, "make it first");
  try {
    await rememberFolder(deps.config.dataDir, await realpath(dirname(file)));
    return { type: "written", backedUp: await write(deps, file) };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (["EACCES", "EPERM", "EROFS"].includes(String(code)))
      return refused(`${file} cannot be written: ${errorWords(error)}`, "name a folder where this user may write");
    const noSpace = spaceWordsOf(error);
    if (noSpace !== null) return refused(`there is no space left: ${noSpace}`, "free some, or name another disk");
    throw error;
  }
}

function refused(reason: string, next: string): BackupOutcome {
  return { type: "refused", reason, next };
}

/** Called before anything is written: rooms for agents that open from now on do not see the folder. */
async function rememberFolder(dataDir: string, folder: string): Promise<void> {
  const list = backupFoldersOf(dataDir);
  const known = (await readFile(list, "utf8").catch(orMissing)) ?? "";
  if (known.split("\n").includes(folder)) return;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await appendFile(list, `${folder}\n`, { mode: 0o600, flush: true });
}

async function write(deps: BackingUp, file: string): Promise<BackedUp> {
  const madeAt = deps.now().toISOString();
  // The size of tables and bundles is known only when they are written. They are written beside the file, where there is space for it.
  const aside = begun(join(dirname(file), `.${basename(file)}-${randomBytes(3).toString("hex")}`));
  await mkdir(aside, { mode: asideMode });
  // The folder cannot be listed and its files' names cannot be guessed: an agent at work may run as the same user.
  await chmod(aside, asideMode);
  try {
    const snapshot = await openSnapshot(deps.databaseUrl);
    try {
      const archive = await openArchive(file);
      try {
        const counted = await fill({ deps, archive, aside, snapshot, madeAt });
        return { file, bytes: await archive.finish(), madeAt, ...counted };
      } catch (error) {
        await archive.abandon();
        throw error;
      }
    } finally {
      snapshot.close();
    }
  } finally {
    await chmod(aside, 0o700);
    await rm(aside, { recursive: true, force: true });
    ended(aside);
  }
}

interface OpenArchive {
  readonly deps: BackingUp;
  readonly archive: ArchiveWriter;
  readonly aside: string;
  readonly snapshot: DatabaseSnapshot;
  readonly madeAt: string;
}

/** Rows first: what they refer to is only added to, and a commit whose branch has moved since is kept by name. */
async function fill(open: OpenArchive): Promise<Omit<BackedUp, "file" | "bytes" | "madeAt">> {
  const { deps, archive, aside, snapshot, madeAt } = open;
  const { migrations, tables, sequences } = snapshot;
  const manifest: Manifest = {
    backup: "chief-of-staff",
    version: backupVersion,
    madeAt,
    madeBy: deps.version,
    migrations,
    tables,
    sequences,
  };
  await archive.add(manifestName, `${JSON.stringify(manifest, null, 2)}\n`);
  const settings = await readFile(deps.settingsFile, "utf8").catch(orMissing);
  await archive.add(settingsName, settings ?? "");
  for (const table of tables) {
    const rows = join(aside, freshName("rows"));
    await pipeline(snapshot.copy(table), createWriteStream(rows, { mode: 0o600 }));
    await archive.add(tableEntry(table.name), { file: rows });
    await rm(rows);
  }
  const bundles = (await addMirrors(open)) + (await addCopies(open));
  const files = await addFiles(open);
  const changedOutput = await changedLately({ db: deps.database.db, dataDir: deps.config.dataDir });
  return { tables: tables.length, bundles, files, hasSettings: settings !== null, changedOutput };
}

function freshName(kind: "rows" | "bundle" | "file"): string {
  return `${kind}-${randomBytes(12).toString("hex")}`;
}

async function addMirrors({ deps, archive, aside, snapshot }: OpenArchive): Promise<number> {
  const folder = join(deps.config.dataDir, "mirrors");
  const ids = await repositoriesIn(folder);
  const known = new Map((await repositoriesById(deps.database.db, ids)).map((each) => [each.repositoryId, each]));
  let added = 0;
  for (const id of ids) {
    const repository = known.get(id);
    const file = join(aside, freshName("bundle"));
    const commits = snapshot.commits.get(id) ?? [];
    const path = repository === undefined ? folder : originOf(deps.config, repository).dir;
    if (!(await again(() => bundleMirror(join(folder, `${id}.git`), path, { file, commits })))) continue;
    await addBundle(archive, file, `git/mirrors/${id}`);
    added += 1;
  }
  return added;
}

async function addCopies({ deps, archive, aside }: OpenArchive): Promise<number> {
  const folder = join(deps.config.dataDir, "remotes");
  let added = 0;
  for (const id of await repositoriesIn(folder)) {
    const file = join(aside, freshName("bundle"));
    if (!(await again(() => bundleCopy(join(folder, `${id}.git`), file)))) continue;
    await addBundle(archive, file, `git/remotes/${id}`);
    added += 1;
  }
  return added;
}

/** Adds a bundle, and the file that says where its history is cut. */
async function addBundle(archive: ArchiveWriter, file: string, name: string): Promise<void> {
  await archive.add(`${name}.bundle`, { file });
  await rm(file);
  const shallow = `${file}${shallowEnd}`;
  if ((await lstat(shallow).catch(orMissing)) === null) return;
  await archive.add(`${name}.bundle${shallowEnd}`, { file: shallow });
  await rm(shallow);
}

/** Retries: a branch that a worker removes while git reads it is not there the next time. */
async function again(bundle: () => Promise<boolean>): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await bundle();
    } catch (error) {
      if (!(error instanceof GitError) || tries === mostTries) throw error;
    }
  }
}

const mostTries = 3;

async function repositoriesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(orMissing);
  return (names ?? []).flatMap((name) => /^([\w-]+)\.git$/.exec(name)?.[1] ?? []).sort();
}

/**
 * Returns how many files were added. Each is copied first: until it is in the archive, housekeeping may remove it, or a worker may write
 * it anew and shorter. Leaves out files that are gone by then, and entries that are not regular files.
 */
async function addFiles({ deps, archive, aside }: OpenArchive): Promise<number> {
  const { dataDir } = deps.config;
  const names: string[] = [...keptFiles];
  for (const folder of keptFolders) names.push(...(await filesIn(dataDir, folder)));
  let added = 0;
  for (const name of names.filter((each) => isEntryName(`data/${each}`)).sort()) {
    const file = join(aside, freshName("file"));
    if ((await copyFile(join(dataDir, name), file).catch(orMissing)) === null) continue;
    await archive.add(`data/${name}`, { file });
    await rm(file);
    added += 1;
  }
  return added;
}

/** The files in a folder and all folders below it, as paths below `root`. A folder that is removed meanwhile has none. */
async function filesIn(root: string, folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of (await readdir(join(root, folder), { withFileTypes: true }).catch(orMissing)) ?? []) {
    const name = join(folder, entry.name);
    if (entry.isFile()) found.push(name);
    if (entry.isDirectory()) found.push(...(await filesIn(root, name)));
  }
  return found;
}

function orMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
  throw error;
}
