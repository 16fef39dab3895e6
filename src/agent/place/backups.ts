import {
  closeSync,
  constants,
  type Dirent,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { constants as zlib, gunzipSync } from "node:zlib";
import { backupFolders } from "../../core/housekeeping/folders.ts";
import { isInside } from "./visible.ts";

/**
 * Finds backups, which hold every token and all rows, and lie as files of the same user where a person wanted them. Searches the
 * folders to which backups were written, and the usual folders. A backup is recognized by its first bytes.
 */

/** Usual folders of backups, for those written before the folders were recorded. */
const usual = ["/var/backups", "/backup", "/backups"];
const usualBelowHome = ["", "backup", "backups"];

/** What is known of the files of a folder: their state when they were read, and whether they are backups. Most never change. */
type KnownFiles = Map<string, { readonly state: string; readonly isBackup: boolean }>;
const known = new Map<string, KnownFiles>();

/** The paths to hide because of backups on this machine: a folder that holds nothing else, or single files. */
export function backupsOnDisk(dataDir: string, hidden: readonly string[]): string[] {
  const written = writtenTo(dataDir);
  const home = homedir();
  const likely = [
    ...usual,
    ...usualBelowHome.map((name) => join(home, name)),
    dirname(dataDir),
    ...hidden.map(dirname),
  ];
  const folders = new Set([...written, ...likely.filter((folder) => existsSync(folder)).map(real)]);
  const found = [...folders]
    .filter((folder) => !isInside(folder, dataDir))
    .flatMap((folder) => {
      const kinds = kindsIn(folder);
      // Hide the whole folder, so that a backup written while a room is open is hidden too.
      const isOnlyTheirs = written.includes(folder) && folder !== home && kinds.every(({ kind }) => kind !== "other");
      return isOnlyTheirs ? [folder] : kinds.flatMap(({ path, kind }) => (kind === "open" ? [path] : []));
    });
  return [...new Set(found)];
}

function writtenTo(dataDir: string): string[] {
  const file = join(dataDir, backupFolders);
  if (!existsSync(file)) return [];
  const folders = readFileSync(file, "utf8").split("\n");
  return folders.filter((folder) => folder !== "" && existsSync(folder)).map(real);
}

function real(path: string): string {
  return realpathSync(path);
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // If we cannot read the folder, a room of ours cannot either.
    return [];
  }
}

/** Looks at every entry, because a backup may have any name. A file is read again only when it has changed. */
function kindsIn(folder: string): { readonly path: string; readonly kind: Kind }[] {
  const before: KnownFiles = known.get(folder) ?? new Map();
  const now: KnownFiles = new Map();
  const kinds = entriesOf(folder).map((entry) => {
    const path = join(folder, entry.name);
    return { path, kind: kindOf(path, entry, { before, now }) };
  });
  known.set(folder, now);
  return kinds;
}

/** open: part of a readable backup. closed: a backup that is being written, which nobody can open. */
type Kind = "open" | "closed" | "other";

function kindOf(path: string, entry: Dirent, { before, now }: Record<"before" | "now", KnownFiles>): Kind {
  const { name } = entry;
  // A working folder of a backup that is being written, or whose process was killed: `.FILE-XXXXXX`.
  const isAside = entry.isDirectory() && /^\..+-\w{6}$/.test(name);
  const isPartial = entry.isFile() && name.endsWith(".partial");
  const found = lstatSync(path, { throwIfNoEntry: false });
  const mode = found?.mode ?? 0;
  if ((isAside || isPartial) && (mode & 0o444) === 0) return "closed";
  if (entry.isFile()) {
    const state = `${found?.ino} ${found?.size} ${found?.ctimeMs}`;
    const last = before.get(name);
    const file = last?.state === state ? last : { state, isBackup: isBackup(path) };
    now.set(name, file);
    return file.isBackup ? "open" : "other";
  }
  const parts = isAside ? entriesOf(path) : [];
  return parts.length > 0 && parts.every((part) => /^(?:rows|bundle|file-)/.test(part.name)) ? "open" : "other";
}

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** True when a file begins like one of `cos backup`: a gzipped tar whose first entry says so. Also true for an incomplete file. */
function isBackup(path: string): boolean {
  const buffer = Buffer.alloc(8_192);
  try {
    const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const bytes = readSync(file, buffer, 0, buffer.length, 0);
      if (bytes < 20 || buffer[0] !== 0x1f || buffer[1] !== 0x8b) return false;
      const head = gunzipSync(buffer.subarray(0, bytes), {
        finishFlush: zlib.Z_SYNC_FLUSH,
        maxOutputLength: 10_000_000,
      });
      const text = head.toString("latin1");
      return text.startsWith("manifest.json\0") && text.slice(0, 2_000).includes('"backup": "chief-of-staff"');
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}
