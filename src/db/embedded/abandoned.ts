import { existsSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { madeFor } from "./cluster.ts";
import { OUTSIDE_ROOT } from "./places.ts";

/**
 * Deletes clusters outside their data directory whose data directory was in the system's temporary folder and is gone. Otherwise each
 * trial in a `mktemp -d` would leave 39 MB for ever. Clusters for other places are never touched, since a missing folder may be an
 * unmounted disk. Throws when a folder cannot be deleted.
 */
export function removeAbandoned(): void {
  for (const name of listed(OUTSIDE_ROOT)) {
    const cluster = join(OUTSIDE_ROOT, name);
    const dataDir = madeFor(cluster);
    if (dataDir === null || !isTemporary(dataDir) || existsSync(dataDir)) continue;
    // Its server may be shutting down: it stops by itself.
    if (existsSync(join(cluster, "postmaster.pid"))) continue;
    rmSync(cluster, { recursive: true, force: true, maxRetries: 2 });
  }
}

function isTemporary(path: string): boolean {
  return ["/tmp", "/var/tmp", realpathSync(tmpdir())].some((root) => path.startsWith(`${root}/`));
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
