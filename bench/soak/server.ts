import { chmodSync, mkdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { embeddedPlaces } from "../../src/db/embedded/places.ts";
import { stopPostmaster } from "../../src/db/embedded/postmaster.ts";
import { bringUp, type RunningServer } from "../../src/db/embedded/server.ts";
import { readState, urlOf } from "../../src/db/embedded/state.ts";
import { treeCpuMs } from "../postgres.ts";

/** A PostgreSQL of its own on a fixed port, as a person would run one: nobody supervises it and it can be restarted. */
export interface Server {
  readonly url: string;
  /** CPU that it has used since it was started last, in milliseconds. */
  cpuMs(): number;
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
  const places = embeddedPlaces(realpathSync(folder));
  const up = (): Promise<RunningServer> => bringUp(places, () => undefined);
  let running = await up();
  const state = readState(places);
  if (state === null) throw new Error("a server that runs has left its state");
  // It keeps the port that it was first given.
  const url = urlOf(state);

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
    cpuMs: () => treeCpuMs(running.pid),
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
      await stopPostmaster(running, running.cluster);
      running = await up();
    },
    async stop() {
      await stopPostmaster(running, running.cluster);
      rmSync(running.cluster, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export interface Folders {
  readonly server: string;
  readonly data: string;
  readonly work: string;
}

/** Where a run of the bench keeps its files. */
export function foldersOf(root: string): Folders {
  return { server: join(root, "server"), data: join(root, "data"), work: join(root, "work") };
}
