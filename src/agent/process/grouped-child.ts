import { type ChildProcess, spawn } from "node:child_process";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Exit, GuardedProcess, StartResult, StartOptions } from "./guarded-process.ts";
import { isGroupAlive, killWith, sendSignal } from "./orphans.ts";

/**
 * The fallback where descendants cannot be followed. A small `sh` leads its own process group, starts a watcher that reads a pipe from
 * us, and becomes the command. When the pipe closes, because we closed it or were killed, the watcher kills its group. The watcher is
 * forked twice, so that a command that waits for all its children does not wait for it. It holds none of the command's streams, and
 * ignores signals meant for the command. Processes that leave the group are found by their environment, unless they cleared it.
 */
const guardScript = [
  `( ( trap '' TERM INT HUP QUIT; cd /; read -r closed <&3; kill -9 0 ) </dev/null >/dev/null 2>&1 & )`,
  `exec "$@" 3<&-`,
].join("\n");

/** Time between asking a group to end and killing it. */
const graceMs = 2_000;

/** Time after which a group that cannot be killed (stuck in the kernel) is given up. */
const longestDyingMs = 5_000;

/** Starts a command as the leader of a process group that ends with us. */
export function startGrouped({
  command,
  cwd,
  environment,
  marker,
  stdin,
  streams,
  feed,
}: StartOptions): Promise<StartResult> {
  const isMerged = streams === "merged";
  const script = isMerged ? `exec 2>&1\n${guardScript}` : guardScript;
  const child = spawn("/bin/sh", ["-c", script, "sh", ...command], {
    cwd,
    env: { ...environment },
    detached: true,
    stdio: [
      stdin ? "pipe" : "ignore",
      "pipe",
      isMerged ? "ignore" : "pipe",
      "pipe",
      ...(feed === null ? [] : ["pipe" as const]),
    ],
  });
  // A pipe of `stdio` is a socket pair.
  if (feed !== null) (child.stdio[4] as Duplex).end(feed);
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
  for (const stream of child.stdio) stream?.on("error", () => {}); // A broken pipe is handled as the child's end.

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
