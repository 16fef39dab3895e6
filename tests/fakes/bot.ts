import { type ChildProcess, spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Real processes of this project: the bot, and one terminal command. */

export const projectDir = join(dirname(fileURLToPath(import.meta.url)), "../..");

/** What the processes of one test share. */
export interface Place {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Another user than ours; only root can start one. */
  readonly uid?: number;
}

function userOf({ uid }: Place): { uid?: number; gid?: number } {
  return uid === undefined ? {} : { uid, gid: uid };
}

/** One event of the bot's log. */
export interface LogEvent {
  readonly msg: string;
  /** pino's number: 30 info, 40 warn, 50 error. */
  readonly level: number;
  readonly goalId?: string;
  readonly subject?: string;
  readonly reason?: string;
  readonly forSeconds?: number;
}

export interface Bot {
  readonly pid: number;
  readonly url: string;
  readonly events: readonly LogEvent[];
  output(): string;
  /** The first event from `from` (an index of `events`) on that matches; rejects after 300 s or when the bot ended. */
  event(matches: (event: LogEvent) => boolean, from?: number): Promise<LogEvent>;
  kill(signal: NodeJS.Signals): void;
  exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** What a process of the place is started with. */
export function environmentOf(place: Place): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: process.env["HOME"] ?? "",
    COS_DATA_DIR: place.dataDir,
    COS_TIMEZONE: "UTC",
    PORT: "0",
    // Goals and criteria leave in the data directory what tests count; what holds where nothing isolates is what most are about.
    COS_ISOLATION: "off",
    ...(place.databaseUrl === "" ? {} : { DATABASE_URL: place.databaseUrl }),
    ...place.environment,
  };
}

/** Starts the bot and waits until its console listens. `onOutput` hears what it writes until then, and later. */
export async function startBot(place: Place, onOutput: (written: string) => void = () => undefined): Promise<Bot> {
  const child = spawn(process.execPath, [join(projectDir, "bin/start.mjs")], {
    ...userOf(place),
    env: environmentOf(place),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const events: LogEvent[] = [];
  const listeners = new Set<() => void>();
  let output = "";
  const exited = exitOf(child);
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    onOutput(chunk.toString());
    for (const listener of listeners) listener();
  });
  let partial = "";
  child.stderr.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    const lines = (partial + chunk.toString()).split("\n");
    partial = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith("{")) events.push(JSON.parse(line) as LogEvent);
    for (const listener of listeners) listener();
  });

  async function until<Found>(look: () => Found | undefined, what: string): Promise<Found> {
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => finish(() => reject(new Error(`no ${what} within 300 s:\n${output.slice(-3000)}`))),
        300_000,
      );
      const check = () => {
        const found = look();
        if (found !== undefined) finish(() => resolve(found));
      };
      function finish(end: () => void): void {
        clearTimeout(timer);
        listeners.delete(check);
        end();
      }
      listeners.add(check);
      void exited.then(() => finish(() => reject(new Error(`the bot ended before ${what}:\n${output.slice(-3000)}`))));
      check();
    });
  }

  const url = await until(() => /Console: (http:\S+?)\/\?token/.exec(output)?.[1], "console address");
  await until(() => events.find((event) => event.msg === "started"), "start");
  return {
    pid: child.pid ?? 0,
    url,
    events,
    output: () => output,
    event: (matches, from = 0) => until(() => events.slice(from).find(matches), "event"),
    kill: (signal) => child.kill(signal),
    exited,
  };
}

/** A process that only works goals, as it writes its log. */
export interface WorkerProcess {
  lines(): LogEvent[];
  /** Ends it as a service manager does, and waits for that. */
  stop(): Promise<number | null>;
}

/** Starts one, and waits until it works. */
export async function startWorker(place: Place): Promise<WorkerProcess> {
  const child = spawn(process.execPath, [join(projectDir, "bin/start.mjs")], {
    ...userOf(place),
    env: { ...environmentOf(place), COS_ROLES: "worker" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = exitOf(child);
  let written = "";
  child.stderr.on("data", (chunk: Buffer) => {
    written += chunk.toString();
  });
  const lines = () =>
    written
      .split("\n")
      .filter((line) => line.startsWith("{") && line.endsWith("}"))
      .map((line) => JSON.parse(line) as LogEvent);
  await eventually("the worker", async () => lines().some(({ msg }) => msg === "started"));
  return {
    lines,
    async stop() {
      child.kill("SIGTERM");
      return (await exited).code;
    },
  };
}

function exitOf(child: ChildProcess): Bot["exited"] {
  return new Promise((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The JSON document on stdout; throws when it is none. */
  json<Value>(): Value;
}

/** Runs `cos` with `--json` in a process of its own. */
export async function cos(place: Place, ...words: string[]): Promise<Ran> {
  return await runNode(place, [join(projectDir, "bin/cos.mjs"), ...words, "--json"]);
}

/** Runs node with a script and arguments in the place's environment, in the project's folder where none is named. */
export async function runNode(place: Place, args: readonly string[], cwd = projectDir): Promise<Ran> {
  const child = spawn(process.execPath, [...args], {
    ...userOf(place),
    env: environmentOf(place),
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const closed = new Promise((resolve) => child.once("close", resolve));
  const { code } = await exitOf(child);
  await closed;
  return { code, stdout, stderr, json: <Value>() => JSON.parse(stdout) as Value };
}

/** A limit for what hangs, not for slow machines: on a quiet one all that is waited for comes within seconds. */
const hangsAfterMs = 900_000;

/** Polls until `look` finds something; rejects with `what` when it hangs. */
export async function eventually<Found>(
  what: string,
  look: () => Promise<Found | null | undefined | false>,
): Promise<Found> {
  const deadline = Date.now() + hangsAfterMs;
  while (true) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${hangsAfterMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
