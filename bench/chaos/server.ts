import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { findBinaries } from "../../src/db/embedded/binaries.ts";
import { configure, createCluster } from "../../src/db/embedded/cluster.ts";
import { placesOf } from "../../src/db/embedded/places.ts";
import { startPostmaster, stopPostmaster } from "../../src/db/embedded/postmaster.ts";
import { canEnter, serverUserFor } from "../../src/db/embedded/server-user.ts";
import { urlOf } from "../../src/db/embedded/state.ts";

/** A PostgreSQL of its own on a fixed port, as a person would run one: nobody supervises it and it can be restarted. */
export interface Server {
  readonly url: string;
  /** Ends one connection of the product, chosen by `pick` from those that are there; false when there is none. */
  endOneConnection(pick: (count: number) => number): Promise<boolean>;
  /** Stops the server, connections cut, and starts it again on the same port. */
  restart(): Promise<void>;
  /** Rows of a statement; tried again while the server is away. */
  rows<Row extends pg.QueryResultRow>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

/** Makes a cluster below `folder` and starts it. Durable (`fsync` on), so that a restart may be a crash. */
export async function startServer(folder: string): Promise<Server> {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o711);
  const places = placesOf(folder);
  const user = serverUserFor(folder, places.insideCluster);
  const cluster = canEnter(user, folder) ? places.insideCluster : places.outsideCluster;
  const binaries = findBinaries(user, folder);
  const state = await createCluster(places, { cluster, user, binaries });
  const port = await freePort();
  configure(cluster, port, user);
  let running = await startPostmaster(cluster, binaries, user);
  const url = urlOf({ ...state, port });

  async function rows<Row extends pg.QueryResultRow>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    for (let tries = 1; ; tries += 1) {
      const client = new pg.Client({ connectionString: url, application_name: "chaos" });
      client.on("error", () => undefined);
      try {
        await client.connect();
        return (await client.query<Row>(sql, [...values])).rows;
      } catch (error) {
        if (tries === 100) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      } finally {
        await client.end().catch(() => undefined);
      }
    }
  }

  return {
    url,
    rows,
    async endOneConnection(pick) {
      const found = await rows<{ pid: number }>(
        "select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and application_name <> 'chaos' order by pid",
      );
      const chosen = found[pick(found.length)];
      if (chosen === undefined) return false;
      await rows("select pg_terminate_backend($1)", [chosen.pid]);
      return true;
    },
    async restart() {
      await stopPostmaster(running, cluster);
      running = await startPostmaster(cluster, binaries, user);
    },
    async stop() {
      await stopPostmaster(running, cluster);
      rmSync(cluster, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** Where a run of the bench keeps its files. */
export function foldersOf(root: string): { readonly server: string; readonly data: string; readonly work: string } {
  return { server: join(root, "server"), data: join(root, "data"), work: join(root, "work") };
}
