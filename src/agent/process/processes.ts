import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";

/** Reads Linux's `/proc`. Elsewhere, and for invisible processes, all results are empty. */

/** One process in `/proc`. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** The pid of the process that called setsid(2). A process cannot join another's session. */
  readonly session: number;
  readonly hasTerminal: boolean;
  /** "Z" for a zombie. */
  readonly state: string;
}

/** All visible processes. */
export function processes(): readonly ProcessEntry[] {
  return pids().flatMap((pid) => processEntry(pid) ?? []);
}

/** One process; null when it is gone or invisible. Source: proc(5), `/proc/pid/stat`. */
export function processEntry(pid: number): ProcessEntry | null {
  const stat = readProc(`/proc/${pid}/stat`);
  // Another process's entry may be mounted over this one.
  if (stat === null || !stat.startsWith(`${pid} `)) return null;
  // The name in parentheses may contain spaces and parentheses: the fields start after the last one.
  const [state, ...numbers] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [parent, group, session, terminal] = numbers.map(Number);
  if (state === undefined || parent === undefined || group === undefined || session === undefined) return null;
  return { pid, parent, group, session, hasTerminal: terminal !== undefined && terminal !== 0, state };
}

let hasSeen = false;

/** True when processes can be seen here. Once true, always true. */
export function canSeeProcesses(): boolean {
  hasSeen ||= processEntry(process.pid) !== null;
  return hasSeen;
}

/** The value of a variable in the initial environment of a process; null when absent or unreadable. */
export function environmentOf(pid: number, name: string): string | null {
  const entries = `\0${readProc(`/proc/${pid}/environ`) ?? ""}\0`;
  const before = entries.indexOf(`\0${name}=`);
  const from = before + name.length + 2;
  return before < 0 ? null : entries.slice(from, entries.indexOf("\0", from));
}

/**
 * The mark that a guard has left on a process (guard.pl): its limit of file locks. Null for a process that does not descend from a
 * guard. Descendants may lower it, but never lose it. Readable for other users' processes too. Source: proc(5), `/proc/pid/limits`.
 */
export function guardMarkOf(pid: number | "self"): string | null {
  return /^Max file locks +\S+ +(\d+) /m.exec(readProc(`/proc/${pid}/limits`) ?? "")?.[1] ?? null;
}

/** The initial environment of a process as `NAME=value`; empty when it is unreadable. */
export function environmentEntries(pid: number): readonly string[] {
  return (readProc(`/proc/${pid}/environ`) ?? "").split("\0").filter((entry) => entry !== "");
}

/** The program and its arguments; empty for kernel processes. */
export function argumentsOf(pid: number): readonly string[] {
  return (readProc(`/proc/${pid}/cmdline`) ?? "").split("\0").slice(0, -1);
}

/** The file of a process's program, even if a newer file has replaced it; empty when it is unreadable. */
export function programFile(pid: number): string {
  return linkTarget(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, "");
}

/** The user id of a process; null when the process is gone. */
export function userOf(pid: number): number | null {
  return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid ?? null;
}

/** The PID namespace of this process, by inode. Null where there are none, or /proc is hidden. */
export function ownNamespace(): number | null {
  const inode = /^pid:\[(\d+)\]$/.exec(linkTarget("/proc/self/ns/pid"))?.[1];
  return inode === undefined ? null : Number(inode);
}

/** The pids of all visible processes. */
export function pids(): readonly number[] {
  return listed("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** True when a process visibly holds one of these sockets, by inode. */
export function holdsSocket(pid: number, inodes: ReadonlySet<string>): boolean {
  const folder = `/proc/${pid}/fd`;
  return listed(folder).some((descriptor) => {
    const target = linkTarget(`${folder}/${descriptor}`);
    return target.startsWith("socket:[") && inodes.has(target.slice(8, -1));
  });
}

/** Reads a file of /proc; null for another user's process, or one that has ended. */
export function readProc(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linkTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
