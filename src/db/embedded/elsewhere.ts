import { chownSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pidScope } from "./pid-scope.ts";
import { EmbeddedDatabaseError, USE_OWN_DATABASE } from "./errors.ts";
import type { EmbeddedPlaces } from "./places.ts";

/**
 * Protects against two containers, or machines, with one data directory. Neither sees the other's processes or sockets, and two servers
 * on the same files destroy them. The one that serves touches a file there all the time. The other finds that the file is being touched
 * and starts nothing.
 */

export const aliveEveryMs = 1_000;
/** Longer than a busy machine may be late with touching the file. */
const silentMs = 6_000;
const lookEveryMs = 250;

/** Marks the data directory as served from here. Never throws: a full disk must not stop the database. */
export function sayAlive(places: Pick<EmbeddedPlaces, "dataDir">): void {
  const file = fileIn(places);
  try {
    if (readOr(file) === pidScope()) return utimesSync(file, new Date(), new Date());
    writeFileSync(file, pidScope(), { mode: 0o600 });
    const owner = statSync(places.dataDir);
    if (process.getuid?.() === 0) chownSync(file, owner.uid, owner.gid);
  } catch {
    // It is tried again.
  }
}

/** Removes the mark: the server is stopped. */
export function sayGone(places: Pick<EmbeddedPlaces, "dataDir">): void {
  if (readOr(fileIn(places)) === pidScope()) rmSync(fileIn(places), { force: true });
}

/** Waits until it is certain that nobody elsewhere runs a server on these files. Throws `EmbeddedDatabaseError` when somebody does. */
export async function refuseElsewhere(
  places: Pick<EmbeddedPlaces, "dataDir">,
  say: (progress: string) => void,
): Promise<void> {
  const file = fileIn(places);
  const other = readOr(file);
  if (other === null || other === pidScope()) return;
  say("Another container or machine has used this data directory: looking whether it still does …");
  const before = touchedAt(file);
  for (let waitedMs = 0; waitedMs < silentMs; waitedMs += lookEveryMs) {
    await delay(lookEveryMs);
    const now = touchedAt(file);
    if (now === null) return;
    if (now !== before)
      throw new EmbeddedDatabaseError(
        `Another container or machine runs the database of ${places.dataDir} now, and two would destroy it. Run commands there (docker compose exec cos …), or stop it first. ${USE_OWN_DATABASE}`,
      );
  }
}

function fileIn({ dataDir }: Pick<EmbeddedPlaces, "dataDir">): string {
  return join(dataDir, "postgres.alive");
}

function readOr(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

/** When the file was touched, and its inode: when another machine writes it anew, the inode changes. */
function touchedAt(file: string): string | null {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.mtimeMs} ${found.ino}`;
}
