import { type ChildProcess, execFile, spawn } from "node:child_process";
import { constants as system } from "node:os";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ownPath } from "./environment.ts";
import type { Exit, GuardedProcess, StartResult, StartOptions } from "./guarded-process.ts";
import { killWith, sendSignal } from "./orphans.ts";
import { programIn } from "./programs.ts";
import { allIsRead } from "./read-all.ts";

/**
 * A child whose descendants cannot escape. `guard.pl` is their "child subreaper" (prctl(2)): whatever they do (`setsid`, double forks,
 * an empty environment), they stay below a process with `COS_RUN`, are found there, and end with it. Node cannot make that system call;
 * perl can, and most machines with git have it. A process of the same user may kill the guard (reported as *lost*) and us; processes
 * that escape then keep their mark. One gap remains: a child may ask a daemon of the machine to start something.
 */

const guardProgram = fileURLToPath(new URL("guard.pl", import.meta.url));

/** The numbers of prctl(2) and prlimit64(2), by `process.arch`. Source: the kernel's syscall tables. */
const systemCalls: Readonly<Partial<Record<NodeJS.Architecture, readonly [prctl: number, prlimit: number]>>> = {
  x64: [157, 302],
  arm64: [167, 261],
  arm: [172, 369],
  ia32: [172, 340],
  loong64: [167, 261],
  ppc64: [171, 325],
  riscv64: [167, 261],
  s390x: [172, 334],
};

/** Time between asking a command to end and killing it with everything below it. */
const graceMs = 2_000;

/** Time after which processes that cannot be killed (stuck in the kernel, or another user's) are left below their guard. */
const longestDyingMs = 5_000;

/** The means to follow children on this machine. */
interface Follower {
  readonly perl: string;
  readonly calls: readonly [prctl: number, prlimit: number];
}

let found: Promise<Follower | null> | null = null;

/** Runs whose guard somebody else killed, so that its descendants may be anywhere. Known to this process only. */
const lost = new Set<string>();

/** True when children can be followed here. Tested once for each process, unless a child was started before. */
export async function isFollowedHere(): Promise<boolean> {
  found ??= probe();
  return (await found) !== null;
}

/** True when somebody else has killed a guard of this run since this process began. */
export function hasLostGuard(runId: string): boolean {
  return lost.has(runId);
}

/**
 * A new mark for a guard (guard.pl). It is lower than all earlier ones on this machine, because a process with a mark cannot get a
 * higher one.
 */
function freshMark(): string {
  return String(2n ** 62n - process.hrtime.bigint());
}

/** The means to follow children, if they exist here. Only the first start shows whether they work. */
function possibleFollower(): Follower | null {
  const calls = systemCalls[process.arch];
  const perl = programIn(ownPath(), "perl");
  return process.platform !== "linux" || calls === undefined || perl === null ? null : { perl, calls };
}

async function probe(): Promise<Follower | null> {
  const possible = possibleFollower();
  if (possible === null) return null;
  const { perl, calls } = possible;
  return await new Promise((settle) => {
    execFile(perl, [guardProgram, ...calls.map(String), freshMark(), "probe"], { env: {} }, (_error, stdout) => {
      settle(stdout === "followed\n" ? possible : null);
    });
  });
}

/** Starts a command below its own guard. Null when children cannot be followed here; then nothing was started. */
export async function startFollowed(options: StartOptions): Promise<StartResult | null> {
  const isTried = found !== null;
  const follower = found === null ? possibleFollower() : await found;
  const start = follower === null ? null : await startBelow(options, follower, isTried);
  if (start === null || start.type === "started") found ??= Promise.resolve(start === null ? null : follower);
  return start;
}

/** With `isTried` the guard's confirmation is not awaited. */
function startBelow(options: StartOptions, { perl, calls }: Follower, isTried: boolean): Promise<StartResult | null> {
  const { command, cwd, environment, stdin, streams, feed } = options;
  const mark = freshMark();
  const child = spawn(perl, [guardProgram, ...calls.map(String), mark, streams, ...command], {
    cwd,
    env: { ...environment },
    detached: true,
    stdio: [
      stdin ? "pipe" : "ignore",
      "pipe",
      streams === "merged" ? "ignore" : "pipe",
      "pipe",
      ...(feed === null ? [] : ["pipe" as const]),
    ],
  });
  // A pipe of `stdio` is a socket pair.
  if (feed !== null) (child.stdio[4] as Duplex).end(feed);
  return new Promise((settle) => {
    child.once("error", (error) => settle({ type: "not-started", reason: error.message }));
    child.once("spawn", () => {
      const process = followed(child, options, mark, (follows) => {
        settle(follows ? { type: "started", process } : null);
      });
      if (isTried) settle({ type: "started", process });
    });
  });
}

