import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isSigned } from "./signature.ts";

/** A server of the S3 protocol with one bucket, `outputs`: GET, PUT and DELETE by path, each only with a right signature. */
export interface FakeBucket {
  /** Of the bucket, without a slash at its end. */
  readonly url: string;
  /** What lies in it, by key. */
  readonly objects: Map<string, Buffer>;
  /** Answers 503 to everything while it is away. */
  isAway: boolean;
  /** Answers 413 to what is put under such a name. */
  refuses: RegExp | null;
  /** Answers 403 to the removal of such a name. */
  holds: RegExp | null;
  /** Returns other bytes than were put. */
  isDamaged: boolean;
  /** Cuts every connection without an answer, and counts them. */
  isSilent: boolean;
  unanswered: number;
  close(): Promise<void>;
}

export const bucketKey = "AKIDEXAMPLE";
export const bucketSecret = "the-secret-key-of-the-bucket";

export async function startBucket(): Promise<FakeBucket> {
  const objects = new Map<string, Buffer>();
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const bucket: FakeBucket = {
    url: `http://127.0.0.1:${port}/outputs`,
    objects,
    isAway: false,
    refuses: null,
    holds: null,
    isDamaged: false,
    isSilent: false,
    unanswered: 0,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return bucket;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url: target = "", headers } = request;
    if (bucket.isSilent) {
      bucket.unanswered += 1;
      request.socket.destroy();
      return;
    }
    const body = Buffer.concat(await request.toArray());
    const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    if (bucket.isAway) return refuse(response, 503, "SlowDown");
    if (!plain["authorization"]?.includes(`Credential=${bucketKey}/`))
      return refuse(response, 403, "InvalidAccessKeyId");
    if (!isSigned({ method, target, headers: plain }, bucketSecret))
      return refuse(response, 403, "SignatureDoesNotMatch");
    const found = /^\/outputs\/(.+)$/.exec(decodeURIComponent(target.split("?")[0] ?? ""));
    const key = found?.[1];
    if (key === undefined) return refuse(response, 404, "NoSuchBucket");
    switch (method) {
      case "PUT":
        if (bucket.refuses?.test(key) === true) return refuse(response, 413, "EntityTooLarge");
        objects.set(key, body);
        return void response.writeHead(200).end();
      case "DELETE":
        if (bucket.holds?.test(key) === true) return refuse(response, 403, "AccessDenied");
        objects.delete(key);
        return void response.writeHead(204).end();
      default: {
        const object = objects.get(key);
        if (object === undefined) return refuse(response, 404, "NoSuchKey");
        const read = bucket.isDamaged ? Buffer.from(object).fill("x") : object;
        return void response.writeHead(200, { "content-length": read.length }).end(read);
      }
    }
  }
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { "content-type": "application/xml" }).end(`<Error><Code>${code}</Code></Error>`);
}
