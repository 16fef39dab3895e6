import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A server shaped like OpenAI's chat completions, on loopback. Each request gets the next answer; the last one stays. */
export type ModelReply =
  | {
      readonly says: string;
      readonly finish?: "stop" | "length" | "content_filter";
      /** Nobody gets it before so many have asked. */
      readonly onceAsked?: number;
    }
  | { readonly refuses: string }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** Never answers. */
  | "hangs"
  /** Closes the connection. */
  | "drops"
  /** Closes it in the middle of an answer. */
  | "breaks";

export interface FakeModel {
  readonly url: string;
  /** The bodies that were sent, oldest first. */
  readonly requests: readonly ModelRequest[];
  /** What the next requests get. */
  answer(...replies: readonly ModelReply[]): void;
  close(): Promise<void>;
}

export interface ModelRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly response_format?: { readonly type: string };
  readonly max_tokens?: number;
}

/** What every answer says that it used. */
export const usedTokens = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 };

export async function startFakeModel(...replies: readonly ModelReply[]): Promise<FakeModel> {
  let waiting = [...replies];
  const requests: ModelRequest[] = [];
  const held: (() => void)[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => {
      requests.push(JSON.parse(body) as ModelRequest);
      const reply = waiting.length > 1 ? waiting.shift() : waiting[0];
      held.push(() => give(response, reply ?? { status: 500 }));
      const isHeld = typeof reply === "object" && "says" in reply && requests.length < (reply.onceAsked ?? 0);
      if (!isHeld) for (const answer of held.splice(0)) answer();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    answer(...next) {
      waiting = [...next];
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function give(response: ServerResponse, reply: ModelReply): void {
  if (reply === "hangs") return;
  if (reply === "drops") {
    response.destroy();
    return;
  }
  if (reply === "breaks") {
    response.writeHead(200, { "content-type": "application/json", "content-length": "500" });
    response.write('{"id":', () => response.destroy());
    return;
  }
  if ("status" in reply) {
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
    response.end(JSON.stringify({ error: { message: `status ${reply.status}`, type: "error" } }));
    return;
  }
  const message =
    "refuses" in reply
      ? { role: "assistant", content: null, refusal: reply.refuses }
      : { role: "assistant", content: reply.says };
  const finish = "says" in reply ? (reply.finish ?? "stop") : "stop";
  response.writeHead(200, { "content-type": "application/json" });
  response.end(
    JSON.stringify({
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1,
      model: "fake",
      choices: [{ index: 0, message, finish_reason: finish }],
      usage: usedTokens,
    }),
  );
}
