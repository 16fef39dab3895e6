import { randomBytes } from "node:crypto";
import { type AddressInfo, createServer, Socket } from "node:net";
import pg from "pg";
import { answerReader, postgresReader } from "./wire.ts";

/** A pooler between clients and PostgreSQL, as PgBouncer is: whom it lets in it lets in itself. */
export interface Pooler {
  /** The database's address through it. */
  readonly url: string;
  close(): Promise<void>;
}

/** When a connection to PostgreSQL goes from a client to the next one. */
type PoolMode = "session" | "transaction" | "statement";

/** As PgBouncer says it, to whom it then leaves. */
function refusal(words: string): Buffer {
  return message("E", Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${words}\0\0`));
}

function message(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(4 + content.length, 1);
  return Buffer.concat([head, content]);
}

/** Let in, with a process of its own making, ready. */
function welcome(): Buffer {
  return Buffer.concat([
    message("R", Buffer.alloc(4)),
    message("K", Buffer.concat([Buffer.from([0x7f]), randomBytes(7)])),
    message("Z", Buffer.from("I")),
  ]);
}

export async function startPooler(databaseUrl: string, mode: PoolMode): Promise<Pooler> {
  const idle: Socket[] = [];
  const sockets = new Set<Socket>();

  async function connectionToServer(): Promise<Socket> {
    const free = idle.pop();
    if (free !== undefined) return free;
    const socket = new Socket();
    sockets.add(socket.on("error", () => undefined));
    await new pg.Client({ connectionString: databaseUrl, stream: () => socket }).on("error", () => undefined).connect();
    return socket.removeAllListeners("data");
  }

  const listener = createServer((client) => {
    sockets.add(client.on("error", () => undefined));
    let server: Promise<Socket> | null = null;
    let isIn = false;
    let unanswered = 0;
    const read = postgresReader(
      ({ text }) => {
        if (mode === "statement" && /^begin/i.test(text)) client.end(refusal("transaction blocks not allowed"));
      },
      () => {
        unanswered += 1;
      },
    );

    async function take(): Promise<Socket> {
      const taken = await connectionToServer();
      const hear = answerReader(
        (state) => {
          unanswered -= 1;
          if (unanswered === 0 && state === "I" && mode !== "session") giveBack(taken);
        },
        () => undefined,
      );
      return taken.on("data", (chunk) => {
        client.write(chunk);
        hear(chunk);
      });
    }

    function giveBack(taken: Socket): void {
      server = null;
      idle.push(taken.removeAllListeners("data"));
    }

    client.on("data", (chunk) => {
      read(chunk);
      if (!isIn) {
        isIn = true;
        unanswered = 0;
        client.write(chunk.includes("\0options\0") ? refusal("unsupported startup parameter: options") : welcome());
        return;
      }
      // Terminate: the connection to the server stays as it is.
      if (chunk[0] === 0x58 || client.writableEnded) return;
      server ??= take();
      void server.then((taken) => taken.write(chunk));
    });
    client.on("close", () => void server?.then((taken) => taken.destroy()));
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const url = new URL(databaseUrl);
  url.port = String((listener.address() as AddressInfo).port);
  return {
    url: url.href,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
