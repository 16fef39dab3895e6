import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { examineQueue } from "../src/examine.ts";
import { openDoorbell, probeRedis, startWorkers } from "../src/queue.ts";
import { isQueueAway } from "../src/queue-failures.ts";
import { eventually } from "./fakes/bot.ts";
import { freePort } from "./fakes/port.ts";

/** A Redis that answers and takes nothing, and one that stands still: neither ends a connection. */

function isInstalled(): boolean {
  try {
    execFileSync("redis-server", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(!isInstalled())("a Redis that takes nothing", () => {
  let server: ChildProcess;
  let folder: string;
  let socket: string;
  let person: Redis;
  let errors: Error[];
  let heard: EventEmitter;
  let closings: { close(): Promise<void> }[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "cos-redis-"));
    socket = join(folder, "redis.sock");
    server = spawn("redis-server", ["--port", "0", "--unixsocket", socket, "--save", "", "--dir", folder], {
      stdio: "ignore",
    });
    person = new Redis(socket);
    person.on("error", () => undefined);
    await person.ping();
    errors = [];
    heard = new EventEmitter();
    closings = [];
  });
  afterEach(async () => {
    server.kill("SIGCONT");
    for (const each of closings) await each.close();
    person.disconnect();
    server.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  });

  const settings = () => ({ databaseUrl: "", redisUrl: socket, onError: (error: Error) => errors.push(error) });

  function bell() {
    const opened = openDoorbell(settings());
    closings.push(opened);
    return opened;
  }

  async function listen(): Promise<void> {
    const hear = async () => {
      heard.emit("ring");
    };
    const handlers = {
      "run-goal": hear,
      "retry-goal": hear,
      "run-campaign-day": hear,
      "read-replies": hear,
      reflect: hear,
    };
    closings.push(await startWorkers(settings(), handlers, 1));
  }

  it.each([
    ["has no memory left", ["CONFIG", "SET", "maxmemory", "1"], ["CONFIG", "SET", "maxmemory", "0"], "full"],
    ["became a replica", ["REPLICAOF", "127.0.0.1", "1"], ["REPLICAOF", "NO", "ONE"], "read-only"],
  ])("[F-113] that %s is away, is said to be, and is used again", async (_, break_, mend, type) => {
    await listen();
    const doorbell = bell();
    const first = once(heard, "ring");
    await doorbell.ring("run-goal");
    await first;
    const [command = "", ...words] = break_;

    await person.call(command, ...words);
    await doorbell.ring("run-goal");
    await doorbell.ring("reflect");
    const trouble = await probeRedis(socket);
    const [back = "", ...more] = mend;
    await person.call(back, ...more);
    const again = once(heard, "ring");
    await doorbell.ring("run-goal");
    await again;

    expect(trouble).toMatchObject({ type });
    expect(errors.length).toBeGreaterThanOrEqual(2);
    expect(errors.filter((error) => !isQueueAway(error))).toEqual([]);
    expect(await probeRedis(socket)).toBeNull();
  });

  it("that became a replica is not asked again at once by workers, and what is rung later is heard", async () => {
    await listen();

    await person.call("REPLICAOF", "127.0.0.1", "1");
    const refusals = async () =>
      Number(/errorstat_READONLY:count=(\d+)/.exec(await person.info("errorstats"))?.[1] ?? 0);
    const startedAt = performance.now();
    await eventually("refusals", async () => (await refusals()) >= 8);
    const perSecond = (1_000 * (await refusals())) / (performance.now() - startedAt);
    await person.call("REPLICAOF", "NO", "ONE");
    const again = once(heard, "ring");
    await bell().ring("run-goal");
    await again;

    expect(perSecond).toBeLessThan(5);
  });

  it.each([
    ["allkeys-lru", "50mb", false],
    ["allkeys-lru", "0", true],
    ["volatile-lru", "50mb", true],
    ["noeviction", "50mb", true],
  ])("that drops what waits is named by doctor, and no other one: %s within %s", async (policy, limit, isFine) => {
    await person.call("CONFIG", "SET", "maxmemory-policy", policy, "maxmemory", limit);

    const finding = await examineQueue({ redisUrl: socket });

    expect(finding).toMatchObject({ name: "queue", ok: isFine });
    expect(finding.says.includes("Set maxmemory-policy noeviction")).toBe(!isFine);
  });

  it("[F-101] that stands still is waited for once, is said to be silent, and keeps nothing of what was rung meanwhile", async () => {
    const doorbell = bell();
    await doorbell.ring("run-goal");
    const before = await person.llen("bull:goals:wait");

    server.kill("SIGSTOP");
    await doorbell.ring("run-goal");
    const startedAt = performance.now();
    for (let rings = 0; rings < 1000; rings += 1) await doorbell.ring("run-goal");
    const tookMs = performance.now() - startedAt;
    const trouble = await probeRedis(socket);
    server.kill("SIGCONT");
    while ((await person.llen("bull:goals:wait")) === before) await sleep(20);

    expect(tookMs).toBeLessThan(1_000);
    expect(errors.map(isQueueAway)).toEqual([true]);
    expect(trouble).toEqual({ type: "silent" });
    expect(await person.llen("bull:goals:wait")).toBe(before + 1);
    await doorbell.ring("run-goal");
    expect(await person.llen("bull:goals:wait")).toBe(before + 2);
  });

  it.each([
    ["may run no scripts", "-eval -evalsha", "/0"],
    ["may not wait", "-bzpopmin", "/0"],
    ["has no such database", "", "/99"],
  ])("whose user %s is named, and a start refuses it at once", async (_, rules, database) => {
    const port = await freePort();
    await person.call("CONFIG", "SET", "port", String(port));
    await person.call(
      "ACL",
      "SETUSER",
      "own",
      "on",
      ">own",
      "~*",
      "&*",
      "+@all",
      ...rules.split(" ").filter((rule) => rule !== ""),
    );
    const redisUrl = `redis://own:own@127.0.0.1:${port}${database}`;

    expect(await examineQueue({ redisUrl })).toMatchObject({
      ok: false,
      says: expect.stringContaining("REDIS_URL is right"),
    });
    await expect(startWorkers({ ...settings(), redisUrl }, idle, 1)).rejects.toThrow(
      /the queue cannot be used: Redis at/,
    );
  });

  it("that shows a certificate which nobody knows is refused at a start, and who talks otherwise than it does reads how", async () => {
    const [port, plainPort] = [await freePort(), await freePort()];
    for (const name of ["tls-cert-file", "tls-key-file", "tls-ca-cert-file"])
      await person.call("CONFIG", "SET", name, certificate);
    await person.call("CONFIG", "SET", "tls-auth-clients", "no", "tls-port", String(port), "port", String(plainPort));
    const saysOf = async (redisUrl: string) => (await examineQueue({ redisUrl })).says;

    const redisUrl = `rediss://localhost:${port}`;
    await expect(startWorkers({ ...settings(), redisUrl }, idle, 1)).rejects.toThrow(
      /the certificate of Redis at .+ is not trusted: self-signed certificate\. .+NODE_EXTRA_CA_CERTS=FILE/,
    );
    expect(await saysOf(`redis://localhost:${port}`)).toContain("rediss:// is encrypted, redis:// is not");
    expect(await saysOf(`rediss://localhost:${plainPort}`)).toContain("rediss:// is encrypted, redis:// is not");
  });
});

const certificate = fileURLToPath(new URL("fixtures/localhost.pem", import.meta.url));

const none = async () => undefined;
const idle = {
  "run-goal": none,
  "retry-goal": none,
  "run-campaign-day": none,
  "read-replies": none,
  reflect: none,
};
