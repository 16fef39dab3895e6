import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Processes found by what their environment says, which survives `setsid`, double forks and our own death (D5). Needs
 * Linux's `/proc`; elsewhere everything here finds nothing.
 */

/** One entry of `/proc`. `group` is the process group; `state` is "Z" for a process nobody has waited for. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly state: string;
}

/** Every process that can be seen. Empty without `/proc`. */
export function processes(): readonly ProcessEntry[] {
  return pids().flatMap((pid) => processEntry(pid) ?? []);
}

/** One process, or null when it is gone or cannot be seen. Source: proc(5), `/proc/pid/stat`. */
export function processEntry(pid: number): ProcessEntry | null {
  const stat = readProc(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The name in parentheses may itself hold spaces and parentheses: the fields start after the last one.
  const [state, parent, group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (state === undefined || parent === undefined || group === undefined) return null;
  return { pid, parent: Number(parent), group: Number(group), state };
}

/** The value of a variable in the environment a process was started with; null when absent or unreadable. */
export function environmentOf(pid: number, name: string): string | null {
  const environ = readProc(`/proc/${pid}/environ`);
  if (environ === null) return null;
  const entry = environ.split("\0").find((each) => each.startsWith(`${name}=`));
  return entry === undefined ? null : entry.slice(name.length + 1);
}

/** The living processes whose environment holds `name=value`; never ourselves. */
export function processesWith(name: string, value: string): readonly number[] {
  return pids().filter((pid) => pid !== process.pid && environmentOf(pid, name) === value);
}

/** The living processes of a run, by `COS_RUN`. */
export function processesOf(runId: string): readonly number[] {
  return processesWith("COS_RUN", runId);
}

/** Kills what is left of a run, wherever it went. Returns how many processes; safe to call again. */
export function killRun(runId: string): Promise<number> {
  return killWith("COS_RUN", runId);
}

/** Kills every process whose environment holds `name=value`, and what they start meanwhile, for up to 5 s. */
export async function killWith(name: string, value: string): Promise<number> {
  const killed = new Set<number>();
  const until = Date.now() + 5_000;
  for (let living = processesWith(name, value); living.length > 0; living = processesWith(name, value)) {
    for (const pid of living) {
      if (sendSignal(pid, "SIGKILL")) killed.add(pid);
    }
    if (Date.now() > until) break;
    await sleep(5);
  }
  return killed.size;
}

/** Whether anything but the unburied dead is left in a process group. */
export function isGroupAlive(group: number): boolean {
  if (!sendSignal(-group, 0)) return false;
  const known = processes();
  if (known.length === 0) return true;
  return known.some((entry) => entry.group === group && entry.state !== "Z" && entry.state !== "X");
}

/** Sends a signal; false when there is nobody to take it. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

function pids(): readonly number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** Another user's process, or one that ended meanwhile, reads as null. */
function readProc(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
