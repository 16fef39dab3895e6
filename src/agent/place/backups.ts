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
 * Backups hold every token and all rows, and lie where a person wanted them, as files of the same user: they are looked for where
 * some were written, and where they usually lie, by what they begin with.
 */

/** Where people keep them; those of before nobody has written down. */
const usual = ["/var/backups", "/backup", "/backups"];
const usualBelowHome = ["", "backup", "backups"];

/** Longer lists are not looked through. */
const mostEntries = 5_000;

/** What is to be hidden of backups on this machine: a folder that holds nothing else, or the files. */
export function backupsOnDisk(dataDir: string, hidden: readonly string[]): string[] {
  const written = writtenTo(dataDir);
  const home = homedir();
  const known = [...usual, ...usualBelowHome.map((name) => join(home, name)), dirname(dataDir), ...hidden.map(dirname)];
  const folders = new Set([...written, ...known.filter((folder) => existsSync(folder)).map(real)]);
  const found = [...folders]
    .filter((folder) => !isInside(folder, dataDir))
    .flatMap((folder) => {
      const kinds = entriesOf(folder).map((entry) => ({ path: join(folder, entry.name), kind: kindOf(folder, entry) }));
      // The whole folder: what comes there while a room is open is not seen either.
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
    return readdirSync(folder, { withFileTypes: true }).slice(0, mostEntries);
  } catch {
    // What we cannot read, a room of ours cannot either.
    return [];
  }
}

/** open: of a backup, and to be read; closed: of one that is being written, which nobody can open. */
function kindOf(folder: string, entry: Dirent): "open" | "closed" | "other" {
  const { name } = entry;
  const path = join(folder, name);
  // Beside one that is being written, or was left by one that was killed: `.FILE-XXXXXX`.
  const isAside = entry.isDirectory() && /^\..+-\w{6}$/.test(name);
  const isPartial = entry.isFile() && name.endsWith(".partial");
  const mode = lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if ((isAside || isPartial) && (mode & 0o444) === 0) return "closed";
  if (entry.isFile()) return isBackup(path) ? "open" : "other";
  const parts = isAside ? entriesOf(path) : [];
  return parts.length > 0 && parts.every((part) => /^(?:rows|bundle)/.test(part.name)) ? "open" : "other";
}

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** Whether a file begins as `cos backup` writes it: a gzipped tar whose first entry says so. Also one that is not whole. */
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
