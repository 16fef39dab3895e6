import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * An address that stays while the server behind it changes: what a load balancer or a virtual address is to PostgreSQL.
 * Bytes pass through as they are; connections can be cut, swallowed, or cut at a moment that the test names.
 */
export interface Proxy {
  readonly port: number;
  /** The server that new connections reach; null: they are refused. */
  target: number | null;
  /** Ends every connection on both sides, in the middle of whatever it does. */
  cut(): void;
  /**
   * Waits for the next message of a client that holds this text, then cuts its connection: `before` the server sees the
   * message, or `after` the server has answered it, which the client never hears.
   */
  cutAt(text: string, when: "before" | "after"): Promise<void>;
  /** From now on nothing passes and nothing ends, as when a machine vanishes; until `cut`. */
  swallow(): void;
  close(): Promise<void>;
}

export async function startProxy(target: number): Promise<Proxy> {
  const pairs = new Set<{ client: Socket; server: Socket }>();
  let armed: { text: string; when: "before" | "after"; happened: () => void } | null = null;
  let isSwallowing = false;

  const listener = createServer((client) => {
    if (proxy.target === null) {
      client.destroy();
      return;
    }
    const server = connect(proxy.target, "127.0.0.1");
    const pair = { client, server };
    pairs.add(pair);
    let cutsAtAnswer: (() => void) | null = null;

    function end(): void {
      pairs.delete(pair);
      client.destroy();
      server.destroy();
    }
    client.on("data", (chunk: Buffer) => {
      if (isSwallowing) return;
      if (armed !== null && chunk.includes(armed.text)) {
        const { when, happened } = armed;
        armed = null;
        if (when === "before") {
          end();
          happened();
          return;
        }
        cutsAtAnswer = happened;
      }
      server.write(chunk);
    });
    server.on("data", (chunk: Buffer) => {
      if (isSwallowing) return;
      if (cutsAtAnswer !== null) {
        end();
        cutsAtAnswer();
        return;
      }
      client.write(chunk);
    });
    for (const socket of [client, server]) {
      socket.on("error", () => undefined);
      socket.on("close", () => {
        if (!isSwallowing) end();
      });
    }
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));

  const proxy: Proxy = {
    port: (listener.address() as AddressInfo).port,
    target,
    cut() {
      isSwallowing = false;
      for (const { client, server } of pairs) {
        client.resetAndDestroy();
        server.destroy();
      }
      pairs.clear();
    },
    cutAt: (text, when) =>
      new Promise((happened) => {
        armed = { text, when, happened };
      }),
    swallow() {
      isSwallowing = true;
    },
    async close() {
      proxy.cut();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
  return proxy;
}
