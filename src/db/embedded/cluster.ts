import { execFile } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Binaries, SERVER_ENVIRONMENT } from "./binaries.ts";
import { EmbeddedDatabaseError, errorCode, USE_OWN_DATABASE } from "./errors.ts";
import type { EmbeddedPlaces } from "./places.ts";
import { identityOf, type ServerUser } from "./server-user.ts";
import { type EmbeddedState, writeState } from "./state.ts";

const ID_FILE = "cos-cluster-id";
const DATABASE_USER = "cos";

/** True when a directory contains a finished cluster. */
export function hasCluster(cluster: string): boolean {
  return existsSync(join(cluster, "PG_VERSION"));
}

/** The id with which a cluster was made, or null. Compared with the id in the state file: another clone's never matches. */
export function clusterIdOf(cluster: string): string | null {
  try {
    return readFileSync(join(cluster, ID_FILE), "utf8").split("\n")[0] ?? null;
  } catch {
    return null;
  }
}

/** The real path of the data directory that a cluster was made for, or null. */
export function madeFor(cluster: string): string | null {
  try {
    return readFileSync(join(cluster, ID_FILE), "utf8").split("\n")[1] ?? null;
  } catch {
    return null;
  }
}

/** Throws `EmbeddedDatabaseError` when the cluster was made by another major version than the installed one. */
export function checkVersion(cluster: string, binaries: Binaries): void {
  const found = readFileSync(join(cluster, "PG_VERSION"), "utf8").trim();
  if (found === binaries.major) return;
  throw new EmbeddedDatabaseError(
    `The database in ${cluster} was made by PostgreSQL ${found}, the installed one is ${binaries.major}. ` +
      `Install the earlier version of this program and move the data with pg_dump, or move the folder away to start empty. ${USE_OWN_DATABASE}`,
  );
}

/**
 * Creates a cluster with a random password and writes its state. Always UTF-8 and locale C, whatever the environment says. A crash at
 * any point leaves no partial cluster: it is made under another name, and renamed after the state was written.
 */
export async function createCluster(
  places: EmbeddedPlaces,
  at: { cluster: string; user: ServerUser | null; binaries: Binaries },
): Promise<EmbeddedState> {
  const { cluster, user, binaries } = at;
  removeDrafts(cluster);
  const draft = `${cluster}.init-${randomBytes(4).toString("hex")}`;
  const passwordFile = `${draft}.password`;
  const state: EmbeddedState = {
    clusterId: randomUUID(),
    isOutside: cluster === places.outsideCluster,
    dataDir: places.dataDir,
    key: places.key,
    port: 0,
    user: DATABASE_USER,
    password: randomBytes(24).toString("hex"),
    database: "postgres",
  };
  try {
    mkdirSync(dirname(cluster), { recursive: true, mode: 0o755 });
    mkdirSync(draft, { mode: 0o700 });
    writeFileSync(passwordFile, state.password, { mode: 0o600, flag: "wx" });
    give(draft, user);
    give(passwordFile, user);
    const options = [
      "-D",
      draft,
      "-U",
      DATABASE_USER,
      `--pwfile=${passwordFile}`,
      "-A",
      "scram-sha-256",
      "-E",
      "UTF8",
      "--locale=C",
    ];
    await promisify(execFile)(join(binaries.bin, "initdb"), options, {
      ...identityOf(user),
      cwd: "/",
      env: SERVER_ENVIRONMENT,
    });
    replaceFile(join(draft, ID_FILE), `${state.clusterId}\n${places.dataDir}\n`, user);
    writeState(places, state);
    renameSync(draft, cluster);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw new EmbeddedDatabaseError(
      `The database cannot be created in ${cluster}: ${reasonOf(error)}. ${USE_OWN_DATABASE}`,
      { cause: error },
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
  return state;
}

/** Writes the server's whole configuration. In a file, because command line arguments are public. `alter system` still overrides it. */
export function configure(cluster: string, port: number, user: ServerUser | null): void {
  const lines = [
    "# Written at every start. Change settings with ALTER SYSTEM.",
    "listen_addresses = '127.0.0.1'",
    `port = ${port}`,
    "unix_socket_directories = ''",
    "max_connections = 200",
    "shared_buffers = 128MB",
    // With PostgreSQL's default limits the write-ahead log of a 23 MB database grew to 544 MB (measured).
    "max_wal_size = 128MB",
    "min_wal_size = 32MB",
    // Containers have 64 MB of /dev/shm. Parallel queries would need more, and our tables are small.
    "max_parallel_workers_per_gather = 0",
    "max_parallel_maintenance_workers = 0",
    "password_encryption = 'scram-sha-256'",
    "timezone = 'UTC'",
    "log_timezone = 'UTC'",
    "log_checkpoints = off",
    "",
  ];
  replaceFile(join(cluster, "postgresql.conf"), lines.join("\n"), user);
}

/** Renames a folder to keep it without deleting anything. Returns the new path. */
export function setFolderAside(cluster: string): string {
  const aside = `${cluster}.aside-${randomBytes(3).toString("hex")}`;
  renameSync(cluster, aside);
  return aside;
}

/** Deletes the file first: we may be root, and the folder belongs to a user who could have planted a link. */
function replaceFile(file: string, content: string, user: ServerUser | null): void {
  rmSync(file, { force: true });
  writeFileSync(file, content, { mode: 0o600, flag: "wx" });
  give(file, user);
}

function give(path: string, user: ServerUser | null): void {
  if (user !== null) chownSync(path, user.uid, user.gid);
}

/** Deletes leftovers of a start that was killed. An orphaned initdb may still be writing one: then it is deleted next time. */
function removeDrafts(cluster: string): void {
  const folder = dirname(cluster);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(cluster)}.init-`)) continue;
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch {
      // see above
    }
  }
}

function reasonOf(error: unknown): string {
  const output =
    error instanceof Error && "stderr" in error && typeof error.stderr === "string" ? error.stderr.trim() : "";
  if (output !== "") return output;
  return error instanceof Error ? error.message : errorCode(error);
}
