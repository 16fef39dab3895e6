import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute } from "node:path";
import { backupsOnDisk } from "./backups.ts";
import type { Mount } from "./bubblewrap.ts";
import type { PlaceSettings } from "./settings.ts";
import { isInside, toolMounts } from "./visible.ts";

/** Folder of the embedded PostgreSQL, which its own user must be able to enter. */
const embeddedFolder = "/var/lib/chief-of-staff";

/** Mounts that hide our own files. Only visible paths are covered, because every mount leaves its name. */
export function hiddenMounts({ dataDir, hidden }: Ours, mounts: readonly Mount[]): Mount[] {
  return [dataDir, embeddedFolder, ...hidden, ...backupsOnDisk(dataDir, hidden)]
    .filter((path) => existsSync(path))
    .map((path) => realpathSync(path))
    .filter((path) => isSeen(path, mounts))
    .map((at) => (statSync(at).isDirectory() ? { type: "empty", at } : { type: "read", from: "/dev/null", at }));
}

type Ours = Pick<PlaceSettings, "dataDir" | "hidden" | "seen">;

/** True when a path inside shows the same path of the machine. The last mount above it decides. */
function isSeen(path: string, mounts: readonly Mount[]): boolean {
  const above = mounts.filter((mount) => isInside(path, mount.type === "devices" ? "/dev" : mount.at)).at(-1);
  return above !== undefined && "from" in above && above.from === above.at;
}

/** Mounts for folders that a person made writable for everybody. A folder that is visible as a link is mounted at its target. */
export function writableMounts({ writable }: Pick<PlaceSettings, "writable">, mounts: readonly Mount[]): Mount[] {
  return writable
    .filter((folder) => existsSync(folder))
    .map((folder) => {
      const real = realpathSync(folder);
      return { type: "write", from: real, at: isSeen(folder, mounts) ? real : folder };
    });
}

/** Folders of the machine that are hidden: running programs, recent files of others, devices. */
const covered = ["/run", "/var/run", "/tmp", "/var/tmp", "/dev"];

/** What a command of an agent needs of the machine. */
interface Around {
  readonly home: string;
  readonly path: string;
  readonly temporary: string | null;
  readonly command: readonly string[];
}

/**
 * Mounts for agents (D39): the machine, read-only, without running programs and our own files. /tmp is empty, or the folder
 * `temporary`. HOME, tools named by PATH, files named by the command and our own program are visible wherever they lie.
 */
export function machineMounts(ours: Ours, { home, path, temporary, command }: Around): readonly Mount[] {
  const isCovered = (each: string): boolean => covered.some((folder) => isInside(each, folder));
  const ownTemporary = (at: string): Mount =>
    temporary === null ? { type: "empty", at } : { type: "write", from: temporary, at };
  const isOwnFolder = (at: string): boolean => lstatSync(at, { throwIfNoEntry: false })?.isDirectory() === true;
  const asItIs = [home, ...ours.seen, ...namedIn(command)]
    .filter((at) => existsSync(at))
    .map((at): Mount => ({ type: "read", from: at, at }));
  const covers: readonly Mount[] = [
    { type: "devices" },
    ...["/run", "/var/run"].filter(isOwnFolder).map((at): Mount => ({ type: "empty", at })),
    ...["/tmp", "/var/tmp"].filter(isOwnFolder).map(ownTemporary),
  ];
  const needed = [...asItIs, ...toolMounts({ path, home })].filter(
    (mount) => mount.type === "read" && mount.from === mount.at && isCovered(mount.at),
  );
  const machine: readonly Mount[] = [{ type: "read", from: "/", at: "/" }, ...covers, ...needed];
  const isThere = (at: string): boolean => existsSync(at) && isSeen(at, machine);
  return [
    ...machine,
    ...otherProcesses(textOf("/proc/self/mountinfo"))
      .filter(isThere)
      .map((at): Mount => ({ type: "empty", at })),
    ...sockets(textOf("/proc/net/unix"))
      .filter(isThere)
      .map((at): Mount => ({ type: "read", from: "/dev/null", at })),
    ...hiddenMounts(ours, machine),
  ];
}

function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/**
 * Paths named by a command that lie below a covered folder: an agent may be installed in /tmp. For a file its folder is used, because
 * its parts lie beside it, but never the covered folder itself.
 */
function namedIn(command: readonly string[]): string[] {
  return command.flatMap((word) => {
    // A word may be too long for a path.
    if (!isAbsolute(word) || !existsSync(word)) return [];
    const found = statSync(word);
    const folder = found.isDirectory() ? word : dirname(word);
    return covered.includes(folder) ? (found.isFile() ? [word] : []) : [folder];
  });
}

/** Mount points of proc other than /proc, mostly for a chroot. Parses a text like /proc/self/mountinfo (proc(5)). */
export function otherProcesses(mounts: string): string[] {
  return mounts.split("\n").flatMap((line) => {
    const at = line.split(" ")[4]?.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));
    return / - proc /.test(line) && at !== undefined && !isInside(at, "/proc") ? [at] : [];
  });
}

/** Socket files at which programs of this machine listen: a private network does not block them. Parses a text like /proc/net/unix. */
export function sockets(text: string): string[] {
  const paths = text.split("\n").map((line) => /^(?:\S+\s+){7}(\/.*)$/.exec(line)?.[1]);
  return [...new Set(paths.filter((path) => path !== undefined))];
}
