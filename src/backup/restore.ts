import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { removeTree } from "../agent/git/tree.ts";
import type { Config } from "../config.ts";
import { type Manifest, manifestName, readManifest, settingsName, tableEntry } from "../core/backups/manifest.ts";
import { decideRestore, type RestoreDecision } from "../core/backups/restore.ts";
import type { Restored } from "../core/cards/backup-words.ts";
import { isRemote } from "../core/remotes/location.ts";
import { helpForLack, spaceWordsOf } from "../core/space/no-space.ts";
import {
  type DatabaseGround,
  endRestore,
  fillDatabase,
  lookAtDatabase,
  refusePooler,
  restoreBegun,
} from "../db/backup/fill.ts";
import { openDatabase } from "../db/connection/client.ts";
import { onlyOne } from "../db/connection/locks.ts";
import { knownMigrations, migrate } from "../db/connection/migrate.ts";
import { listRepositories } from "../db/repositories.ts";
import { restoringDir } from "../paths.ts";
import { aloneIn } from "./alone.ts";
import { readFirst, Unreadable } from "./archive.ts";
import { inTheWayOf, place, unpackAll, unpackedOf, unreadIn } from "./staging.ts";

/** The beginning of a backup, before anything in it is checked. */
export type OpenedBackup =
  | { readonly type: "opened"; readonly file: string; readonly manifest: Manifest; readonly settings: string }
  | RefusedRestore;

interface RefusedRestore {
  readonly type: "refused";
  readonly reason: string;
  readonly next: string;
}

