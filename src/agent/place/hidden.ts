import { existsSync, realpathSync, statSync } from "node:fs";
import type { Mount } from "./bubblewrap.ts";
import type { PlaceSettings } from "./settings.ts";
import { isInside } from "./visible.ts";

/** Where the embedded PostgreSQL keeps what its own user must be able to enter. */
const embeddedFolder = "/var/lib/chief-of-staff";

/** What is ours is empty inside. Only what would be seen is covered: whatever is mounted leaves its name. */
export function hiddenMounts(settings: PlaceSettings, mounts: readonly Mount[]): Mount[] {
  const seen = mounts.flatMap((mount) => ("from" in mount ? [mount.at] : []));
  return [settings.dataDir, embeddedFolder, ...settings.hidden]
    .filter((path) => existsSync(path))
    .map((path) => realpathSync(path))
    .filter((path) => seen.some((at) => isInside(path, at)))
    .map((at) => (statSync(at).isDirectory() ? { type: "empty", at } : { type: "read", from: "/dev/null", at }));
}

/** What a person lets everybody write to. */
export function writableMounts({ writable }: PlaceSettings): Mount[] {
  return writable.filter((folder) => existsSync(folder)).map((folder) => ({ type: "write", from: folder, at: folder }));
}
