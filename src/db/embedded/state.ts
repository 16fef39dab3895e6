import { chownSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { EmbeddedDatabaseError, errorCode } from "./errors.ts";
import type { EmbeddedPlaces } from "./places.ts";

/** The content of the state file in the data directory. The password is stored only there. */
export interface EmbeddedState {
  /** Made with the cluster; a cluster outside the data directory has a file with the same id. */
  readonly clusterId: string;
  /** True when the cluster is outside the data directory (D31). */
  readonly isOutside: boolean;
  /** Real path and key of the data directory when this was written: distinguishes a moved directory from a copied one. */
  readonly dataDir: string;
  readonly key: string;
  /** TCP port on 127.0.0.1. */
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/**
 * The state of a data directory, or null when there is none yet. Throws `EmbeddedDatabaseError` when the file is not readable or is not
 * ours.
 */
export function readState(places: EmbeddedPlaces): EmbeddedState | null {
  const text = readText(places.stateFile);
  if (text === null) return null;
  const state = parseState(text);
  if (state !== null) return state;
  throw new EmbeddedDatabaseError(
    `${places.stateFile} is damaged. Restore it from a backup, or move it away together with the database.`,
  );
}

/** Replaces the state atomically. Only the owner of the data directory can read it. */
export function writeState(places: EmbeddedPlaces, state: EmbeddedState): void {
  const draft = `${places.stateFile}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  const owner = statSync(places.dataDir);
  // Root may start the database of another user's clone; that user must be able to start it next time.
  if (process.getuid?.() === 0) chownSync(draft, owner.uid, owner.gid);
  renameSync(draft, places.stateFile);
}

/** The connection URL of a state. Contains the password: never log it. */
export function urlOf(state: EmbeddedState): string {
  return `postgresql://${state.user}:${state.password}@127.0.0.1:${state.port}/${state.database}`;
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw new EmbeddedDatabaseError(
      `${file} cannot be read (${errorCode(error)}). Run as the owner of the data directory.`,
      { cause: error },
    );
  }
}

function parseState(text: string): EmbeddedState | null {
  try {
    const value: unknown = JSON.parse(text);
    return isState(value) ? value : null;
  } catch {
    return null;
  }
}

function isState(value: unknown): value is EmbeddedState {
  if (typeof value !== "object" || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  const texts = ["clusterId", "dataDir", "key", "user", "password", "database"];
  return (
    texts.every((name) => typeof fields.get(name) === "string") &&
    typeof fields.get("isOutside") === "boolean" &&
    Number.isInteger(fields.get("port"))
  );
}
