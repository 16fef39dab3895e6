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
 * A child whose descendants cannot leave it: `guard.pl` is their "child subreaper" (prctl(2)), so that whatever they do
 * (`setsid`, double forks, an empty environment) they stay below a process that carries `COS_RUN`, are found there, and end
 * with it. Node cannot ask the kernel for that itself; perl can, and lies on most machines that have git. A process of the same
 * user may kill the guard (said as *lost*) and us: what it lets go keeps its mark. What remains: it may ask a daemon of the
 * machine to start something.
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

/** Between asking a command to end and ending it with everything below it. */
const graceMs = 2_000;

/** What cannot be killed (a process stuck in the kernel, another user's) is left below its guard after this. */
const longestDyingMs = 5_000;

/** How children of this machine are followed. */
interface Follower {
  readonly perl: string;
  readonly calls: readonly [prctl: number, prlimit: number];
}

let found: Promise<Follower | null> | null = null;

/** Runs whose guard was ended by somebody else: what descended from it may be anywhere. Facts of this process. */
const lost = new Set<string>();

/** Whether anything follows children here. Tried, not guessed; once a process, and not at all where a child was started before. */
export async function isFollowedHere(): Promise<boolean> {
  found ??= probe();
  return (await found) !== null;
}

/** Whether the guard of a run was ended by somebody else since this process began. */
export function hasLostGuard(runId: string): boolean {
  return lost.has(runId);
}

/** One guard's mark (guard.pl): less than any before it on this machine, for nobody gets a higher one who has one already. */
function freshMark(): string {
  return String(2n ** 62n - process.hrtime.bigint());
}

/** What may follow children, by what lies here; whether it does, its first start tells. */
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

/** Starts a command below a guard of its own; null, and nothing was started, where nothing follows children here. */
export async function startFollowed(options: StartOptions): Promise<StartResult | null> {
  const isTried = found !== null;
  const follower = found === null ? possibleFollower() : await found;
  const start = follower === null ? null : await startBelow(options, follower, isTried);
  if (start === null || start.type === "started") found ??= Promise.resolve(start === null ? null : follower);
  return start;
}

/** Whether a follower that was tried follows is not waited for. */
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

/** `onWord` hears once whether the guard follows. One that was ended before it said so is lost, like any other. */
function followed(
  child: ChildProcess,
  { marker, environment }: StartOptions,
  mark: string,
  onWord: (follows: boolean) => void,
): GuardedProcess {
  const { pid, stdout } = child;
  if (pid === undefined || stdout === null) throw new Error("a started child has a pid and an output");
  const guard: number = pid;
  // A pipe of `stdio` is a socket pair: the guard tells on it how the command ended, and dies when we close our end.
  const lifeline = child.stdio[3] as Duplex;
  for (const stream of child.stdio) stream?.on("error", () => {}); // A pipe that breaks is seen as the child's end.

  let isToEnd = false;
  let sent: NodeJS.Signals | null = null; // Of ours: it dies of it until it hands signals on.
  const gone = new Promise<void>((settle) => {
    child.once("exit", (_exitCode, signal) => {
      if (signal !== null && !isToEnd && signal !== sent) lost.add(environment["COS_RUN"] ?? "");
      // What it said before it ended may still be on its way to us.
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
    // The guard tells before it ends, and both may reach us at once, its end first.
    void gone.then(allIsRead).then(giveUp);
  });
  let killTimer: NodeJS.Timeout | null = null;

  /** Everything below the guard is to die. One that was stopped would not hear it. */
  function endAll(): void {
    isToEnd = true;
    sendSignal(guard, "SIGCONT");
    lifeline.end();
  }

  async function bury(): Promise<void> {
    await exited;
    // What was asked to end has its grace, with all that the command started: a shell is the first to go.
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

/** Waits for what may never come, for so long at most. */
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
