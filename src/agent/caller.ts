import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { environmentOf, processEntry } from "./orphans.ts";

/**
 * Who is calling: a person, or a goal's own process (D2). A child carries `COS_RUN`; the caller is a goal's process
 * when it or any of its ancestors does. Needs Linux's `/proc`; elsewhere only our own environment is read.
 */

/** No chain of parents is this long; a limit against a table that changes while it is read. */
const longestChain = 1_000;

/** The run that process `pid` (ourselves when left out) belongs to, or null. */
export function runOfCaller(pid: number = process.pid): string | null {
  const own = pid === process.pid ? process.env["COS_RUN"] : undefined;
  if (own !== undefined && own !== "") return own;

  let current = pid;
  for (let steps = 0; current > 0 && steps < longestChain; steps += 1) {
    const run = environmentOf(current, "COS_RUN");
    if (run !== null && run !== "") return run;
    current = processEntry(current)?.parent ?? 0;
  }
  return null;
}

/**
 * The run behind a loopback TCP connection to us: `remotePort` is the peer's port, `localPort` ours. Null when the
 * peer is nobody's child, is another user's process, or cannot be found.
 */
export function runOfPeer(remotePort: number, localPort: number): string | null {
  const inodes = peerInodes(remotePort, localPort);
  if (inodes.size === 0) return null;
  for (const pid of processesHolding(inodes)) {
    const run = runOfCaller(pid);
    if (run !== null) return run;
  }
  return null;
}

/** The peer's own sockets, by inode. Source: proc(5), `/proc/net/tcp`: local is the peer, remote is us. */
function peerInodes(remotePort: number, localPort: number): ReadonlySet<string> {
  const found = new Set<string>();
  for (const table of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    for (const line of readTable(table)) {
      const [, local, remote, , , , , , , inode] = line.trim().split(/\s+/);
      if (inode === undefined || inode === "0") continue;
      if (portOf(local) === remotePort && portOf(remote) === localPort) found.add(inode);
    }
  }
  return found;
}

function portOf(address: string | undefined): number | null {
  const hex = address?.split(":").at(-1);
  return hex === undefined ? null : Number.parseInt(hex, 16);
}

function processesHolding(inodes: ReadonlySet<string>): readonly number[] {
  const pids = listed("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => holdsOneOf(pid, inodes)).map(Number);
}

function holdsOneOf(pid: string, inodes: ReadonlySet<string>): boolean {
  return listed(`/proc/${pid}/fd`).some((descriptor) => {
    const inode = /^socket:\[(\d+)\]$/.exec(linkTarget(`/proc/${pid}/fd/${descriptor}`))?.[1];
    return inode !== undefined && inodes.has(inode);
  });
}

/** Processes end and belong to others: what cannot be read is empty. */
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

function readTable(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8").split("\n").slice(1);
  } catch {
    return [];
  }
}
