import { existsSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { madeFor } from "./cluster.ts";
import { OUTSIDE_ROOT } from "./places.ts";

/**
 * Deletes clusters outside their data directory whose data directory lay under the system's temporary folder and has gone:
 * each trial in a `mktemp -d` would otherwise leave 39 MB for ever. Clusters of any other place are never touched, since
 * a missing folder may be an unmounted disk. Never throws.
 */
export function removeAbandoned(): void {
  for (const name of listed(OUTSIDE_ROOT)) {
    const cluster = join(OUTSIDE_ROOT, name);
    const dataDir = madeFor(cluster);
    if (dataDir === null || !isTemporary(dataDir) || existsSync(dataDir)) continue;
    // Its server may be in its last seconds and stops by itself.
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
