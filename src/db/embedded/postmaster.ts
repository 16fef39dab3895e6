import { spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  constants,
  copyFileSync,
  fchownSync,
  ftruncateSync,
  fstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Binaries, SERVER_ENVIRONMENT } from "./binaries.ts";
import { EmbeddedDatabaseError, USE_OWN_DATABASE } from "./errors.ts";
import { identityOf, type ServerUser } from "./server-user.ts";

/** A running server: its first process and its port on 127.0.0.1. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
}

const POLL_MS = 15;
const MAX_LOG_BYTES = 10_000_000;
/** After a fast shutdown was requested: time for its checkpoint before harder ways. */
const STOP_FAST_MS = 10_000;
const STOP_NOW_MS = 3_000;

/**
 * The running server of a cluster, or null. Waits while one is starting up or recovering. Removes a pid file that names an unrelated
 * process, or a zombie, since PostgreSQL itself would only refuse to start.
 */
export async function findPostmaster(cluster: string): Promise<Postmaster | null> {
  for (;;) {
    const file = readPidFile(cluster);
    if (file === null) return null;
    if (!isPostmaster(file.pid, cluster)) {
      rmSync(join(cluster, "postmaster.pid"), { force: true });
      return null;
    }
    if (file.isReady) return { pid: file.pid, port: file.port };
    await delay(POLL_MS);
  }
}

/**
 * Starts the server and waits until it accepts connections, crash recovery included. The server has its own session: neither Ctrl-C in
 * a terminal nor the death of its supervisor reaches it. Throws `EmbeddedDatabaseError` with the end of the server's log when it ends
 * instead.
 */
export async function startPostmaster(
  cluster: string,
  binaries: Binaries,
  user: ServerUser | null,
): Promise<Postmaster> {
  const log = openLog(cluster, user);
  const logStart = fstatSync(log).size;
  const child = spawn(join(binaries.bin, "postgres"), ["-D", cluster], {
    ...identityOf(user),
    cwd: "/",
    env: SERVER_ENVIRONMENT,
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  const state: { end: string | null } = { end: null };
  child.once("error", (error) => (state.end = error.message));
  child.once("exit", (code, signal) => (state.end = `exit ${signal ?? code}`));
  while (state.end === null) {
    const file = readPidFile(cluster);
    if (file !== null && file.pid === child.pid && file.isReady) return { pid: file.pid, port: file.port };
    await delay(POLL_MS);
  }
  throw new EmbeddedDatabaseError(
    `The embedded PostgreSQL did not start (${state.end}): ${logTail(cluster, logStart)}\nIts log is ${logPath(cluster)}. ${USE_OWN_DATABASE}`,
  );
}

/**
 * Stops a server: fast shutdown, then without a checkpoint, then by force. Returns when its first process is gone, or after the last
 * timeout.
 */
export async function stopPostmaster(server: Postmaster, cluster: string): Promise<void> {
  // Without its pid file the data was deleted under it, and a checkpoint cannot be written.
  const isOrphan = readPidFile(cluster)?.pid !== server.pid;
  const steps: [NodeJS.Signals, number][] = [
    ["SIGINT", STOP_FAST_MS],
    ["SIGQUIT", STOP_NOW_MS],
    ["SIGKILL", STOP_NOW_MS],
  ];
  for (const [signal, patienceMs] of isOrphan ? steps.slice(1) : steps) {
    if (!isPostmaster(server.pid, cluster)) return;
    if (!signalled(server.pid, signal)) return;
    const until = Date.now() + patienceMs;
    while (isPostmaster(server.pid, cluster) && Date.now() < until) await delay(POLL_MS);
  }
}

/** False when the process has ended. Throws when it may not be signalled. */
function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}

/** True when this server still runs and still owns its cluster. False when the data was deleted or replaced. */
export function isServerAlive(server: Postmaster, cluster: string): boolean {
  return readPidFile(cluster)?.pid === server.pid && isPostmaster(server.pid, cluster);
}

/** Keeps the server's log below about 10 MB, with one older file of about that size beside it. Never throws. */
export function boundLog(cluster: string): void {
  try {
    const log = openSync(logPath(cluster), constants.O_RDWR | noFollow());
    try {
      if (fstatSync(log).size <= MAX_LOG_BYTES) return;
      const older = `${logPath(cluster)}.1`;
      rmSync(older, { force: true });
      copyFileSync(logPath(cluster), older, constants.COPYFILE_EXCL);
      // The server appends, so it continues at the new end.
      ftruncateSync(log, 0);
    } finally {
      closeSync(log);
    }
  } catch {
    // A log that cannot be trimmed is no reason to stop a database.
  }
}

function logPath(cluster: string): string {
  return join(cluster, "server.log");
}

/** We open it, possibly as root, in a folder that the server's user may write: never through a link. */
function openLog(cluster: string, user: ServerUser | null): number {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | noFollow();
  const log = openSync(logPath(cluster), flags, 0o600);
  if (user !== null) fchownSync(log, user.uid, user.gid);
  return log;
}

/** Zero where the system does not have the flag (Windows). */
function noFollow(): number {
  return constants.O_NOFOLLOW ?? 0;
}

function logTail(cluster: string, from: number): string {
  const lines = readFileSync(logPath(cluster)).subarray(from).toString("utf8").trim().split("\n");
  return lines.slice(-6).join("\n");
}

/**
 * Parses postmaster.pid: line 1 pid, 4 port, 8 "ready" or "starting" (PostgreSQL's miscadmin.h). Null when absent or without a valid
 * pid.
 */
function readPidFile(cluster: string): { pid: number; port: number; isReady: boolean } | null {
  try {
    const lines = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
    const pid = Number(lines[0]);
    if (!Number.isInteger(pid) || pid <= 0) return null;
    return { pid, port: Number(lines[3]), isReady: lines[7]?.trim() === "ready" };
  } catch {
    return null;
  }
}

/**
 * True when the pid is the first server process of this cluster. False for a reused pid and for a zombie. Recognized by its arguments,
 * also when the folder was deleted under it, or by its working directory after the folder was moved.
 */
function isPostmaster(pid: number, cluster: string): boolean {
  const command = commandLineOf(pid);
  if (!command.includes("postgres") || !command.includes(" -D ")) return false;
  return command.includes(` -D ${cluster} `) || workingDirectoryOf(pid) === cluster;
}

function workingDirectoryOf(pid: number): string {
  try {
    return process.platform === "linux" ? readlinkSync(`/proc/${pid}/cwd`) : "";
  } catch {
    return "";
  }
}

/** The arguments of a live process, each followed by a space. Empty when there is none, and for a zombie, whose arguments are gone. */
function commandLineOf(pid: number): string {
  if (process.platform === "linux") {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    } catch {
      return "";
    }
  }
  const question: [string, string[]] =
    process.platform === "win32"
      ? [
          "powershell",
          ["-NoProfile", "-Command", `(Get-CimInstance Win32_Process -Filter ProcessId=${pid}).CommandLine`],
        ]
      : ["/bin/ps", ["-ww", "-o", "args=", "-p", String(pid)]];
  return `${spawnSync(...question, { encoding: "utf8" }).stdout.trim()} `;
}
