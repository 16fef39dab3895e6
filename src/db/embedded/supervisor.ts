import type { Server, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { aliveEveryMs, sayAlive, sayGone } from "./elsewhere.ts";
import { listenAlone } from "./lock-socket.ts";
import { type EmbeddedPlaces, embeddedPlaces } from "./places.ts";
import { boundLog, isServerAlive, stopPostmaster } from "./postmaster.ts";
import { bringUp, type RunningServer } from "./server.ts";

/*
 * The process that owns a data directory's PostgreSQL (D31). Started by the first client, in a session of its own:
 *
 *   listen ── taken: exit 0, another supervisor lives
 *     │
 *   client connects ─► server up (adopted, started, created) ─► {"ready":true} ─► the client stays connected
 *     │                                  └─ failed ─► {"error":"…"}
 *   server died ─► up again, with growing pauses
 *   last client gone ─► 2 s ─► stop the server ─► a client came meanwhile? up again : exit
 *
 * All steps that start or stop the server run one after another, so no two overlap. The listening socket stays open until the process
 * ends: no second supervisor can meet a server that is being stopped.
 */

const LINGER_MS = 2_000;
const WATCH_MS = 250;
const LOG_CHECK_MS = 60_000;
/** Pauses between attempts to revive a server that died under its clients. After the last one the clients are disconnected. */
const REVIVE_PAUSES_MS = [0, 200, 500, 1_000, 2_000, 4_000];

function supervise(places: EmbeddedPlaces, listener: Server): void {
  const clients = new Set<Socket>();
  const kept = keepServer(places);
  const inTurn = openLine();
  let isReviving = false;
  let lingerMs = LINGER_MS;
  let linger: NodeJS.Timeout | null = null;

  listener.on("connection", (socket) => {
    clients.add(socket);
    if (linger !== null) clearTimeout(linger);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      clients.delete(socket);
      leaveSoon();
    });
    socket.resume();
    inTurn(() => serve(socket));
  });

  async function serve(socket: Socket): Promise<void> {
    try {
      await ensureServer((progress) => say(socket, { progress }));
      say(socket, { ready: true });
    } catch (error) {
      // Nothing runs, so there is no reason to linger: the next start gets a new process.
      lingerMs = 0;
      say(socket, { error: describe(error) });
      socket.end();
    }
  }

  async function ensureServer(progress: (text: string) => void): Promise<void> {
    if (await kept.ensure(progress)) lingerMs = LINGER_MS;
  }

  function leaveSoon(): void {
    if (clients.size > 0) return;
    linger = setTimeout(() => inTurn(leave), lingerMs);
  }

  async function leave(): Promise<void> {
    if (clients.size > 0) return;
    // A server that cannot be stopped keeps running, and the next supervisor adopts it.
    await kept.stop().catch((error: unknown) => process.stderr.write(`${describe(error)}\n`));
    // A client that came during the stop is next in line and gets a new server.
    if (clients.size === 0) process.exit(0);
  }

  async function revive(): Promise<void> {
    for (const pause of REVIVE_PAUSES_MS) {
      await delay(pause);
      if (clients.size === 0) return;
      try {
        return await ensureServer(() => {});
      } catch (error) {
        process.stderr.write(`${describe(error)}\n`);
      }
    }
    lingerMs = 0;
    for (const socket of clients) socket.destroy();
  }

  setInterval(() => {
    if (isReviving || !kept.hasDied()) return;
    isReviving = true;
    inTurn(() => revive().finally(() => (isReviving = false)));
  }, WATCH_MS);
  setInterval(() => kept.boundLog(), LOG_CHECK_MS);
  setInterval(() => kept.sayAlive(), aliveEveryMs);
  // A system that shuts down ends the clients too. Until they are gone, the server keeps running for them.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      lingerMs = 0;
      leaveSoon();
    });
  }
  // For a supervisor whose starter was killed before connecting.
  leaveSoon();
}

/** Returns a function that runs steps one after another. A failing step is logged and does not block the next. */
function openLine(): (step: () => Promise<void>) => void {
  let line: Promise<void> = Promise.resolve();
  return (step) => {
    line = line.then(step).catch((error: unknown) => {
      process.stderr.write(`${describe(error)}\n`);
    });
  };
}

/** The server of these places in its current state. */
function keepServer(places: EmbeddedPlaces) {
  let server: RunningServer | null = null;

  async function stop(): Promise<void> {
    if (server !== null) {
      await stopPostmaster(server, server.cluster);
      sayGone(places);
    }
    server = null;
  }

  return {
    /** Starts the server unless it serves already. Returns true when it had to. Throws what keeps it from running. */
    async ensure(progress: (text: string) => void): Promise<boolean> {
      if (server !== null && isServerAlive(server, server.cluster)) return false;
      await stop();
      server = await bringUp(places, progress);
      sayAlive(places);
      return true;
    },
    sayAlive(): void {
      if (server !== null) sayAlive(places);
    },
    stop,
    hasDied: () => server !== null && !isServerAlive(server, server.cluster),
    boundLog(): void {
      if (server !== null) boundLog(server.cluster);
    },
  };
}

function say(socket: Socket, message: { ready: true } | { error: string } | { progress: string }): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

process.umask(0o022);
const dataDir = process.argv[2];
if (dataDir === undefined) throw new Error("usage: supervisor.ts <data directory>");
const places = embeddedPlaces(dataDir);
const listener = await listenAlone(places.socket, places.socketIsFile);
if (listener === null) process.exit(0);
supervise(places, listener);
