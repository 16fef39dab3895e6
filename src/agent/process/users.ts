import { readFileSync } from "node:fs";
import { userInfo } from "node:os";

/** The name of this process's user; `uid 1000` when the system has none. */
export function ownUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "?"}`;
  }
}

/** The name of a user of this machine; `uid 1000` when /etc/passwd has none. */
export function userNamed(uid: number): string {
  try {
    const users = readFileSync("/etc/passwd", "utf8").split("\n");
    return users.find((line) => line.split(":")[2] === String(uid))?.split(":")[0] ?? `uid ${uid}`;
  } catch {
    return `uid ${uid}`;
  }
}
