import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { embeddedPlaces } from "../../src/db/embedded/places.ts";
import { eventually } from "./bot.ts";

/** A real process that holds the database of a data directory. */
export interface Holder {
  readonly url: string;
  readonly child: ChildProcess;
  /** Ends it as a finished program ends. */
  finish(): Promise<void>;
  kill(): Promise<void>;
}

const dataDirs: string[] = [];

/** A new data directory; removed by `cleanUp` together with every process and cluster of it. */
export function dataDirectory(options: { mode: number; uid?: number }): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), "cos-embedded-")));
  chmodSync(made, options.mode);
  if (options.uid !== undefined) chownSync(made, options.uid, options.uid);
  dataDirs.push(made);
  return made;
}

/** Another data directory that `cleanUp` removes with all that runs in it, such as one that a bot made. */
export function alsoCleanUp(dataDir: string): void {
  dataDirs.push(realpathSync(dataDir));
}

/** Starts a holder and waits until it has the database. Rejects with its error. */
export async function hold(
  dataDir: string,
  as: { uid?: number; environment?: NodeJS.ProcessEnv } = {},
): Promise<Holder> {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx/esm")).href;
  const child = spawn(
    process.execPath,
    ["--import", loader, join(import.meta.dirname, "embedded-holder.ts"), dataDir],
    {
      ...(as.uid === undefined ? {} : { uid: as.uid, gid: as.uid }),
      cwd: "/",
      env: as.environment ?? { PATH: process.env["PATH"] },
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  for await (const line of createInterface({ input: child.stdout })) {
    const answer = JSON.parse(line) as { url?: string; error?: string };
    if (answer.url === undefined) throw new Error(answer.error);
    return {
      url: answer.url,
      child,
      finish: () => (child.stdin.end(), ended),
      kill: () => (child.kill("SIGKILL"), ended),
    };
  }
  throw new Error("the holder ended without a word");
}

/** Runs one statement on a connection of its own; the rows. */
export async function sql(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Pids of living processes with a text in their arguments (Linux). */
export function pidsWith(text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandLine(pid).includes(text))
    .map(Number);
}

export function supervisorsOf(dataDir: string): number[] {
  return pidsWith(`supervisor.ts ${dataDir} `);
}

/** The postmasters of a data directory. A backend carries its postmaster's arguments until it has named itself: it is none. */
export function serversOf(dataDir: string): number[] {
  const { insideCluster, outsideCluster } = embeddedPlaces(dataDir);
  const pids = [...pidsWith(`-D ${insideCluster} `), ...pidsWith(`-D ${outsideCluster} `)];
  return pids.filter((pid) => !pids.includes(parentOf(pid)));
}

/** Ends what a test left: supervisors, servers, clusters and folders of every `dataDirectory`. */
export async function cleanUp(): Promise<void> {
  for (const dataDir of dataDirs.splice(0)) {
    const { outsideCluster } = embeddedPlaces(dataDir);
    for (const pid of supervisorsOf(dataDir)) process.kill(pid, "SIGKILL");
    for (const pid of serversOf(dataDir)) process.kill(pid, "SIGQUIT");
    await eventually("its servers to end", async () => serversOf(dataDir).length === 0);
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    rmSync(outsideCluster, { recursive: true, force: true, maxRetries: 5 });
  }
}

function parentOf(pid: number): number {
  try {
    // "pid (name) state ppid …"; the name may hold anything, parentheses too.
    return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(")").at(-1)?.trim().split(" ")[1]);
  } catch {
    return 0;
  }
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}
