import { chmod, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type EmbeddedPlaces, embeddedPlaces } from "../../src/db/embedded/places.ts";
import { stopPostmaster } from "../../src/db/embedded/postmaster.ts";
import { bringUp, type RunningServer } from "../../src/db/embedded/server.ts";
import { readState, urlOf, writeState } from "../../src/db/embedded/state.ts";
import { isAlive } from "../in-memory.ts";
import { type Proxy, startProxy } from "./proxy.ts";

/**
 * A PostgreSQL of the test's own behind an address that stays, without a supervisor: the test stops it, kills it, starts it
 * again. The server is the embedded one, the address a proxy.
 */
export interface OwnPostgres {
  /** What goes into DATABASE_URL. */
  readonly url: string;
  readonly proxy: Proxy;
  readonly pid: number;
  /** Ends it, as an operator does or by kill -9; connections break. */
  stop(how: "fast" | "kill"): Promise<void>;
  /** Starts it on the same data; at another port when `elsewhere`, as another machine would. */
  start(elsewhere?: "elsewhere"): Promise<void>;
  close(): Promise<void>;
}

/** On a busy machine the processes of a server that was killed take their time to end. */
async function bringUpAtLast(places: EmbeddedPlaces): Promise<RunningServer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await bringUp(places, () => undefined);
    } catch (error) {
      if (tries === 20) throw error;
    }
  }
}

/** Sends kill -9 and waits until the process has gone: until then who starts the server finds it running. */
async function killed(pid: number): Promise<void> {
  process.kill(pid, "SIGKILL");
  while (isAlive(pid)) await sleep(5);
}

export async function ownPostgres(): Promise<OwnPostgres> {
  const dataDir = await realpath(await mkdtemp(join(tmpdir(), "cos-own-")));
  await chmod(dataDir, 0o711);
  const places = embeddedPlaces(dataDir);
  let server: RunningServer | null = await bringUp(places, () => undefined);
  const state = readState(places);
  if (state === null) throw new Error("no state");
  const proxy = await startProxy(server.port);
  const url = urlOf({ ...state, port: proxy.port });

  async function stop(how: "fast" | "kill"): Promise<void> {
    proxy.target = null;
    if (server === null) return;
    if (how === "kill") await killed(server.pid);
    else await stopPostmaster(server, server.cluster);
    server = null;
    proxy.cut();
  }

  return {
    url,
    proxy,
    get pid() {
      return server?.pid ?? 0;
    },
    stop,
    async start(elsewhere) {
      const now = readState(places);
      // A port of zero is never free, so another one is taken.
      if (elsewhere !== undefined && now !== null) writeState(places, { ...now, port: 0 });
      server = await bringUpAtLast(places);
      proxy.target = server.port;
    },
    async close() {
      await stop("fast");
      await proxy.close();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 8, retryDelay: 250 });
    },
  };
}
