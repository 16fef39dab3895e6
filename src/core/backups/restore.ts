import { count } from "../text.ts";
import type { Manifest } from "./manifest.ts";

/** The state of the machine on which a backup is to be restored. */
export interface RestoreMachine {
  /** The database, without secrets. */
  readonly database: string;
  /** Our tables that hold work, with their numbers of rows. Empty for a database without our schema. */
  readonly rows: Readonly<Record<string, number>>;
  /** Number of connections of bots or workers. */
  readonly serving: number;
  /** The backup whose unfinished restore wrote its rows. Null when there is none. */
  readonly begun: string | null;
  readonly dataDir: string;
  /** Names of what is already in the data directory. */
  readonly inDataDir: readonly string[];
  /** True when a restore of this backup has unpacked all its files there, and is moving or has moved them to their places. */
  readonly isUnpacked: boolean;
  /** The hashes of the migrations that this version knows, the oldest first. */
  readonly migrations: readonly string[];
}

export type RestoreDecision =
  | { readonly type: "restore" }
  /** The rows of this backup are already there; the steps after them are repeated. */
  | { readonly type: "go-on" }
  | { readonly type: "refuse"; readonly reason: string; readonly next: string };

/**
 * Decides whether a backup may be restored here. A restore never mixes with existing data and never replaces work (F-606). The database
 * of an older version is migrated afterwards; a backup of a newer version is refused.
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

/** The message of a bot or worker that starts after an unfinished restore: the rows are there, but files may be missing. */
export const restoreUnfinished =
  "a restore into this database was not finished, and files of it may be missing. Give the same file to cos restore once more: it goes on where it was";
