import { count } from "../text.ts";
import type { Manifest } from "./manifest.ts";

/** What is on the machine that a backup is to be restored on. */
export interface RestoreMachine {
  /** Which database that is, without secrets. */
  readonly database: string;
  /** The tables of ours there that hold work, with how many rows; a database without our schema has none. */
  readonly rows: Readonly<Record<string, number>>;
  /** How many connections of bots or workers it has. */
  readonly serving: number;
  /** Of which backup its rows are that a restore has not finished; null: of none. */
  readonly begun: string | null;
  readonly dataDir: string;
  /** What lies in the data directory already, by name. */
  readonly inDataDir: readonly string[];
  /** Whether a restore of this very backup has unpacked all its files there, and moves them to their places, or has. */
  readonly isUnpacked: boolean;
  /** The hashes of the migrations that this version knows, the oldest first. */
  readonly migrations: readonly string[];
}

export type RestoreDecision =
  | { readonly type: "restore" }
  /** Its rows are there already, of this very backup: what came after them is done again. */
  | { readonly type: "go-on" }
  | { readonly type: "refuse"; readonly reason: string; readonly next: string };

/**
 * Whether a backup may be restored here: nothing is mixed with what is there, and no work is replaced (F-606). An older database
 * is brought up to date afterwards; one of a newer version is not understood.
 */
export function decideRestore(
  { migrations }: Pick<Manifest, "migrations">,
  ground: RestoreMachine,
  backup: string,
): RestoreDecision {
  if (ground.migrations[migrations.count - 1] !== migrations.lastHash)
    return {
      type: "refuse",
      reason: `it was made by another version: its database has ${count(migrations.count, "migration")}, and this version ${ground.migrations.length > migrations.count ? "knows others" : `knows ${ground.migrations.length}`}`,
      next: "install the version that made it, or a newer one, then restore",
    };
  if (ground.serving > 0)
    return {
      type: "refuse",
      reason: `a bot or worker runs with ${ground.database}`,
      next: "stop it, or name another database (DATABASE_URL) or data directory (COS_DATA_DIR)",
    };
  const isBegun = ground.begun === backup;
  if (isBegun && ground.isUnpacked) return { type: "go-on" };
  if (!isBegun && ground.begun !== null)
    return {
      type: "refuse",
      reason: `${ground.database} holds the rows of another backup, whose restore was not finished`,
      next: "restore that file once more, or name an empty database (DATABASE_URL)",
    };
  const full = Object.entries(ground.rows).flatMap(([table, rows]) => (rows > 0 ? [`${table} (${rows})`] : []));
  if (!isBegun && full.length > 0)
    return {
      type: "refuse",
      reason: `${ground.database} is not empty: it has ${full.join(", ")}`,
      next: "name an empty database (DATABASE_URL) or another data directory (COS_DATA_DIR); a restore never replaces rows",
    };
  if (ground.inDataDir.length > 0)
    return {
      type: "refuse",
      reason: `the data directory ${ground.dataDir} is not empty: ${ground.inDataDir.join(", ")}`,
      next: "name another one (COS_DATA_DIR), or move these away; a restore replaces none of them",
    };
  return { type: isBegun ? "go-on" : "restore" };
}

/** What a bot or worker says that was started where a restore was not finished: the rows are there, files may not be. */
export const restoreUnfinished =
  "a restore into this database was not finished, and files of it may be missing. Give the same file to cos restore once more: it goes on where it was";
