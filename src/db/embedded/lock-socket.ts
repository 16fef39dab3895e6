import { rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { errorCode } from "./errors.ts";

/**
 * Listens at a socket where nobody else does. This is a lock, which is released even when the process is killed. Returns null when
 * somebody listens there. `isFile`: a killed process leaves the socket's file, at which nobody answers. Rejects when listening fails
 * with another error.
 */
export async function listenAlone(socket: string, isFile: boolean): Promise<Server | null> {
  while (true) {
    const server = createServer();
    if (await isListening(server, socket)) return server;
    if (!isFile || (await answers(socket))) return null;
    rmSync(socket, { force: true });
  }
}

/** Returns false when the socket is taken. */
function isListening(server: Server, socket: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const failed = (error: unknown): void => {
      if (errorCode(error) === "EADDRINUSE") resolve(false);
      else reject(error);
    };
    server.once("error", failed);
    server.listen(socket, () => {
      server.off("error", failed);
      resolve(true);
    });
  });
}

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socket, () => {
      probe.destroy();
      resolve(true);
    });
    probe.once("error", () => resolve(false));
  });
}
