import { existsSync, realpathSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import type { Mount, Network, Tools } from "./bubblewrap.ts";
import type { PlaceSettings } from "./settings.ts";

/** A network that leads out, and on this machine nowhere but to ports that a person named; the machine's where that does not work. */
export interface WayOut {
  readonly network: Network;
  readonly mounts: readonly Mount[];
  /** The named ports lead nowhere any more. */
  close(): void;
}

/** Where the sockets of forwarded ports lie inside. */
const socketsInside = "/run/ports";

/** slirp4netns answers for names at this address. */
const nameServer = "10.0.2.3";

/** `folder` is ours alone, with a short path: sockets lie in it. */
export async function openWayOut(
  tools: Tools,
  { ports }: Pick<PlaceSettings, "ports">,
  folder: string,
): Promise<WayOut> {
  if (tools.wayOut === null) return { network: { type: "machine" }, mounts: [], close: () => undefined };
  const sockets = join(folder, "ports");
  const names = join(folder, "resolv.conf");
  await mkdir(sockets);
  await writeFile(names, `nameserver ${nameServer}\n`);
  const servers = await Promise.all(ports.map((port) => forward(join(sockets, String(port)), port)));
  const at = existsSync("/etc/resolv.conf") ? realpathSync("/etc/resolv.conf") : null;
  return {
    network: { type: "out", forwards: ports.map((port) => ({ port, socket: `${socketsInside}/${port}` })) },
    mounts: [
      ...(at === null ? [] : [{ type: "read", from: names, at } as const]),
      { type: "read", from: sockets, at: socketsInside },
    ],
    close() {
      for (const server of servers) server.close();
    },
  };
}

/** A socket that leads to a port of this machine. */
async function forward(socket: string, port: number): Promise<Server> {
  const server = createServer((caller) => {
    const answerer = connect(port, "127.0.0.1");
    for (const [one, other] of [[caller, answerer] as const, [answerer, caller] as const]) {
      one.on("error", () => other.destroy());
      one.pipe(other);
    }
  });
  await new Promise<void>((settle, fail) => server.once("error", fail).listen(socket, settle));
  return server;
}
