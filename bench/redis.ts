import { execFileSync, spawn } from "node:child_process";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { probeRedis } from "../src/queue.ts";

/** A Redis of a measurement's own, which keeps nothing. */
export interface OwnRedis {
  readonly url: string;
  readonly port: number;
  /** What clients have asked it to do, so far: each call of a script once, and waiting for the next job. */
  commands(): Promise<number>;
  stop(): void;
}

/** Whether `redis-server` is installed on this machine. */
export function hasRedis(): boolean {
  try {
    execFileSync("redis-server", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Starts one on a free port and waits until it answers. */
export async function startRedis(dataDir: string): Promise<OwnRedis> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const given = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", dataDir];
  const child = spawn("redis-server", given, { stdio: "ignore" });
  for (let tries = 0; (await probeRedis(url)) !== null; tries += 1) {
    if (tries === 200 || child.exitCode !== null) throw new Error("redis-server does not answer");
    await sleep(100);
  }
  const asking = new Redis(url);
  return {
    url,
    port,
    commands: async () => sumOfCalls(await asking.info("commandstats")),
    stop() {
      asking.disconnect();
      child.kill("SIGKILL");
    },
  };
}

/** `cmdstat_evalsha:calls=12,usec=…`; what scripts do inside is not a client's call. */
function sumOfCalls(stats: string): number {
  const calls = [...stats.matchAll(/^cmdstat_(?:eval|evalsha|bzpopmin):calls=(\d+)/gm)];
  return calls.reduce((sum, [, count]) => sum + Number(count), 0);
}

/** A port of loopback that nobody uses now. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
