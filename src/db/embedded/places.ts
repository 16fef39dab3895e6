import { createHash } from "node:crypto";
import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";

/** Holds clusters and copied binaries when the server user of root cannot enter the data directory (D31). */
export const OUTSIDE_ROOT = "/var/lib/chief-of-staff";

/** All paths and addresses of one embedded PostgreSQL. All paths are absolute. */
export interface EmbeddedPlaces {
  /** Real path of the data directory. */
  readonly dataDir: string;
  /** First 12 hex digits of the SHA-256 of `dataDir`: distinguishes two clones. */
  readonly key: string;
  /** The socket of the supervisor. Whoever listens there is the only supervisor. */
  readonly socket: string;
  /** True when `socket` leaves a file that remains when the supervisor is killed. */
  readonly socketIsFile: boolean;
  /** Port and password, mode 0600. */
  readonly stateFile: string;
  /** Standard error of the supervisor. */
  readonly supervisorLog: string;
  /** Where the cluster is, unless the server's user cannot enter the data directory. */
  readonly insideCluster: string;
  readonly outsideCluster: string;
}

/**
 * Returns the paths and addresses of a data directory. Source: D31.
 * @param dataDir real path of an existing directory; throws ENOENT otherwise.
 */
export function embeddedPlaces(dataDir: string): EmbeddedPlaces {
  const key = createHash("sha256").update(dataDir).digest("hex").slice(0, 12);
  // The owner's uid, not the caller's: root and the owner of a clone must meet the same supervisor.
  const name = `cos-${statSync(dataDir).uid}-${key}`;
  return {
    dataDir,
    key,
    socket: socketPath(name),
    socketIsFile: process.platform !== "linux" && process.platform !== "win32",
    stateFile: join(dataDir, "postgres.json"),
    supervisorLog: join(dataDir, "postgres-supervisor.log"),
    insideCluster: join(dataDir, "postgres"),
    outsideCluster: join(OUTSIDE_ROOT, key),
  };
}

/** Where the cluster of a data directory may be, the more likely path first. Empty when there is no such directory. */
export function clusterPlaces(dataDir: string): readonly string[] {
  try {
    const { insideCluster, outsideCluster } = embeddedPlaces(realpathSync(dataDir));
    return [insideCluster, outsideCluster];
  } catch {
    return [];
  }
}

function socketPath(name: string): string {
  // Abstract: binding is atomic and the name disappears with the process, even after kill -9.
  if (process.platform === "linux") return `\0${name}`;
  if (process.platform === "win32") return `\\\\.\\pipe\\${name}`;
  // Not TMPDIR: it differs between two shells of one user and would allow two supervisors.
  return join("/tmp", `${name}.sock`);
}
