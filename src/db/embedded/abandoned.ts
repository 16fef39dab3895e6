import { existsSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { madeFor } from "./cluster.ts";
import { OUTSIDE_ROOT } from "./places.ts";

/**
 * Deletes clusters outside their data directory whose data directory was in the system's temporary folder and is gone. Otherwise each
 * trial in a `mktemp -d` would leave 39 MB for ever. Clusters for other places are never touched, since a missing folder may be an
 * unmounted disk. Never throws: what cannot be deleted is no reason to refuse a new database.
 */
export function removeAbandoned(root: string = OUTSIDE_ROOT): void {
  for (const name of listed(root)) {
    const cluster = join(root, name);
    const dataDir = madeFor(cluster);
    if (dataDir === null || !isTemporary(dataDir) || existsSync(dataDir)) continue;
    // Its server may be shutting down: it stops by itself.
    if (existsSync(join(cluster, "postmaster.pid"))) continue;
    remove(cluster);
  }
}

function remove(cluster: string): void {
  try {
    rmSync(cluster, { recursive: true, force: true, maxRetries: 2 });
  } catch {
    // It is tried again when the next cluster is created.
  }
}

function isTemporary(path: string): boolean {
  return ["/tmp", "/var/tmp", ownTemporary()].some((root) => path.startsWith(`${root}/`));
}

/** The temporary folder of this process. The environment may name one that is missing. */
function ownTemporary(): string {
  try {
    return realpathSync(tmpdir());
  } catch {
    return tmpdir();
  }
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
