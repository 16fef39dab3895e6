import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { unbundle } from "../agent/git/bundle.ts";
import { removeTree } from "../agent/git/tree.ts";
import type { Config } from "../config.ts";
import {
  gitFolders,
  keptFiles,
  keptFolders,
  type Manifest,
  manifestName,
  readManifest,
  settingsName,
  tableEntry,
} from "../core/backups/manifest.ts";
import { decideRestore } from "../core/backups/restore.ts";
import type { Restored } from "../core/cards/backup-words.ts";
import { isRemote } from "../core/remotes/location.ts";
import { spaceWordsOf } from "../core/space/no-space.ts";
import { endRestore, fillDatabase, lookAtDatabase, restoreBegun } from "../db/backup/fill.ts";
import { openDatabase } from "../db/connection/client.ts";
import { knownMigrations, migrate } from "../db/connection/migrate.ts";
import { listRepositories } from "../db/repositories.ts";
import { readFirst, unpack, Unreadable } from "./archive.ts";

/** What a backup says at its beginning, before anything of it is believed. */
export type Opened =
  | { readonly type: "opened"; readonly file: string; readonly manifest: Manifest; readonly settings: string }
  | RefusedRestore;

interface RefusedRestore {
  readonly type: "refused";
  readonly reason: string;
  readonly next: string;
}

/** Reads the beginning of a file that somebody named: what it is, and the settings in it. */
export async function openBackup(wanted: string): Promise<Opened> {
  const file = resolve(wanted);
  try {
    const first = await readFirst(file, [manifestName, settingsName]);
    const [manifest, settings] = [first.get(manifestName), first.get(settingsName)];
    if (manifest === undefined || settings === undefined) throw new Unreadable("it is no backup");
    const read = readManifest(manifest);
    if (read.type === "wrong") throw new Unreadable(read.problem);
    return { type: "opened", file, manifest: read.manifest, settings };
  } catch (error) {
    return unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): RefusedRestore {
  if (!(error instanceof Unreadable)) throw error;
  return { type: "refused", reason: `${file}: ${error.message}`, next: "name a file that cos backup has written" };
}

export interface Restoring {
  readonly config: Pick<Config, "dataDir">;
  readonly databaseUrl: string;
  /** Which database that is, without secrets. */
  readonly description: string;
  readonly settingsFile: string;
}

export type RestoreOutcome = { readonly type: "restored"; readonly restored: Restored } | RefusedRestore;

/**
 * Brings back what a backup holds, on a machine and a database that hold no work: all of it, or nothing. Nothing is written
 * outside of the data directory before the whole file was held against its sums. One that was killed is begun anew by the next; where
 * the rows are there already it goes on with what came after them.
 * Throws DatabaseAway and GitError.
 */
export async function restoreBackup(
  opened: Extract<Opened, { type: "opened" }>,
  restoring: Restoring,
): Promise<RestoreOutcome> {
  const { file, manifest, settings } = opened;
  const { config, databaseUrl, description, settingsFile } = restoring;
  const { dataDir } = config;
  const staging = join(dataDir, ".restoring");
  const isSecondTry = existsSync(staging);
  const ground = await lookAtDatabase(databaseUrl);
  const inDataDir = isSecondTry ? [] : await filled(dataDir);
  const migrations = knownMigrations();
  const backup = nameOf(manifest);
  const decision = decideRestore(
    manifest,
    { database: description, ...ground, dataDir, inDataDir, migrations },
    backup,
  );
  if (decision.type === "refuse") return { ...decision, type: "refused" };

  const isCommitted = decision.type === "go-on";
  if (!isCommitted || !(await isPlaced(staging, backup))) {
    const bringing = { file, manifest, backup, staging, dataDir, databaseUrl };
    const failed = await bring(bringing, isCommitted ? "files" : "all");
    if (failed !== null) return failed;
  }
  const written = await placeSettings(settings, settingsFile);
  await migrate(databaseUrl);
  const missing = await missingRepositories(databaseUrl);
  await endRestore(databaseUrl);
  await removeTree(staging);
  const restored = { file, madeAt: manifest.madeAt, database: description, dataDir, settingsFile };
  return { type: "restored", restored: { ...restored, settings: written, missing } };
}

/** Of what is in it: the same file, wherever it lies. */
function nameOf(manifest: Manifest): string {
  return createHash("sha256").update(JSON.stringify(manifest)).digest("hex").slice(0, 32);
}

interface Bringing {
  readonly file: string;
  readonly manifest: Manifest;
  readonly backup: string;
  readonly staging: string;
  readonly dataDir: string;
  readonly databaseUrl: string;
}

/**
 * Unpacks the file, checks it whole, and brings its files, or all of it, to where it belongs. Null: it is there. An error of the
 * commit itself does not say whether the rows are there: the database does, and where it cannot be asked everything stays for the
 * next try.
 */
async function bring(
  { file, manifest, backup, staging, dataDir, databaseUrl }: Bringing,
  what: "all" | "files",
): Promise<RefusedRestore | null> {
  await removePlaced(dataDir);
  await mkdir(staging, { recursive: true, mode: 0o700 });
  const placeAll = () => place(staging, dataDir, backup);
  try {
    await unpack(file, staging);
    await unbundleAll(staging);
    const fileOf = (table: string): string => join(staging, tableEntry(table));
    if (what === "files") await placeAll();
    else await fillDatabase(databaseUrl, manifest, { backup, fileOf, beforeCommit: placeAll });
    return null;
  } catch (error) {
    const begun = await restoreBegun(databaseUrl).catch(() => "not known");
    if (what === "all" && begun === backup) return null;
    if (begun === "not known") throw error;
    await removePlaced(dataDir);
    const noSpace = spaceWordsOf(error);
    return noSpace === null ? unreadable(file, error) : noSpaceLeft(noSpace);
  }
}

function noSpaceLeft(words: string): RefusedRestore {
  return {
    type: "refused",
    reason: `there is no space left: ${words}. Nothing was restored`,
    next: "free some, or name another data directory (COS_DATA_DIR), then restore again",
  };
}

const placedFolders = [...gitFolders, ...keptFolders];

/** What lies in the data directory that a backup would bring. */
async function filled(dataDir: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of [...placedFolders, "worktrees"]) {
    const names = await readdir(join(dataDir, name)).catch(() => []);
    if (names.length > 0) found.push(name);
  }
  return found;
}

