import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A platform behind COS_WEBHOOK_URL that counts: what was posted under which key, in which order, and how often. */
export interface Sink {
  readonly url: string;
  readonly posts: readonly { readonly key: string; readonly title: string; readonly address: string }[];
  /** What each address shows now. */
  readonly shown: ReadonlyMap<
    string,
    { readonly title: string; readonly plain: boolean; readonly threadAddress: string | null }
  >;
  edits(): number;
  /** Posts are recorded and then not answered, until the returned function is called. */
  hold(): { readonly held: Promise<void>; release(): void };
  /** The next posts are answered like this, without being recorded. */
  answerNext(...answers: Refusal[]): void;
  /** From now on nothing is taken, and answered like this; null: everything is taken again. */
  refuse(answer: Refusal | null): void;
  close(): Promise<void>;
}

interface Refusal {
  readonly status: number;
  readonly headers?: Record<string, string>;
}

interface Posted {
  key: string;
  threadAddress: string | null;
  plain: boolean;
  card: { title: string };
}

export async function startSink(): Promise<Sink> {
  const posts: { key: string; title: string; address: string }[] = [];
  const shown = new Map<string, { title: string; plain: boolean; threadAddress: string | null }>();
  const planned: Refusal[] = [];
  let refusal: Refusal | null = null;
  let holding: { told: () => void; until: Promise<void> } | null = null;
  let edits = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://sink");
    if (request.method === "GET") {
      const found = posts.find((post) => post.key === url.searchParams.get("key"));
      reply(response, found === undefined ? 404 : 200, found === undefined ? {} : { address: found.address });
      return;
    }
    const body = JSON.parse(await bodyOf(request)) as Posted;
    const plannedAnswer = planned.shift() ?? refusal;
    if (plannedAnswer !== null) {
      response.writeHead(plannedAnswer.status, plannedAnswer.headers).end();
      return;
    }
    const picture = { title: body.card.title, plain: body.plain, threadAddress: body.threadAddress };
    if (request.method === "PUT") {
      edits += 1;
      shown.set(decodeURIComponent(url.pathname.split("/").at(-1) ?? ""), picture);
      reply(response, 200, {});
      return;
    }
    const address = `m${posts.length + 1}`;
    posts.push({ key: body.key, title: body.card.title, address });
    shown.set(address, picture);
    if (holding !== null) {
      holding.told();
      await holding.until;
    }
    reply(response, 200, { address });
  }

  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    posts,
    shown,
    edits: () => edits,
    hold() {
      let release: () => void = () => undefined;
      let told: () => void = () => undefined;
      const until = new Promise<void>((resolve) => {
        release = resolve;
      });
      const held = new Promise<void>((resolve) => {
        told = resolve;
      });
      holding = { told, until };
      return {
        held,
        release() {
          holding = null;
          release();
        },
      };
    },
    answerNext: (...answers) => void planned.push(...answers),
    refuse(answer) {
      refusal = answer;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
