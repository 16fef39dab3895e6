import { execFileSync, spawn } from "node:child_process";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { probeRedis } from "../src/queue.ts";

/** A Redis of a measurement's own, which keeps nothing. */
export interface OwnRedis {
  readonly url: string;
  readonly port: number;
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
  return { url, port, stop: () => void child.kill("SIGKILL") };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