/** Undoes `place`. Only where the folders were empty before. */
async function removePlaced(dataDir: string): Promise<void> {
  for (const name of [...placedFolders, ".restoring"]) await removeTree(join(dataDir, name));
}

async function unbundleAll(staging: string): Promise<void> {
  for (const folder of gitFolders) {
    const from = join(staging, "git", folder);
    for (const name of await readdir(from).catch(() => [])) {
      const dir = join(staging, folder, name.replace(/\.bundle$/, ".git"));
      await mkdir(dirname(dir), { recursive: true, mode: 0o700 });
      await unbundle(join(from, name), dir);
    }
  }
}

const placedName = "placed";

/** Whether all files of this backup were moved to where they belong. */
async function isPlaced(staging: string, backup: string): Promise<boolean> {
  return (await readFile(join(staging, placedName), "utf8").catch(() => "")) === backup;
}

/** Moves everything to where it belongs, in a few steps, and then says so. */
async function place(staging: string, dataDir: string, backup: string): Promise<void> {
  const moves = [
    ...gitFolders.map((name) => [join(staging, name), name]),
    ...[...keptFolders, ...keptFiles].map((name) => [join(staging, "data", name), name]),
  ];
  for (const [from = "", name = ""] of moves) {
    if ((await stat(from).catch(() => null)) === null) continue;
    await rename(from, join(dataDir, name));
  }
  await writeFile(join(staging, placedName), backup);
}

/** A file of settings that is there stays: it says where this database is. */
async function placeSettings(settings: string, settingsFile: string): Promise<Restored["settings"]> {
  if (settings === "") return "none";
  await mkdir(dirname(settingsFile), { recursive: true, mode: 0o700 });
  try {
    await writeFile(settingsFile, settings, { flag: "wx", mode: 0o600 });
    return "written";
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return "kept";
    throw error;
  }
}

/** Repositories that were folders: nothing of them is in a backup. */
async function missingRepositories(databaseUrl: string): Promise<Restored["missing"]> {
  const database = openDatabase(databaseUrl, () => undefined);
  try {
    const all = await listRepositories(database.db);
    return all.filter(({ location }) => !isRemote(location) && !existsSync(location));
  } finally {
    await database.close();
  }
}
