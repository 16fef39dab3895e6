import { createHash } from "node:crypto";
import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";

/** Holds clusters and copied binaries when root's server user cannot enter the data directory (D31). */
export const OUTSIDE_ROOT = "/var/lib/chief-of-staff";

/** Everything of one embedded PostgreSQL that has an address. All paths absolute. */
export interface EmbeddedPlaces {
  /** Real path of the data directory. */
  readonly dataDir: string;
  /** First 12 hex digits of the SHA-256 of `dataDir`: tells two clones apart. */
  readonly key: string;
  /** What the supervisor listens on. Whoever listens is the only supervisor. */
  readonly socket: string;
  /** True when `socket` leaves a file behind that outlives a killed supervisor. */
  readonly socketIsFile: boolean;
  /** Port and password, mode 0600. */
  readonly stateFile: string;
  /** Standard error of the supervisor. */
  readonly supervisorLog: string;
  /** Where the cluster lies unless the server's user cannot enter the data directory. */
  readonly insideCluster: string;
  readonly outsideCluster: string;
}

/**
 * Names the places of a data directory. Source: D31.
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

/** Where the cluster of a data directory may lie, the likelier first; empty where there is no such directory. */
export function clusterPlaces(dataDir: string): readonly string[] {
  try {
    const { insideCluster, outsideCluster } = embeddedPlaces(realpathSync(dataDir));
    return [insideCluster, outsideCluster];
  } catch {
    return [];
  }
}

function socketPath(name: string): string {
  // Abstract: binding is atomic and the name vanishes with the process, even after kill -9.
  if (process.platform === "linux") return `\0${name}`;
  if (process.platform === "win32") return `\\\\.\\pipe\\${name}`;
  // Not TMPDIR, which differs between two shells of one user and would let two supervisors live.
  return join("/tmp", `${name}.sock`);
}
