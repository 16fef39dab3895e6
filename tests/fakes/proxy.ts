import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { postgresReader } from "./wire.ts";

/**
 * An address that stays while the server behind it changes: what a load balancer or a virtual address is to PostgreSQL.
 * Bytes pass through as they are; connections can be cut, swallowed, or cut at a moment that the test names.
 */
export interface Proxy {
  readonly port: number;
  /** What clients have asked the server to execute, as it went over the wire. */
  readonly statements: readonly string[];
  /** The server that new connections reach; null: they are refused. */
  target: number | null;
  /** How many connections were refused. */
  readonly refused: () => number;
  /** Ends every connection on both sides, in the middle of whatever it does. */
  cut(): void;
  /**
   * Waits for the next message of a client that holds this text, then cuts its connection: `before` the server sees the
   * message; `after` the server has answered it, which the client never hears; or `with` the answer: the client reads both
   * in one piece, as on a busy machine.
   */
  cutAt(text: string, when: CutMoment): Promise<void>;
  /** From now on nothing passes and nothing ends, as when a machine vanishes; until `cut`. */
  swallow(): void;
  close(): Promise<void>;
}

type CutMoment = "before" | "after" | "with";

/** What PostgreSQL says to a client whose connection an administrator ends (an ErrorResponse). */
const terminated = (() => {
  const fields = "SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0";
  const head = Buffer.from("E\0\0\0\0");
  head.writeInt32BE(4 + fields.length, 1);
  return Buffer.concat([head, Buffer.from(fields)]);
})();

/** A proxy before the server of a database's address, and that address through it. */
export async function proxyBefore(databaseUrl: string): Promise<{ readonly proxy: Proxy; readonly url: string }> {
  const url = new URL(databaseUrl);
  const proxy = await startProxy(Number(url.port));
  url.port = String(proxy.port);
  return { proxy, url: url.href };
}

export async function startProxy(target: number): Promise<Proxy> {
  const pairs = new Set<{ client: Socket; server: Socket }>();
  let armed: { text: string; when: CutMoment; happened: () => void } | null = null;
  let isSwallowing = false;
  const statements: string[] = [];

  let refused = 0;
  const listener = createServer((client) => {
    if (proxy.target === null) {
      refused += 1;
      client.destroy();
      return;
    }
    const server = connect(proxy.target, "127.0.0.1");
    const pair = { client, server };
    pairs.add(pair);
    let cutsAtAnswer: ((answer: Buffer) => void) | null = null;
    const read = postgresReader(({ text }) => statements.push(text));

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
        cutsAtAnswer = (answer) => {
          if (when === "with") client.end(Buffer.concat([answer, terminated]));
          else end();
          happened();
        };
      }
      read(chunk);
      server.write(chunk);
    });
    server.on("data", (chunk: Buffer) => {
      if (isSwallowing) return;
      if (cutsAtAnswer !== null) {
        cutsAtAnswer(chunk);
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
    statements,
    target,
    refused: () => refused,
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
