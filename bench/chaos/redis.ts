import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { probeRedis } from "../../src/queue.ts";
import { freePort } from "../redis.ts";

/** A Redis that loses everything when it is told to. */
export interface LossyRedis {
  readonly port: number;
  flush(): Promise<void>;
  /** Kills it; what it held is gone. It answers on the same port again when this returns. */
  restart(): Promise<void>;
  stop(): void;
}

export async function startLossyRedis(folder: string): Promise<LossyRedis> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let child = await up();

  async function up(): Promise<ChildProcess> {
    const given = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder];
    const started = spawn("redis-server", given, { stdio: "ignore" });
    for (let tries = 0; (await probeRedis(url)) !== null; tries += 1) {
      if (tries === 200) throw new Error("redis-server does not answer");
      await sleep(50);
    }
    return started;
  }

  return {
    port,
    async flush() {
      const client = new Redis(url, { maxRetriesPerRequest: 1 });
      client.on("error", () => undefined);
      await client.flushall().catch(() => undefined);
      client.disconnect();
    },
    async restart() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
      child = await up();
    },
    stop: () => void child.kill("SIGKILL"),
  };
}
