import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";

/** What the kernel says about processes: Linux's `/proc`. Elsewhere, and of what cannot be seen, everything here is empty. */

/** One entry of `/proc`. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** The pid of whoever called setsid(2) for it; nobody can join another's session. */
  readonly session: number;
  readonly hasTerminal: boolean;
  /** "Z" for a process nobody has waited for. */
  readonly state: string;
}

/** Every process that can be seen. */
export function processes(): readonly ProcessEntry[] {
  return pids().flatMap((pid) => processEntry(pid) ?? []);
}

/** One process, or null when it is gone or cannot be seen. Source: proc(5), `/proc/pid/stat`. */
export function processEntry(pid: number): ProcessEntry | null {
  const stat = readProc(`/proc/${pid}/stat`);
  // Another process's entry, mounted over this one, says nothing of it.
  if (stat === null || !stat.startsWith(`${pid} `)) return null;
  // The name in parentheses may itself hold spaces and parentheses: the fields start after the last one.
  const [state, ...numbers] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [parent, group, session, terminal] = numbers.map(Number);
  if (state === undefined || parent === undefined || group === undefined || session === undefined) return null;
  return { pid, parent, group, session, hasTerminal: terminal !== undefined && terminal !== 0, state };
}

let hasSeen = false;

/** Whether processes can be seen here at all. Once they could be, they always can. */
export function canSeeProcesses(): boolean {
  hasSeen ||= processEntry(process.pid) !== null;
  return hasSeen;
}

/** The value of a variable in the environment a process was started with; null when absent or unreadable. */
export function environmentOf(pid: number, name: string): string | null {
  const entries = `\0${readProc(`/proc/${pid}/environ`) ?? ""}\0`;
  const before = entries.indexOf(`\0${name}=`);
  const from = before + name.length + 2;
  return before < 0 ? null : entries.slice(from, entries.indexOf("\0", from));
}

/**
 * The mark that a guard has left on a process (guard.pl): its limit of file locks; null for who does not descend from one. What
 * descends from one may lower it, and never loses it. Another user's can be read, too. Source: proc(5), `/proc/pid/limits`.
 */
export function guardMarkOf(pid: number | "self"): string | null {
  return /^Max file locks +\S+ +(\d+) /m.exec(readProc(`/proc/${pid}/limits`) ?? "")?.[1] ?? null;
}

/** `NAME=value`, as a process was started with them; empty when that cannot be read. */
export function environmentEntries(pid: number): readonly string[] {
  return (readProc(`/proc/${pid}/environ`) ?? "").split("\0").filter((entry) => entry !== "");
}

/** The program and its arguments; empty for the kernel's own processes. */
export function argumentsOf(pid: number): readonly string[] {
  return (readProc(`/proc/${pid}/cmdline`) ?? "").split("\0").slice(0, -1);
}

/** The file of the program that it runs, also where a newer one has taken its place; empty when that cannot be seen. */
export function programFile(pid: number): string {
  return linkTarget(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, "");
}

/** Whom it runs as; null when it is gone. */
export function userOf(pid: number): number | null {
  return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid ?? null;
}

/** The PID namespace of this process, by inode; null where there are none, or /proc is hidden. */
export function ownNamespace(): number | null {
  const inode = /^pid:\[(\d+)\]$/.exec(linkTarget("/proc/self/ns/pid"))?.[1];
  return inode === undefined ? null : Number(inode);
}

/** The pids of everything that can be seen. */
export function pids(): readonly number[] {
  return listed("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Whether a process is seen to hold one of these sockets, by inode. */
export function holdsSocket(pid: number, inodes: ReadonlySet<string>): boolean {
  const folder = `/proc/${pid}/fd`;
  return listed(folder).some((descriptor) => {
    const target = linkTarget(`${folder}/${descriptor}`);
    return target.startsWith("socket:[") && inodes.has(target.slice(8, -1));
  });
}

/** Another user's process, or one that ended meanwhile, reads as null. */
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
