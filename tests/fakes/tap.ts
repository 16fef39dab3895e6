import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { answerReader, postgresReader, redisReader, type Scripts, type Sent } from "./wire.ts";

/** A pass-through before a server that counts what clients ask of it, over all their connections. */
export interface Tap {
  readonly port: number;
  /** In the order in which they were sent. */
  readonly sent: readonly Sent[];
  /** Whether an answer is on its way to somebody. PostgreSQL only. */
  isBusy(): boolean;
  /** Whether every connection that listens was notified of `settled N`, with this number or a later one. PostgreSQL only. */
  isHeard(number: number): boolean;
  close(): Promise<void>;
}

interface Watched {
  open: number;
  listens: boolean;
  heard: number;
}

export async function tapPostgres(target: number): Promise<Tap> {
  const sent: Sent[] = [];
  const connections = new Set<Watched>();
  const passing = await passThrough(target, () => {
    const watched: Watched = { open: 0, listens: false, heard: -1 };
    connections.add(watched);
    return {
      fromClient: postgresReader(
        (each) => {
          sent.push(each);
          if (/^\s*listen\b/i.test(each.text)) watched.listens = true;
        },
        () => {
          watched.open += 1;
        },
      ),
      fromServer: answerReader(
        () => {
          watched.open -= 1;
        },
        (payload) => {
          const number = /^settled (\d+)$/.exec(payload)?.[1];
          if (number !== undefined) watched.heard = Number(number);
        },
      ),
      ended: () => connections.delete(watched),
    };
  });
  return {
    ...passing,
    sent,
    isBusy: () => [...connections].some(({ open }) => open > 0),
    isHeard: (number) => [...connections].every(({ listens, heard }) => !listens || heard >= number),
  };
}

export async function tapRedis(target: number): Promise<Tap> {
  const sent: Sent[] = [];
  const scripts: Scripts = new Map();
  const passing = await passThrough(target, () => ({
    fromClient: redisReader(scripts, (each) => sent.push(each)),
    fromServer: () => undefined,
    ended: () => true,
  }));
  return { ...passing, sent, isBusy: () => false, isHeard: () => true };
}

interface Reading {
  fromClient(chunk: Buffer): void;
  fromServer(chunk: Buffer): void;
  ended(): boolean;
}

async function passThrough(target: number, read: () => Reading): Promise<Pick<Tap, "port" | "close">> {
  const sockets = new Set<Socket>();
  const listener = createServer((client) => {
    const server = connect(target, "127.0.0.1");
    const reading = read();
    client.on("data", (chunk: Buffer) => {
      reading.fromClient(chunk);
      server.write(chunk);
    });
    server.on("data", (chunk: Buffer) => {
      reading.fromServer(chunk);
      client.write(chunk);
    });
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        server.destroy();
        reading.ended();
      });
    }
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  return {
    port: (listener.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
