import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";

const longestLookMs = 3_000;

/**
 * The policy by which Redis drops keys of ours when its memory is full; null where it drops none of them, or does not say. What has no
 * end of its own, as all that waits in a queue, goes by `allkeys-…` alone, and only where there is a limit. Never throws.
 */
export async function evictionOf(url: string): Promise<string | null> {
  const redis = new Redis(url, { lazyConnect: true, connectTimeout: longestLookMs, retryStrategy: () => null });
  redis.on("error", () => undefined);
  try {
    const asked = redis.connect().then(() => redis.info("memory"));
    const said = await Promise.race([asked, sleep(longestLookMs, "", { ref: false })]);
    const policy = /^maxmemory_policy:(allkeys-\S+)/m.exec(said)?.[1] ?? null;
    return /^maxmemory:0\s*$/m.test(said) ? null : policy;
  } catch {
    return null;
  } finally {
    redis.disconnect();
  }
}
