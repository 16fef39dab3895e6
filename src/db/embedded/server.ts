import { existsSync, renameSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Binaries, findBinaries } from "./binaries.ts";
import { checkVersion, clusterIdOf, configure, createCluster, hasCluster, setFolderAside } from "./cluster.ts";
import { refuseElsewhere } from "./elsewhere.ts";
import { EmbeddedDatabaseError } from "./errors.ts";
import { OUTSIDE_ROOT, type EmbeddedPlaces } from "./places.ts";
import { findPostmaster, type Postmaster, startPostmaster } from "./postmaster.ts";
import { removeAbandoned } from "./abandoned.ts";
import { canEnter, type ServerUser, serverUserFor } from "./server-user.ts";
import { type EmbeddedState, readState, writeState } from "./state.ts";

/** A server that accepts connections, and the cluster it serves. */
export interface RunningServer extends Postmaster {
  readonly cluster: string;
}

/** Below every system's range for outgoing connections, so that the same port is probably still free after a restart. */
const PORT_FROM = 15_000;
const PORT_COUNT = 15_000;
const START_TRIES = 8;
const START_PAUSE_MS = 250;

/**
 * Makes the data directory's server run: adopts a running one, else creates the cluster if necessary and starts it. Afterwards the
 * state file contains what a client needs. Safe to repeat; only the supervisor may call it. Throws `EmbeddedDatabaseError`.
 */
export async function bringUp(places: EmbeddedPlaces, say: (progress: string) => void): Promise<RunningServer> {
  const before = readState(places);
  await refuseElsewhere(places, say);
  const cluster = chooseCluster(places, before);
  const user = serverUserFor(places.dataDir, cluster);

  const adopted = hasCluster(cluster) ? await findPostmaster(cluster) : null;
  if (adopted !== null && before !== null && isOurs(places, cluster, before)) {
    if (before.port !== adopted.port) writeState(places, { ...before, port: adopted.port });
    return { ...adopted, cluster };
  }

  const binaries = findBinaries(user, places.dataDir);
  const state =
    existingState(places, { cluster, state: before }, say) ??
    (await create(places, { cluster, user, binaries, before }, say));
  checkVersion(cluster, binaries);
  return { ...(await start(places, state, { cluster, user, binaries })), cluster };
}

/** Where the cluster is or will be. D31: inside the data directory unless the server's user cannot enter that. */
function chooseCluster(places: EmbeddedPlaces, state: EmbeddedState | null): string {
  if (hasCluster(places.insideCluster)) return places.insideCluster;
  if (state?.isOutside === true) {
    followMove(places, state);
    return places.outsideCluster;
  }
  const user = serverUserFor(places.dataDir, places.insideCluster);
  return canEnter(user, places.dataDir) ? places.insideCluster : places.outsideCluster;
}

/** When the data directory was renamed, its outside cluster is renamed too. A copied data directory gets an empty cluster of its own. */
function followMove(places: EmbeddedPlaces, state: EmbeddedState): void {
  const former = join(OUTSIDE_ROOT, state.key);
  if (state.key === places.key || existsSync(state.dataDir) || clusterIdOf(former) !== state.clusterId) return;
  renameSync(former, places.outsideCluster);
}

function isOurs(places: EmbeddedPlaces, cluster: string, state: EmbeddedState): boolean {
  return cluster === places.insideCluster || clusterIdOf(cluster) === state.clusterId;
}

/** The state of an existing cluster; null when one must be created. */
function existingState(
  places: EmbeddedPlaces,
  { cluster, state }: { readonly cluster: string; readonly state: EmbeddedState | null },
  say: (progress: string) => void,
): EmbeddedState | null {
  if (!hasCluster(cluster)) return null;
  if (state !== null && isOurs(places, cluster, state)) return state;
  if (cluster === places.insideCluster) {
    throw new EmbeddedDatabaseError(
      `${cluster} holds a database, but its password file ${places.stateFile} is missing. Restore the file, or move the folder away to start empty.`,
    );
  }
  // Another data directory was at this path before, or the state file was lost. The old rows are kept, but not shown.
  say(
    `the database in ${cluster} has its password in none of the files of ${places.dataDir}: it is kept in ${setFolderAside(cluster)}`,
  );
  return null;
}

async function create(
  places: EmbeddedPlaces,
  at: { cluster: string; user: ServerUser | null; binaries: Binaries; before: EmbeddedState | null },
  say: (progress: string) => void,
): Promise<EmbeddedState> {
  if (at.before !== null && at.before.dataDir === places.dataDir && !existsSync(at.cluster))
    say(
      `the database of ${places.dataDir} is gone: ${places.stateFile} names one, and ${at.cluster} is not there. An empty one begins; cos restore brings back a backup`,
    );
  if (existsSync(at.cluster))
    say(
      `what lies in ${at.cluster} is no whole database, its PG_VERSION is missing: it is kept in ${setFolderAside(at.cluster)}`,
    );
  say(`creating the database in ${at.cluster}`);
  if (at.cluster === places.outsideCluster) removeAbandoned();
  return createCluster(places, at);
}

/** Retries after temporary failures: a port taken meanwhile, or processes of a killed server that are still ending. */
async function start(
  places: EmbeddedPlaces,
  state: EmbeddedState,
  at: { cluster: string; user: ServerUser | null; binaries: Binaries },
): Promise<Postmaster> {
  for (let attempt = 1; ; attempt += 1) {
    const port = (await isFree(state.port)) ? state.port : await freePort();
    configure(at.cluster, port, at.user);
    writeState(places, { ...state, dataDir: places.dataDir, key: places.key, port });
    try {
      return await startPostmaster(at.cluster, at.binaries, at.user);
    } catch (error) {
      const isPassing = /could not bind|still in use|lock file/.test(error instanceof Error ? error.message : "");
      if (!isPassing || attempt === START_TRIES) throw error;
      await delay(START_PAUSE_MS);
    }
  }
}

async function freePort(): Promise<number> {
  for (;;) {
    const port = PORT_FROM + Math.floor(Math.random() * PORT_COUNT);
    if (await isFree(port)) return port;
  }
}

/** True when a port of 127.0.0.1 can be bound. Zero, the port of a new state, is never free. */
function isFree(port: number): Promise<boolean> {
  if (port === 0) return Promise.resolve(false);
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen({ port, host: "127.0.0.1", exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
