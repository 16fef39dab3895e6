import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A network before a server of this machine: slow when it is told to be, and every connection through it can be cut. */
export interface Relay {
  readonly port: number;
  /** What each piece takes on its way, in milliseconds. */
  delayMs: number;
  cut(): void;
  close(): Promise<void>;
}

/** Everything that is sent to its port reaches `target`, in order. Listens on loopback only. */
export async function startRelay(target: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  const listener = createServer((client) => {
    const server = connect(target, "127.0.0.1");
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      let last = Promise.resolve();
      from.on("data", (piece: Buffer) => {
        if (relay.delayMs > 0) from.pause();
        last = last.then(async () => {
          if (relay.delayMs > 0) await sleep(relay.delayMs);
          to.write(piece);
          from.resume();
        });
      });
      from.on("error", () => undefined);
      from.on("close", () => {
        sockets.delete(from);
        void last.then(() => to.end());
      });
    }
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));

  const relay: Relay = {
    port: (listener.address() as AddressInfo).port,
    delayMs: 0,
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      relay.cut();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
  return relay;
}
