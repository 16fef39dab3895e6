import { type ChildProcess, spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const project = join(dirname(fileURLToPath(import.meta.url)), "../..");

export type Role = "bot" | "worker";

/** One role of the product as a real process that is started again after every kill. */
export interface Kept {
  readonly role: Role;
  /** Kills it without a warning and starts the next one at once. */
  kill(): Promise<void>;
  /** Asks it to stop and waits until it has; false when it did not stop cleanly. */
  stop(): Promise<boolean>;
  /** How often it ended though nobody killed it, each with the last lines of what it said. */
  readonly endings: readonly string[];
  readonly kills: () => number;
}

/** Starts a role and keeps it running. A process that ends by itself is noted, and started again. */
export function keepRunning(role: Role, environment: Readonly<Record<string, string>>): Kept {
  const endings: string[] = [];
  let kills = 0;
  let isStopping = false;
  let child = start();
  let ended = exitOf(child);

  function start(): ChildProcess {
    const next = spawn(process.execPath, [join(project, "bin/start.mjs")], {
      env: { ...environment, COS_ROLES: role },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let tail = "";
    const keep = (chunk: Buffer): void => {
      tail = (tail + chunk.toString()).slice(-4_000);
    };
    next.stdout.on("data", keep);
    next.stderr.on("data", keep);
    next.once("exit", (code, signal) => {
      if (isStopping || signal === "SIGKILL") return;
      endings.push(`${role} ended by itself (${signal ?? code}):\n${tail}`);
      again();
    });
    return next;
  }

  function again(): void {
    child = start();
    ended = exitOf(child);
  }

  return {
    role,
    endings,
    kills: () => kills,
    async kill() {
      const before = ended;
      kills += 1;
      child.kill("SIGKILL");
      await before;
      again();
    },
    async stop() {
      isStopping = true;
      child.kill("SIGTERM");
      return (await ended) === 0;
    },
  };
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once("exit", (code) => resolve(code)));
}

/** What a command of the terminal answered. `value` is its JSON document, null when it was refused or could not run. */
export interface Answered {
  readonly code: number | null;
  readonly value: unknown;
  readonly said: string;
}

/** One command of the terminal in a process of its own. */
export async function cos(environment: Readonly<Record<string, string>>, ...words: string[]): Promise<Answered> {
  const child = spawn(process.execPath, [join(project, "bin/cos.mjs"), ...words, "--json"], {
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const closed = new Promise((resolve) => child.once("close", resolve));
  const code = await exitOf(child);
  await closed;
  return { code, value: code === 0 ? (JSON.parse(stdout) as unknown) : null, said };
}
