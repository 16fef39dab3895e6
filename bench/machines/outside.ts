import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { openGitServer } from "../../tests/fakes/git-server.ts";
import { bucketKey, bucketSecret, type FakeBucket, startBucket } from "../../tests/fakes/s3/bucket.ts";
import { type Sink, startSink } from "../../tests/fakes/sink.ts";
import { type OwnRedis, startRedis } from "../redis.ts";
import { type Server, startServer } from "../soak/server.ts";

/** All that the machines share: PostgreSQL, Redis, a store, a server with git repositories, and a platform. */
export interface Outside {
  readonly server: Server;
  /** Null: the queue is in PostgreSQL. */
  readonly redis: OwnRedis | null;
  readonly bucket: FakeBucket;
  readonly sink: Sink;
  /** The bare repositories, and where they are served. */
  readonly served: { readonly folder: string; readonly url: string };
  /** As every machine is told of them. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function openOutside(root: string, onRedis: boolean): Promise<Outside> {
  const folder = join(root, "served");
  await mkdir(folder, { recursive: true });
  const server = await startServer(join(root, "server"));
  const redis = onRedis ? await startRedis(root) : null;
  const [bucket, sink, git] = await Promise.all([startBucket(), startSink(), openGitServer(folder, null)]);
  return {
    server,
    redis,
    bucket,
    sink,
    served: { folder, url: git.url },
    environment: {
      DATABASE_URL: server.url,
      ...(redis === null ? {} : { REDIS_URL: redis.url }),
      COS_STORE_URL: `${bucket.url}?region=eu-central-1`,
      COS_STORE_KEY: bucketKey,
      COS_STORE_SECRET: bucketSecret,
      COS_WEBHOOK_URL: sink.url,
    },
    async close() {
      redis?.stop();
      await Promise.all([bucket.close(), sink.close(), git.close()]);
      await server.stop();
    },
  };
}
