import { readFileSync } from "node:fs";
import { pidScope } from "../../db/embedded/pid-scope.ts";

/**
 * Returns the name of this process as the holder of a lease: `machine/pid/start time/where`. The start time distinguishes a process from a
 * later one with the same pid (D4). `where` distinguishes this machine, since its boot, from others of the same name, whose pids mean
 * other processes.
 */
export function processIdentity(machine: string): string {
  return `${machine}/${process.pid}/${startTimeOf(process.pid) ?? "0"}/${pidScope()}`;
}

/** True when the holder of a lease of this machine still runs, and when that cannot be known. */
export function isAlive(leasedBy: string): boolean {
  const [, pid, startTime, where = pidScope()] = leasedBy.split("/");
  if (where !== pidScope()) return true;
  const number = Number(pid);
  if (!Number.isInteger(number) || number <= 0) return true;
  try {
    process.kill(number, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  const running = startTimeOf(number);
  return running === null || running === startTime;
}

/** Returns the clock ticks from boot to the start of the process, "dead" for a zombie. Null when /proc does not have it. */
function startTimeOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may contain spaces, so fields are counted after it. Field 3 is the state, field 22 the start time.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? "dead" : (fields[19] ?? null);
  } catch {
    return null;
  }
}