/** Reads the beginning of a file that somebody named: its manifest and the settings in it. */
export async function openBackup(wanted: string): Promise<OpenedBackup> {
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

export interface RestoreTarget {
  readonly config: Pick<Config, "dataDir">;
  readonly databaseUrl: string;
  /** The database in words, without secrets. */
  readonly description: string;
  readonly settingsFile: string;
}

export type RestoreOutcome = { readonly type: "restored"; readonly restored: Restored } | RefusedRestore;

/**
 * Restores a backup on a machine and a database that hold no work: all of it, or nothing. Until its rows are there it writes only into
 * a folder of its own. In the data directory nothing else is removed or replaced, except `console-token`, which the backup's replaces
 * (`place`): the outcome says so.
 * A restore that was killed is begun again by the next one; when the rows are there already, that continues after them. Throws
 * DatabaseAway and GitError.
 */
export async function restoreBackup(
  opened: Extract<OpenedBackup, { type: "opened" }>,
  target: RestoreTarget,
): Promise<RestoreOutcome> {
  await refusePooler(target.databaseUrl);
  const database = openDatabase(target.databaseUrl, () => undefined);
  try {
    let outcome: RestoreOutcome = othersWork(target.description);
    await onlyOne(database.pool, "restore", async () => {
      const { dataDir } = target.config;
      const isAlone = await aloneIn(dataDir, async () => {
        outcome = await restoreAlone(opened, target);
      });
      if (!isAlone) outcome = othersWork(`the data directory ${dataDir}`);
    });
    return outcome;
  } finally {
    await database.close();
  }
}

function othersWork(into: string): RefusedRestore {
  return { type: "refused", reason: `another restore into ${into} is at work`, next: "wait until it has ended" };
}

async function restoreAlone(
  { file, manifest, settings }: Extract<OpenedBackup, { type: "opened" }>,
  { config: { dataDir }, databaseUrl, description, settingsFile }: RestoreTarget,
): Promise<RestoreOutcome> {
  const backup = nameOf(manifest);
  const staging = restoringDir(dataDir);
  const migrations = knownMigrations();
  const decide = async (ground: DatabaseGround): Promise<RestoreDecision> => {
    const inDataDir = await inTheWayOf(dataDir);
    const isUnpacked = (await unpackedOf(staging)) === backup;
    return decideRestore(
      manifest,
      { database: description, ...ground, dataDir, inDataDir, isUnpacked, migrations },
      backup,
    );
  };
  const decision = await decide(await lookAtDatabase(databaseUrl));
  if (decision.type === "refuse") return { ...decision, type: "refused" };

  const bringing = { file, manifest, backup, staging, databaseUrl };
  const failed = decision.type === "restore" ? await bring(bringing, decide) : await bringFiles(bringing);
  if (failed !== null) return failed;
  const placed = await place(staging, dataDir, backup);
  if (placed.type === "in the way")
    return {
      type: "refused",
      reason: `the rows are in ${description}, and the data directory ${dataDir} is no longer empty: ${placed.names.join(", ")}`,
      next: "move these away, then restore the same file once more",
    };
  const written = await placeSettings(settings, settingsFile);
  await migrate(databaseUrl);
  const lacking = await lackingRepositories(databaseUrl, await unreadIn(staging, dataDir));
  await endRestore(databaseUrl);
  await removeTree(staging);
  const restored = { file, madeAt: manifest.madeAt, database: description, dataDir, settingsFile };
  return { type: "restored", restored: { ...restored, settings: written, replaced: placed.replaced, ...lacking } };
}

/** A name made from the content: the same file has the same name, wherever it is. */
function nameOf(manifest: Manifest): string {
  return createHash("sha256").update(JSON.stringify(manifest)).digest("hex").slice(0, 32);
}

interface StagedBackup {
  readonly file: string;
  readonly manifest: Manifest;
  readonly backup: string;
  readonly staging: string;
  readonly databaseUrl: string;
}

/**
 * Unpacks the file, checks all of it, and fills the database. Returns null when the rows are there and the files are unpacked. An error
 * of the commit itself does not say whether the rows are there: the database does. When it cannot be asked, everything stays for the
 * next try.
 */
async function bring(
  staged: StagedBackup,
  decide: (ground: DatabaseGround) => Promise<RestoreDecision>,
): Promise<RefusedRestore | null> {
  const { file, manifest, backup, staging, databaseUrl } = staged;
  const fileOf = (table: string): string => join(staging, tableEntry(table));
  try {
    await unpackAll(staged);
    const decision = await fillDatabase(databaseUrl, manifest, { backup, fileOf, decide });
    if (decision.type !== "refuse") return null;
    await removeTree(staging);
    return { ...decision, type: "refused" };
  } catch (error) {
    const begun = await restoreBegun(databaseUrl).catch(() => "not known");
    if (begun === backup) return null;
    if (begun === "not known") throw error;
    return await giveUp(staging, file, error);
  }
}

/** Unpacks the files of a backup whose rows are there, unless they are unpacked already. */
async function bringFiles(staged: StagedBackup): Promise<RefusedRestore | null> {
  const { file, backup, staging } = staged;
  if ((await unpackedOf(staging)) === backup) return null;
  try {
    await unpackAll(staged);
    return null;
  } catch (error) {
    return await giveUp(staging, file, error);
  }
}

async function giveUp(staging: string, file: string, error: unknown): Promise<RefusedRestore> {
  await removeTree(staging);
  const noSpace = spaceWordsOf(error);
  return noSpace === null ? unreadable(file, error) : noSpaceLeft(noSpace);
}

function noSpaceLeft(words: string): RefusedRestore {
  const { lack, next } = helpForLack(words);
  return {
    type: "refused",
    reason: `${lack}. Nothing was restored`,
    next: `${next}, or name another data directory (COS_DATA_DIR), then restore again`,
  };
}

/** Keeps an existing settings file: it says where this database is. */
async function placeSettings(settings: string, settingsFile: string): Promise<Restored["settings"]> {
  if (settings === "") return "none";
  await mkdir(dirname(settingsFile), { recursive: true, mode: 0o700 });
  try {
    await writeFile(settingsFile, settings, { flag: "wx", mode: 0o600, flush: true });
    return "written";
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return "kept";
    throw error;
  }
}

/**
 * Repositories whose folder is not on this machine (a backup contains no folders), and those whose history in the backup could not be
 * read.
 */
async function lackingRepositories(
  databaseUrl: string,
  unreadIds: readonly string[],
): Promise<Pick<Restored, "missing" | "unread">> {
  const database = openDatabase(databaseUrl, () => undefined);
  try {
    const all = await listRepositories(database.db);
    const missing = all.filter(({ location }) => !isRemote(location) && !existsSync(location));
    const nameOf = (id: string): string => all.find(({ repositoryId }) => repositoryId === id)?.name ?? id;
    return { missing, unread: unreadIds.map(nameOf) };
  } finally {
    await database.close();
  }
}
