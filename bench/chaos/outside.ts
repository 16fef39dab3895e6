import { type Sink, startSink } from "../../tests/fakes/sink.ts";
import { hasRedis } from "../redis.ts";
import { type LossyRedis, startLossyRedis } from "./redis.ts";
import { type Relay, startRelay } from "./relay.ts";
import { type Folders, type Server, startServer } from "../soak/server.ts";
import type { Troubles } from "./troubles.ts";

/** What the product stands on: its database and its queue, each behind a network of ours, and a platform. */
export interface Outside {
  readonly server: Server;
  /** Null: the queue is in PostgreSQL. */
  readonly redis: LossyRedis | null;
  readonly networks: readonly Relay[];
  readonly sink: Sink;
  /** As the product is given them: through the networks. */
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  close(): Promise<void>;
}

/** The queue is on Redis where its troubles are wanted. Throws where `redis-server` is missing then. */
export async function openOutside(folders: Folders, troubles: Troubles): Promise<Outside> {
  const wantsRedis = troubles.redisFlush !== undefined || troubles.redisRestart !== undefined;
  if (wantsRedis && !hasRedis()) throw new Error("redis-server is missing: install it, or say --postgres");
  const server = await startServer(folders.server);
  const redis = wantsRedis ? await startLossyRedis(folders.server) : null;
  const toDatabase = await startRelay(Number(new URL(server.url).port));
  const toRedis = redis === null ? null : await startRelay(redis.port);
  const databaseUrl = new URL(server.url);
  databaseUrl.port = String(toDatabase.port);
  const networks = toRedis === null ? [toDatabase] : [toDatabase, toRedis];
  const sink = await startSink();
  return {
    server,
    redis,
    networks,
    sink,
    databaseUrl: databaseUrl.href,
    redisUrl: toRedis === null ? null : `redis://127.0.0.1:${toRedis.port}`,
    async close() {
      for (const network of networks) await network.close();
      redis?.stop();
      await sink.close();
      await server.stop();
    },
  };
}
