import type { Socket } from "node:net";
import type { ServerType } from "@hono/node-server";
import { whoConnects } from "../agent/process/caller.ts";
import { type Connection, lookAtPeer } from "../agent/process/peers.ts";
import { ownUser, userNamed } from "../agent/process/users.ts";
import type { Caller } from "../commands/command.ts";
import type { Origin, PeerFacts } from "../core/callers.ts";
import { servingProcesses } from "../db/serving.ts";
import type { Deps } from "../deps.ts";

/** Who presses a button or posts a form: looked at when the connection is accepted, and again when it asks (D45). */
export interface Callers {
  of(socket: Socket, isScript: boolean): Promise<Caller>;
}

/** Looks at every connection that the server accepts from now on. */
export function watchCallers(server: ServerType, deps: Pick<Deps, "database" | "config">): Callers {
  const accepted = new WeakMap<Socket, PeerFacts>();
  server.on("connection", (socket: Socket) => {
    accepted.set(socket, lookAtPeer(connectionOf(socket)));
  });
  return {
    async of(socket, isScript) {
      const now = lookAtPeer(connectionOf(socket));
      const workers = (await servingProcesses(deps.database.db, deps.config.machine)).map((each) => each.pid);
      const { allowsUnknown } = deps.config;
      const origin = await whoConnects([accepted.get(socket) ?? now, now], { workers, allowsUnknown });
      const actor = `${nameOf(origin, now.uid)}${isScript ? " (script)" : ""}`;
      return { actor, via: "console", member: null, origin };
    },
  };
}

/** A socket that was cut names nobody: it is then of this machine and cannot be traced. */
function connectionOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): Connection {
  return {
    remoteAddress: remoteAddress ?? "127.0.0.1",
    remotePort: remotePort ?? 0,
    localAddress: localAddress ?? "127.0.0.1",
    localPort: localPort ?? 0,
  };
}

/** As audit rows name them: by whom the socket belongs to, where the kernel says so. */
function nameOf(origin: Origin, uid: number | null): string {
  if (origin.type === "remote") return `somebody at ${origin.address}`;
  return uid === null || uid === process.getuid?.() ? ownUser() : userNamed(uid);
}
