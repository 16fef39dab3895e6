import { lookup } from "node:dns/promises";
import { existsSync, realpathSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { BlockList, connect, createServer, isIPv6, type Server, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { type Reach, splitHost } from "../../core/isolation/network.ts";
import type { Forward, Mount, Network, Tools } from "./bubblewrap.ts";

/** A room's private network, with its connections to the outside. */
export interface WayOut {
  readonly network: Network;
  readonly mounts: readonly Mount[];
  /** Stops forwarding. */
  close(): void;
}

/** Folder of the forwarding sockets, inside. */
const socketsInside = "/run/ports";

/** Address at which slirp4netns answers name lookups. */
const nameServer = "10.0.2.3";

/**
 * Opens a network that reaches what `reach` says, and on this machine only `ports` of its loopback, which a person named. Falls back to
 * the machine's network when slirp4netns is needed but missing. `folder` must be ours alone and have a short path, because sockets lie
 * in it.
 */
export async function openWayOut(
  tools: Tools,
  { reach, ports }: { readonly reach: Reach; readonly ports: readonly number[] },
  folder: string,
): Promise<WayOut> {
  if (reach.type === "all" && tools.wayOut === null)
    return { network: { type: "machine" }, mounts: [], close: () => undefined };
  const named = reach.type === "hosts" ? reach.hosts.flatMap((host) => splitHost(host) ?? []) : [];
  const local = ports.map((port) => ({ name: "localhost", port }));
  const led = await leadTo([...local, ...named.filter(({ name }) => name !== "localhost")], folder);
  if (reach.type !== "all") return { ...led, network: { type: "none", forwards: led.forwards } };
  const names = join(folder, "resolv.conf");
  await writeFile(names, `nameserver ${nameServer}\n`).catch((error: unknown) => {
    led.close();
    throw error;
  });
  const at = existsSync("/etc/resolv.conf") ? realpathSync("/etc/resolv.conf") : null;
  const resolving: Mount[] = at === null ? [] : [{ type: "read", from: names, at }];
  return { ...led, mounts: [...resolving, ...led.mounts], network: { type: "out", forwards: led.forwards } };
}

interface Target {
  readonly name: string;
  readonly port: number;
}

/** Creates a socket for each target. Inside, the target's name resolves to an address of the private loopback. */
async function leadTo(
  targets: readonly Target[],
  folder: string,
): Promise<{ readonly forwards: readonly Forward[]; readonly mounts: readonly Mount[]; close(): void }> {
  if (targets.length === 0) return { forwards: [], mounts: [], close: () => undefined };
  const sockets = join(folder, "ports");
  await mkdir(sockets);
  const names = [...new Set(targets.map(({ name }) => name))].filter((name) => name !== "localhost");
  const addressOf = (name: string): string =>
    name === "localhost" ? "127.0.0.1" : `127.77.0.${names.indexOf(name) + 1}`;
  const lines = ["127.0.0.1 localhost", "::1 localhost", ...names.map((name) => `${addressOf(name)} ${name}`)];
  const hosts = join(folder, "hosts");
  await writeFile(hosts, `${lines.join("\n")}\n`);
  const servers = await listenAll(targets, sockets);
  const known = existsSync("/etc/hosts") && names.length > 0 ? realpathSync("/etc/hosts") : null;
  return {
    forwards: targets.map(({ name, port }, index) => ({
      address: addressOf(name),
      port,
      socket: `${socketsInside}/${index}`,
    })),
    mounts: [
      ...(known === null ? [] : [{ type: "read", from: hosts, at: known } as const]),
      { type: "read", from: sockets, at: socketsInside },
    ],
    close() {
      for (const server of servers) server.close();
    },
  };
}

/** Opens a socket in `folder` for each target, or none: then it throws the first error. */
async function listenAll(targets: readonly Target[], folder: string): Promise<readonly Server[]> {
  const opened = await Promise.allSettled(targets.map((target, index) => forward(join(folder, String(index)), target)));
  const servers = opened.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const failed = opened.find((each) => each.status === "rejected");
  if (failed === undefined) return servers;
  for (const server of servers) server.close();
  throw failed.reason;
}

/** Opens a socket that forwards to a target. Throws errors of the file system. */
async function forward(socket: string, target: Target): Promise<Server> {
  const server = createServer((caller) => {
    caller.on("error", () => caller.destroy());
    void answererOf(target).then((answerer) => {
      if (answerer === null || caller.destroyed) {
        caller.destroy();
        answerer?.destroy();
        return;
      }
      caller.on("error", () => answerer.destroy());
      answerer.on("error", () => caller.destroy());
      caller.pipe(answerer);
      answerer.pipe(caller);
    });
  });
  await new Promise<void>((settle, fail) => server.once("error", fail).listen(socket, settle));
  return server;
}

/**
 * Connects to a target. Null when its name is unknown, or resolves to this machine: database, queue and console listen here, and would
 * take the call for ours. Only `localhost` reaches this machine, at ports that a person named.
 */
async function answererOf({ name, port }: Target): Promise<Socket | null> {
  if (name === "localhost") return connect(port, "127.0.0.1");
  const found = await lookup(name).catch(() => null);
  return found === null || isOfThisMachine(found.address) ? null : connect(port, found.address);
}

function isOfThisMachine(address: string): boolean {
  const own = new BlockList();
  own.addSubnet("127.0.0.0", 8, "ipv4");
  own.addSubnet("0.0.0.0", 8, "ipv4");
  own.addAddress("::1", "ipv6");
  own.addAddress("::", "ipv6");
  for (const each of Object.values(networkInterfaces()).flatMap((list) => list ?? []))
    own.addAddress(each.address, each.family === "IPv6" ? "ipv6" : "ipv4");
  return own.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}
