import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folders } from "../core/housekeeping/folders.ts";
import { type Deps, sha256 } from "../deps.ts";

/** The names by data directory. A name that could not be written is not cached, so it is tried again. */
const known = new Map<string, string>();

/**
 * The name of this disk: a text in a file of the data directory, written once. Host names change, for example with each new container, and
 * two machines may have the same one. The data on the disk stays the same. Never throws. Without the file, the name is as before the file
 * existed: the machine and a hash of the folder's path.
 */
export function outputHolder({ machine, dataDir }: Pick<Deps["config"], "machine" | "dataDir">): string {
  const held = known.get(dataDir);
  if (held !== undefined) return held;
  const before = `${machine} ${sha256(dataDir).slice(0, 12)}`;
  const file = join(dataDir, "holder");
  // Outputs that wait for the store already are waiting under that name.
  const isUsed = existsSync(join(dataDir, folders.mirrors));
  try {
    writeFileSync(file, isUsed ? before : `${before} ${randomBytes(4).toString("hex")}`, { flag: "wx", mode: 0o600 });
  } catch {
    // The file exists, or nothing can be written.
  }
  const kept = readKept(file);
  if (kept !== null) known.set(dataDir, kept);
  return kept ?? before;
}

function readKept(file: string): string | null {
  try {
    return readFileSync(file, "utf8").trim() || null;
  } catch {
    return null;
  }
}
