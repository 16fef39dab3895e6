import { existsSync, realpathSync, statSync } from "node:fs";
import type { Mount } from "./bubblewrap.ts";
import type { PlaceSettings } from "./settings.ts";
import { isInside } from "./visible.ts";

/** Where the embedded PostgreSQL keeps what its own user must be able to enter. */
const embeddedFolder = "/var/lib/chief-of-staff";

/** What is ours is empty inside. Only what would be seen is covered: whatever is mounted leaves its name. */
export function hiddenMounts(settings: Pick<PlaceSettings, "dataDir" | "hidden">, mounts: readonly Mount[]): Mount[] {
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

/** The machine, read-only, without what runs on it and what is ours; /tmp is empty. For agents (D39). */
export function machineMounts(settings: Pick<PlaceSettings, "dataDir" | "hidden">): readonly Mount[] {
  const covered = ["/run", "/tmp", "/var/tmp"].filter((at) => existsSync(at));
  const machine: readonly Mount[] = [
    { type: "read", from: "/", at: "/" },
    { type: "devices" },
    ...covered.map((at): Mount => ({ type: "empty", at })),
  ];
  // What lies where only an own part is seen needs no cover of its own.
  const isCovered = (path: string): boolean => [...covered, "/dev"].some((folder) => isInside(path, folder));
  return [...machine, ...hiddenMounts(settings, machine).filter((mount) => "at" in mount && !isCovered(mount.at))];
}
