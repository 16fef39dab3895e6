import type { Socket } from "node:net";
import type { ServerType } from "@hono/node-server";
import type { Context } from "hono";
import { whoConnects } from "../agent/process/caller.ts";
import { type Connection, lookAtPeer } from "../agent/process/peers.ts";
import { ownUser, userNamed } from "../agent/process/users.ts";
import type { Caller } from "../commands/command.ts";
import type { CallerOrigin, PeerFacts } from "../core/callers.ts";
import { servingProcesses } from "../db/serving.ts";
import { accountAtConsole } from "../core/people.ts";
import type { Deps } from "../deps.ts";
import type { ConsoleEnv } from "./security.ts";

/** Finds the caller of a request: the process behind the connection is looked at when it is accepted, and again at the request (D45). */
export interface Callers {
  of(socket: Socket, how: Admission): Promise<Caller>;
}

/** Returns the caller of a request. */
export type WhoCalls = (context: Context<ConsoleEnv>) => Promise<Caller>;

/** How the sender of a request was let in. */
export interface Admission {
  /** True when a script sent it, with the console's token. */
  readonly isScript: boolean;
  /** The name for which the session was made; null when it was opened with the console's token. */
  readonly name: string | null;
}

/** Looks at every connection that the server accepts from now on. */
export function watchCallers(server: ServerType, deps: Pick<Deps, "database" | "config">): Callers {
  const accepted = new WeakMap<Socket, PeerFacts>();
  server.on("connection", (socket: Socket) => {
    accepted.set(socket, lookAtPeer(connectionOf(socket)));
  });
  return {
    async of(socket, { isScript, name }) {
      const now = lookAtPeer(connectionOf(socket));
      const workers = (await servingProcesses(deps.database.db, deps.config.machine)).map((each) => each.pid);
      const { allowsUnknown, people } = deps.config;
      const origin = await whoConnects([accepted.get(socket) ?? now, now], { workers, allowsUnknown });
      const caller = { via: "console", member: null, origin } as const;
      if (name !== null) {
        const session = { name, account: accountAtConsole(name, people) };
        return { ...caller, actor: `${name} (console session)`, session };
      }
      return { ...caller, actor: `${nameOf(origin, now.uid)}${isScript ? " (script)" : ""}` };
    },
  };
}

/** Returns the ends of a socket. A closed socket has no addresses; it then counts as local and cannot be traced. */
function connectionOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): Connection {
  return {
    remoteAddress: remoteAddress ?? "127.0.0.1",
    remotePort: remotePort ?? 0,
    localAddress: localAddress ?? "127.0.0.1",
    localPort: localPort ?? 0,
  };
}

/** Returns the name for audit rows: the user who owns the socket, if the kernel tells. */
function nameOf(origin: CallerOrigin, uid: number | null): string {
  if (origin.type === "remote") return `somebody at ${origin.address}`;
  return uid === null || uid === process.getuid?.() ? ownUser() : userNamed(uid);
}
