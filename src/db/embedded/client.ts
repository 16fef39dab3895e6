import { spawn } from "node:child_process";
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmdirSync,
} from "node:fs";
import { createRequire } from "node:module";
import { connect, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { temporaryNames } from "../../core/housekeeping/folders.ts";
import type { Trouble } from "../../core/outages/trouble.ts";
import { EmbeddedDatabaseError, errorCode, USE_OWN_DATABASE } from "./errors.ts";
import { makeFolder } from "./make-folder.ts";
import { type EmbeddedPlaces, embeddedPlaces } from "./places.ts";
import { type EmbeddedState, readState, urlOf } from "./state.ts";

/** A held embedded PostgreSQL. It runs at least as long as this is held. */
export interface EmbeddedDatabase {
  /** Connection URL with the password: never log it. Valid for the life of this object unless `trouble` says otherwise. */
  readonly url: string;
  /** For people, without secrets: what it is and where its files are. */
  readonly description: string;
  /** Releases the server, which stops 2 s after the last process released it. May be called twice. Not calling it is safe too. */
  release(): Promise<void>;
  /**
   * Why the server is away, as far as is known. `not-started`: it cannot be started; that is retried until it succeeds. `moved`: it
   * came back at another address than `url`, which is then invalid for good. Null otherwise, also in a short interruption: then
   * connections simply fail and succeed again.
   */
  trouble(): Extract<Trouble, { type: "not-started" | "moved" }> | null;
}

/** Timeout for a first start on a slow machine: copying 60 MB and creating a cluster. Also for a long crash recovery. */
const OPEN_TIMEOUT_MS = 180_000;
const REOPEN_TIMEOUT_MS = 60_000;
const POLL_MS = 20;
/** Pause between two attempts to start a server that could not be started. */
const firstPauseMs = 1_000;
const longestPauseMs = 15_000;

/**
 * Starts the embedded PostgreSQL of a data directory, if it does not run, and holds it (D31). Any number of processes may do so at
 * once. The held socket does not keep this process alive. When the process ends, even by kill -9, it is released. When the supervisor
 * dies, another is started in the background and adopts the running server. Throws `EmbeddedDatabaseError` when it cannot serve.
 * @param options.dataDir made when missing; relative to the current directory.
 * @param options.onProgress called with sentences about slow steps, such as the first creation.
 * @param options.mayStart false: only holds a server that already runs; makes and starts nothing.
 */
export async function openEmbedded(options: {
  dataDir: string;
  onProgress: (text: string) => void;
  mayStart?: boolean;
}): Promise<EmbeddedDatabase> {
  if (options.mayStart === false && !existsSync(options.dataDir)) throw notRunning(options.dataDir);
  const places = preparePlaces(options.dataDir);
  let socket = await attach(places, OPEN_TIMEOUT_MS, options);
  const state = currentState(places);
  const url = urlOf(state);
  let whyNotStarted: string | null = null;
  const released = new AbortController();

  function hold(): void {
    socket.unref();
    socket.once("close", () => {
      if (!released.signal.aborted) void reattach();
    });
  }

  /** Called when the server died and could not be revived, or its supervisor died. Retries until it is up again or released. */
  async function reattach(): Promise<void> {
    for (let pauseMs = firstPauseMs; !released.signal.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        socket = await attach(places, REOPEN_TIMEOUT_MS, { onProgress: () => {} });
        whyNotStarted = null;
        if (released.signal.aborted) socket.destroy();
        else hold();
        return;
      } catch (error) {
        whyNotStarted = error instanceof Error ? error.message : String(error);
        await delay(pauseMs, undefined, { ref: false, signal: released.signal }).catch(() => undefined);
      }
    }
  }

  hold();
  return {
    url,
    description: `embedded PostgreSQL, port ${state.port}, files in ${state.isOutside ? places.outsideCluster : places.insideCluster}`,
    release() {
      released.abort();
      if (socket.closed) return Promise.resolve();
      return new Promise((resolve) => {
        socket.once("close", () => resolve());
        socket.destroy();
      });
    },
    trouble() {
      if (whyNotStarted !== null) return { type: "not-started", words: whyNotStarted };
      return [url, null].includes(urlNow(places)) ? null : { type: "moved" };
    },
  };
}

function preparePlaces(dataDir: string): EmbeddedPlaces {
  try {
    // Root's server runs as another user, who must at least be able to pass through.
    makeFolder(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700);
    const real = realpathSync(dataDir);
    accessSync(real, constants.W_OK | constants.X_OK);
    return embeddedPlaces(real);
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `The data directory ${dataDir} cannot be used (${errorCode(error)}). Make it writable for this user, or choose another with COS_DATA_DIR.`,
      { cause: error },
    );
  }
}

/** The current URL of the server. Null while it cannot be read. */
function urlNow(places: EmbeddedPlaces): string | null {
  try {
    const state = readState(places);
    return state === null ? null : urlOf(state);
  } catch {
    return null;
  }
}

function currentState(places: EmbeddedPlaces): EmbeddedState {
  const state = readState(places);
  if (state !== null) return state;
  throw new EmbeddedDatabaseError(`${places.stateFile} vanished while the database started. Start again.`);
}