/**
 * `onWord` gets true when the guard follows, and false when it exited without following. A guard killed before it confirmed is lost,
 * like any other.
 */
function followed(
  child: ChildProcess,
  { marker, environment }: StartOptions,
  mark: string,
  onWord: (follows: boolean) => void,
): GuardedProcess {
  const { pid, stdout } = child;
  if (pid === undefined || stdout === null) throw new Error("a started child has a pid and an output");
  const guard: number = pid;
  // A pipe of `stdio` is a socket pair. The guard reports on it how the command ended, and dies when we close our end.
  const lifeline = child.stdio[3] as Duplex;
  for (const stream of child.stdio) stream?.on("error", () => {}); // A broken pipe is handled as the child's end.

  let isToEnd = false;
  let sent: NodeJS.Signals | null = null; // Our own signal: the guard dies of it until it forwards signals.
  const gone = new Promise<void>((settle) => {
    child.once("exit", (_exitCode, signal) => {
      if (signal !== null && !isToEnd && signal !== sent) lost.add(environment["COS_RUN"] ?? "");
      // Output written before the exit may not have been read yet.
      void allIsRead().then(() => onWord(signal !== null));
      settle();
    });
  });
  let giveUp = (): void => {};
  const exited = new Promise<Exit>((settle) => {
    giveUp = () => settle({ type: "signalled", signal: "SIGKILL" });
    let told = "";
    lifeline.on("data", (chunk: Buffer) => {
      told += chunk.toString();
      if (told.startsWith("followed\n")) onWord(true);
      const [, how, number] = /^followed\n(exit|signal) (\d+)\n/.exec(told) ?? [];
      if (how !== undefined) settle(exitOf(how, Number(number)));
    });
    // The guard reports before it exits, but its exit may reach us first.
    void gone.then(allIsRead).then(giveUp);
  });
  let killTimer: NodeJS.Timeout | null = null;

  /** Kills everything below the guard. A stopped guard must be continued first. */
  function endAll(): void {
    isToEnd = true;
    sendSignal(guard, "SIGCONT");
    lifeline.end();
  }

  async function bury(): Promise<void> {
    await exited;
    // After a request to end, all processes of the command get the grace time: a shell ends before the others.
    if (killTimer === null) endAll();
    await within(isToEnd ? longestDyingMs : graceMs + longestDyingMs, gone);
    if (killTimer !== null) clearTimeout(killTimer);
    await killWith("COS_CHILD", marker, mark);
    lifeline.destroy();
    child.unref();
  }
  let buried: Promise<void> | null = null;

  return {
    pid: guard,
    stdin: child.stdin,
    stdout,
    stderr: child.stderr,
    exited,
    terminate() {
      if (killTimer !== null) return;
      sendSignal(guard, "SIGCONT");
      sent = "SIGTERM";
      sendSignal(guard, "SIGTERM");
      killTimer = setTimeout(() => {
        endAll();
        killTimer = setTimeout(giveUp, longestDyingMs);
      }, graceMs);
    },
    dead() {
      buried ??= bury();
      return buried;
    },
  };
}

/** Waits for a promise, at most `ms` milliseconds. */
async function within(ms: number, coming: Promise<void>): Promise<void> {
  const limit = new AbortController();
  await Promise.race([coming, sleep(ms, undefined, { signal: limit.signal }).catch(() => {})]);
  limit.abort();
}

function exitOf(how: string, number: number): Exit {
  if (how === "exit") return { type: "exited", exitCode: number };
  const known = Object.entries(system.signals).find(([, each]) => each === number)?.[0];
  return { type: "signalled", signal: (known ?? "SIGKILL") as NodeJS.Signals };
}
