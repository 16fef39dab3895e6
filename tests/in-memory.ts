import { accessSync, chmodSync, constants, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

const memory = "/dev/shm";
const name = /^cos-tests-(\d+)$/;
const wantedBytes = 4 * 2 ** 30;

/**
 * Where the tests of this run put what they write: a folder in memory, where the machine has room for it, else null and the
 * usual temporary folder does. Every test makes a database of some 600 files and deletes it, and ext4 looks at all
 * that was deleted in the last minutes before it makes a file: that was a third of the CPU of the whole run. The folder is
 * removed when this process ends; those of runs that were killed are removed first. `TMPDIR`, where it is set, stays.
 */
export function folderInMemory(): string | null {
  if (process.env["TMPDIR"] !== undefined || !isRoomy()) return null;
  for (const entry of readdirSync(memory)) {
    const pid = name.exec(entry)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) remove(join(memory, entry));
  }
  const folder = join(memory, `cos-tests-${process.pid}`);
  mkdirSync(folder);
  // As for every temporary folder: tests act as other users too.
  chmodSync(folder, 0o1777);
  process.once("exit", () => remove(folder));
  return folder;
}

/** Whether it is there, has room, and lets programs run that lie in it. */
function isRoomy(): boolean {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    const mount = readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .map((line) => line.split(" "))
      .findLast(([, point]) => point === memory);
    return bavail * bsize >= wantedBytes && mount?.[2] === "tmpfs" && !mount[3]?.split(",").includes("noexec");
  } catch {
    return false;
  }
}

/** Whether a process is there, or has ended and nobody has asked how. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  } catch {
    // Another user's, or still written to: the next run tries again.
  }
}
