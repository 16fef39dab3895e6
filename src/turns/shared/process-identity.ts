import { readFileSync } from "node:fs";
import { pidScope } from "../../db/embedded/pid-scope.ts";

/**
 * Who holds a lease: `machine/pid/start time/where`. The start time tells a process from a later one with its pid (D4), and
 * `where` this machine since it began from others of its name: pids say nothing of those.
 */
export function processIdentity(machine: string): string {
  return `${machine}/${process.pid}/${startTimeOf(process.pid) ?? "0"}/${pidScope()}`;
}

/** Whether the holder of a lease of this machine still runs. Where the system does not tell, it is taken to run. */
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

/** Clock ticks since boot at which the process began, "dead" for a zombie; null where /proc does not say. */
function startTimeOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold spaces; fields are counted behind it: 3 is the state, 22 the start time.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? "dead" : (fields[19] ?? null);
  } catch {
    return null;
  }
}