/** Connects until a supervisor sends "ready". Starts one whenever nobody listens. */
async function attach(
  places: EmbeddedPlaces,
  timeoutMs: number,
  { onProgress, mayStart = true }: { onProgress: (text: string) => void; mayStart?: boolean },
): Promise<Socket> {
  const until = Date.now() + timeoutMs;
  let supervisor = { hasEnded: true, exitCode: 0 as number | null };
  while (Date.now() < until) {
    const answer = await ask(places, onProgress);
    if (answer.type === "ready") return answer.socket;
    if (answer.type === "error") throw new EmbeddedDatabaseError(answer.reason);
    // A supervisor that exited with 0 lost the race against another one, or has just served its last client.
    if (supervisor.hasEnded && supervisor.exitCode !== 0) throw new EmbeddedDatabaseError(startFailure(places));
    if (answer.type === "absent" && !mayStart) throw notRunning(places.dataDir);
    if (answer.type === "absent" && supervisor.hasEnded) supervisor = startSupervisor(places);
    await delay(POLL_MS, undefined, { ref: true });
  }
  throw new EmbeddedDatabaseError(
    `The embedded PostgreSQL was not ready after ${timeoutMs / 1000} s. See ${places.supervisorLog}. ${USE_OWN_DATABASE}`,
  );
}

function notRunning(dataDir: string): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    `No database runs for ${dataDir}, and a goal's own process starts none. Ask a person to run: npm start, or cos start where it is installed`,
  );
}

type Answer =
  | { type: "ready"; socket: Socket }
  | { type: "error"; reason: string }
  | { type: "absent" }
  | { type: "closed" };

/** Opens one connection and returns the first message that settles it. "closed": the supervisor was just leaving, ask again. */
function ask(places: EmbeddedPlaces, onProgress: (text: string) => void): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = connect(places.socket);
    let isConnected = false;
    let buffered = "";
    socket.setEncoding("utf8");
    socket.once("connect", () => (isConnected = true));
    socket.on("error", () => socket.destroy());
    socket.once("close", () => resolve({ type: isConnected ? "closed" : "absent" }));
    socket.on("data", (chunk: string) => {
      const lines = (buffered + chunk).split("\n");
      buffered = lines.pop() ?? "";
      for (const line of lines) {
        // Written by our own supervisor of the same version.
        const message = JSON.parse(line) as { ready?: true; error?: string; progress?: string };
        if (message.progress !== undefined) onProgress(message.progress);
        if (message.error !== undefined) resolve({ type: "error", reason: message.error });
        if (message.ready === true) resolve({ type: "ready", socket });
      }
    });
  });
}

function startSupervisor(places: EmbeddedPlaces): { hasEnded: boolean; exitCode: number | null } {
  const status: { hasEnded: boolean; exitCode: number | null } = { hasEnded: false, exitCode: 0 };
  const log = openSync(places.supervisorLog, "w", 0o600);
  const child = spawn(process.execPath, [...supervisorProgram(), places.dataDir], {
    cwd: "/",
    env: supervisorEnvironment(),
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  child.unref();
  child.once("error", () => Object.assign(status, { hasEnded: true, exitCode: 1 }));
  child.once("exit", (exitCode) => Object.assign(status, { hasEnded: true, exitCode }));
  return status;
}

/** Arguments for Node: the source file, or in an installed package, which has none, the compiled file. */
function supervisorProgram(): string[] {
  const source = join(dirname(fileURLToPath(import.meta.url)), "supervisor.ts");
  if (!existsSync(source)) return [fileURLToPath(new URL("../../../dist/db-embedded-supervisor.js", import.meta.url))];
  const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx/esm")).href;
  return ["--import", loader, source];
}

/** Contains no secret of ours, and nothing like NODE_OPTIONS: the supervisor lives longer than this process. */
function supervisorEnvironment(): NodeJS.ProcessEnv {
  const kept = ["PATH", "HOME", "TMPDIR", "TEMP", "SystemRoot"].flatMap((name) => {
    const value = process.env[name];
    const isUsable = value !== undefined && (!/^TE?MP/.test(name) || isForTemporary(value));
    return isUsable ? [[name, value]] : [];
  });
  const project = fileURLToPath(new URL("../../../tsconfig.json", import.meta.url));
  return { ...Object.fromEntries(kept), TSX_TSCONFIG_PATH: project };
}

/** The loader of the sources creates folders there with Node's own function, which hangs on some file systems (make-folder.ts). */
function isForTemporary(folder: string): boolean {
  try {
    rmdirSync(mkdtempSync(join(folder, temporaryNames.writable)));
    return true;
  } catch {
    return false;
  }
}

function startFailure(places: EmbeddedPlaces): string {
  const lines = readFileSync(places.supervisorLog, "utf8").trim().split("\n").slice(-8);
  return `The supervisor of the embedded PostgreSQL ended: ${lines.join("\n")}\nSee ${places.supervisorLog}. ${USE_OWN_DATABASE}`;
}
