import { type ChildProcess, execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { treeCpuMs } from "../postgres.ts";
import { type Machine, onMachine } from "./machine.ts";

const project = join(dirname(fileURLToPath(import.meta.url)), "../..");

export type Role = "bot" | "worker";

/** One role of the product as a real process that is started again after every kill. */
export interface Kept {
  readonly name: string;
  readonly role: Role;
  /** Where the console of a bot answers; null before it has said so. */
  consoleUrl(): string | null;
  /** Whether it has said that it works, or where its console is, since it was started last. */
  isUp(): boolean;
  pid(): number;
  /** Resident memory now, in MB; null while it starts. */
  memoryMb(): number | null;
  /** CPU that it and what it has started have used so far, in milliseconds, also before it was killed. */
  cpuMs(): number;
  /** Kills it without a warning and starts the next one at once, or when `meanwhile` has happened. */
  kill(meanwhile?: () => Promise<void>): Promise<void>;
  /** It stands still while this happens, what it has started does not, and goes on as if nothing had been. */
  freeze(meanwhile: () => Promise<void>): Promise<void>;
  /** Asks it to stop, waits until it has and starts it again, as a service manager does; false when it did not stop cleanly. */
  restart(): Promise<boolean>;
  /** Asks it to stop and waits until it has; false when it did not stop cleanly. */
  stop(): Promise<boolean>;
  /** How often it ended though nobody killed it, each with the last lines of what it said. */
  readonly endings: readonly string[];
  readonly kills: () => number;
}

export interface Started {
  readonly name: string;
  readonly role: Role;
  readonly environment: Readonly<Record<string, string>>;
  /** What node loads before the product, as URLs. */
  readonly before?: readonly string[];
  /** Absent: this machine, as the bench's own user. */
  readonly machine?: Machine;
}

/** Starts a role and keeps it running. A process that ends by itself is noted, and started again. */
export function keepRunning({ name, role, environment, before = [], machine }: Started): Kept {
  let consoleUrl: string | null = null;
  let isUp = false;
  const endings: string[] = [];
  let kills = 0;
  let earlierMs = 0;
  let isStopping = false;
  let child = start();
  let ended = exitOf(child);

  function start(): ChildProcess {
    const imports = before.flatMap((url) => ["--import", url]);
    const [command, ...args] = onMachine(machine, process.execPath, ...imports, join(project, "bin/start.mjs"));
    const next = spawn(command, args, { env: { ...environment, COS_ROLES: role }, stdio: ["ignore", "pipe", "pipe"] });
    let tail = "";
    const keep = (chunk: Buffer): void => {
      tail = (tail + chunk.toString()).slice(-4_000);
      // The last words of one that has ended say nothing of the next.
      if (next !== child) return;
      consoleUrl = /Console: (http:\S+?)\/\?token/.exec(tail)?.[1] ?? consoleUrl;
      isUp ||= consoleUrl !== null || /^Working \d+ goal/m.test(tail);
    };
    next.stdout.on("data", keep);
    next.stderr.on("data", keep);
    next.once("exit", (code, signal) => {
      if (isStopping || signal === "SIGKILL") return;
      endings.push(`${name} ended by itself (${signal ?? code}):\n${tail}`);
      again();
    });
    return next;
  }

  async function end(): Promise<boolean> {
    isStopping = true;
    child.kill("SIGTERM");
    return (await ended) === 0;
  }

  function again(): void {
    isUp = false;
    child = start();
    ended = exitOf(child);
  }

  return {
    name,
    role,
    consoleUrl: () => consoleUrl,
    isUp: () => isUp,
    pid: () => child.pid ?? 0,
    memoryMb: () => memoryOf(child.pid),
    cpuMs: () => earlierMs + treeCpuMs(child.pid ?? 0),
    endings,
    kills: () => kills,
    async kill(meanwhile) {
      const over = ended;
      kills += 1;
      earlierMs += treeCpuMs(child.pid ?? 0);
      consoleUrl = null;
      child.kill("SIGKILL");
      await over;
      await meanwhile?.();
      again();
    },
    async freeze(meanwhile) {
      const frozen = child;
      frozen.kill("SIGSTOP");
      await meanwhile();
      frozen.kill("SIGCONT");
    },
    async restart() {
      const isClean = await end();
      isStopping = false;
      consoleUrl = null;
      again();
      return isClean;
    },
    stop: end,
  };
}

function memoryOf(pid: number | undefined): number | null {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024);
  } catch {
    return null;
  }
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once("exit", (code) => resolve(code)));
}

/** Installs and compiles the program as our own user: those of other machines may only read it. Throws when that fails. */
export async function compileOnce(): Promise<void> {
  for (const words of [["--help"], ["start", "--help"]])
    await promisify(execFile)(process.execPath, [join(project, "bin/cos.mjs"), ...words]);
}

/** What a command of the terminal answered. `value` is its JSON document, null when it was refused or could not run. */
export interface Answered {
  readonly code: number | null;
  readonly value: unknown;
  readonly said: string;
}

/** One command of the terminal in a process of its own, on this machine. */
export async function cos(environment: Readonly<Record<string, string>>, ...words: string[]): Promise<Answered> {
  return await cosOn(undefined, environment, ...words);
}

/** The same on another machine. */
export async function cosOn(
  machine: Machine | undefined,
  environment: Readonly<Record<string, string>>,
  ...words: string[]
): Promise<Answered> {
  const [command, ...args] = onMachine(machine, process.execPath, join(project, "bin/cos.mjs"), ...words, "--json");
  const child = spawn(command, args, { env: environment, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const closed = new Promise((resolve) => child.once("close", resolve));
  const code = await exitOf(child);
  await closed;
  return { code, value: code === 0 ? (JSON.parse(stdout) as unknown) : null, said };
}
