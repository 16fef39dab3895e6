import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { EmbeddedDatabaseError, USE_OWN_DATABASE } from "./errors.ts";

/** The user that the server runs as when we are root, because PostgreSQL refuses root. Otherwise (null) it runs as our own user. */
export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * The user for a new or an existing cluster. Throws `EmbeddedDatabaseError` when no usable user exists.
 * @param cluster its directory, which may not exist yet; an existing one stays with its owner.
 * @returns null when this process is not root and the server is simply one of its own processes.
 */
export function serverUserFor(dataDir: string, cluster: string): ServerUser | null {
  if (process.getuid?.() !== 0) {
    checkOwnName();
    return null;
  }
  const users = namedUsers();
  const owners = [ownerOf(cluster), ownerOf(dataDir)].filter((uid) => uid !== null && uid !== 0);
  const candidates = [
    ...owners.map((uid) => users.find((user) => user.uid === uid)),
    users.find((user) => user.name === "postgres"),
    users.find((user) => user.name === "nobody"),
  ];
  const chosen = candidates.find((user) => user !== undefined && user.uid !== 0);
  if (chosen !== undefined) return chosen;
  throw new EmbeddedDatabaseError(
    `PostgreSQL does not run as root and /etc/passwd has neither "postgres" nor "nobody". Start as an ordinary user. ${USE_OWN_DATABASE}`,
  );
}

/** The options of `child_process` that make a child run as this user. */
export function identityOf(user: ServerUser | null): { uid?: number; gid?: number } {
  return user === null ? {} : { uid: user.uid, gid: user.gid };
}

/** True when the user may enter a directory. Lets the kernel check, since mode bits do not cover every parent. */
export function canEnter(user: ServerUser | null, directory: string): boolean {
  if (user === null) return true;
  const probe = spawnSync("/bin/sh", ["-c", 'cd -- "$1"', "sh", directory], {
    ...identityOf(user),
    cwd: "/",
    stdio: "ignore",
  });
  return probe.status === 0;
}

/** Throws when our user has no name: initdb looks it up and fails without one, as under `docker run --user 1234`. */
function checkOwnName(): void {
  if (process.platform === "win32") return;
  try {
    userInfo();
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `PostgreSQL needs a user with a name, and uid ${process.getuid?.()} has no entry in /etc/passwd. Add one. ${USE_OWN_DATABASE}`,
      { cause: error },
    );
  }
}

function namedUsers(): ServerUser[] {
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  return lines
    .map((line) => line.split(":"))
    .filter((fields) => fields.length >= 4)
    .map(([name, , uid, gid]) => ({ name: name ?? "", uid: Number(uid), gid: Number(gid) }));
}

function ownerOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.uid ?? null;
}
