import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folders } from "../core/housekeeping/folders.ts";
import { type Deps, sha256 } from "../deps.ts";

/** By data directory; one that could not be written is tried again. */
const known = new Map<string, string>();

/**
 * Whose disk it is: a text of a file in the data directory, made once. Host names change, as those of containers that are made
 * anew, and two machines may have the same one; what lies on the disk stays where it is. Throws nothing: without that file it is
 * what it was before there was one, the machine and a hash of the folder's path.
 */
export function outputHolder({ machine, dataDir }: Pick<Deps["config"], "machine" | "dataDir">): string {
  const held = known.get(dataDir);
  if (held !== undefined) return held;
  const before = `${machine} ${sha256(dataDir).slice(0, 12)}`;
  const file = join(dataDir, "holder");
  // What is waiting for the store already is waiting under that name.
  const isUsed = existsSync(join(dataDir, folders.mirrors));
  try {
    writeFileSync(file, isUsed ? before : `${before} ${randomBytes(4).toString("hex")}`, { flag: "wx", mode: 0o600 });
  } catch {
    // It is there, or nothing can be written.
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
