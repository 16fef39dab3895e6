import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { isGroupAlive, killWith, sendSignal } from "./orphans.ts";

/**
 * Children die with us (D5). A small `sh` leads a process group of its own, leaves a watcher in it that reads a pipe
 * from us, and becomes the command. When the pipe closes, because we closed it or because we were killed, the watcher
 * kills its group. The watcher belongs to nobody (forked twice), so that a command that waits for all its children
 * does not wait for it; it holds none of the command's streams, and ignores the signals meant for the command.
 */
const guardScript = [
  `( ( trap '' TERM INT HUP QUIT; cd /; read -r closed <&3; kill -9 0 ) </dev/null >/dev/null 2>&1 & )`,
  `exec "$@" 3<&-`,
].join("\n");

/** Between asking a group to end and ending it. */
const graceMs = 2_000;

/** A group that cannot be killed (a process stuck in the kernel) is given up after this. */
const longestDyingMs = 5_000;

/** How the command itself ended. */
export type Exit =
  | { readonly type: "exited"; readonly exitCode: number }
  | { readonly type: "signalled"; readonly signal: NodeJS.Signals };

export interface GuardedProcess {
  readonly pid: number;
  /** Null unless asked for. */
  readonly stdin: Writable | null;
  readonly stdout: Readable;
  /** Null when it goes into `stdout`. */
  readonly stderr: Readable | null;
  /** Settles when the command itself ended; what is left of its group has then been sent SIGKILL. Never rejects. */
  readonly exited: Promise<Exit>;
  /** Asks the group to end, and ends it 2 s later. May be called again. */
  terminate(): void;
  /** Waits for the command, then for its group and what escaped from it to be gone. May be called again. */
  dead(): Promise<void>;
}

export type Start =
  | { readonly type: "started"; readonly process: GuardedProcess }
  | { readonly type: "not-started"; readonly reason: string };

/**
 * Starts `command` (program and arguments) in `cwd` with exactly `environment`, plus a marker by which its escaped
 * descendants are found. `streams` "merged" puts errors into the output in their order, "apart" keeps two streams.
 */
export function startGuarded(options: {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin: boolean;
  readonly streams: "merged" | "apart";
}): Promise<Start> {
  const problem = whyNotStartable(options.command, options.cwd, options.environment["PATH"] ?? "");
  if (problem !== null) return Promise.resolve({ type: "not-started", reason: problem });

  const marker = randomBytes(8).toString("hex");
  const isMerged = options.streams === "merged";
  const script = isMerged ? `exec 2>&1\n${guardScript}` : guardScript;
  const child = spawn("/bin/sh", ["-c", script, "sh", ...options.command], {
    cwd: options.cwd,
    env: { ...options.environment, COS_CHILD: marker },
    detached: true,
    stdio: [options.stdin ? "pipe" : "ignore", "pipe", isMerged ? "ignore" : "pipe", "pipe"],
  });
  return new Promise((settle) => {
    child.once("error", (error) => settle({ type: "not-started", reason: error.message }));
    child.once("spawn", () => settle({ type: "started", process: guarded(child, marker) }));
  });
}

function guarded(child: ChildProcess, marker: string): GuardedProcess {
  const { stdout } = child;
  if (child.pid === undefined || stdout === null) throw new Error("a started child has a pid and an output");
  const pid: number = child.pid;
  const lifeline = child.stdio[3];
  for (const stream of child.stdio) stream?.on("error", () => {}); // A pipe that breaks is seen as the child's end.

  const exited = new Promise<Exit>((settle) => {
    child.once("exit", (exitCode, signal) => {
      sendSignal(-pid, "SIGKILL");
      settle(signal === null ? { type: "exited", exitCode: exitCode ?? 0 } : { type: "signalled", signal });
    });
  });
  let killTimer: NodeJS.Timeout | null = null;

  async function bury(): Promise<void> {
    await exited;
    if (killTimer !== null) clearTimeout(killTimer);
    const until = Date.now() + longestDyingMs;
    for (let pause = 2; isGroupAlive(pid) && Date.now() < until; pause = Math.min(50, pause * 2)) {
      sendSignal(-pid, "SIGKILL");
      await sleep(pause);
    }
    await killWith("COS_CHILD", marker);
    lifeline?.destroy();
  }
  let buried: Promise<void> | null = null;

  return {
    pid,
    stdin: child.stdin,
    stdout,
    stderr: child.stderr,
    exited,
    terminate() {
      if (killTimer !== null) return;
      sendSignal(-pid, "SIGTERM");
      killTimer = setTimeout(() => sendSignal(-pid, "SIGKILL"), graceMs);
    },
    dead() {
      buried ??= bury();
      return buried;
    },
  };
}

/** What the shell would only say with exit code 127, as a sentence. */
function whyNotStartable(command: readonly string[], cwd: string, path: string): string | null {
  const [program] = command;
  if (program === undefined || program === "") return "the command is empty";
  if (command.some((word) => word.includes("\0"))) return "the command holds a NUL character";
  if (!isDirectory(cwd)) return `the directory ${cwd} does not exist`;
  if (program.includes("/")) {
    return isExecutable(isAbsolute(program) ? program : resolve(cwd, program))
      ? null
      : `${program} is not an executable file`;
  }
  const found = path.split(delimiter).some((folder) => folder !== "" && isExecutable(join(folder, program)));
  return found ? null : `${program} was not found in PATH`;
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
