import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { chat } from "./chat.ts";
import { type Answer, type Asked, at, type Dialect, toolOf, type Usage } from "./dialect.ts";
import { gemini } from "./gemini.ts";
import { messages } from "./messages.ts";
import { type Move, type Offered, type Said, saidWith, sampleOf, searchBefore, searched, type Tool } from "./moves.ts";
import { responses } from "./responses.ts";

/**
 * A model on loopback that real coding agents work against: it speaks four dialects, plays its moves one after the other,
 * and keeps account of the tokens that it said were used. Questions that agents ask beside their work (titles, summaries)
 * are recognised by the tools that they do not offer, and use no move.
 */
export interface ModelServer {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly port: number;
  /** Every request that was answered, oldest first. */
  readonly requests: readonly ModelCall[];
  /** What is played next, in place of what was left. After the last move every request is told that there is nothing to do. */
  play(...moves: readonly Move[]): void;
  /** How many moves are left. */
  left(): number;
  close(): Promise<void>;
}

export interface ModelCall {
  readonly dialect: Dialect["name"];
  readonly model: string;
  /** Whether it was about the work, with tools. */
  readonly isWork: boolean;
  readonly status: number;
  /** Null: nothing was said to have been used. */
  readonly usage: Usage | null;
  /** As it came. */
  readonly body: string;
}

const dialects: readonly Dialect[] = [chat, responses, messages, gemini];

/** What every answer says that it used. */
export const answerUsage: Usage = { input: 1000, output: 100 };

export async function startModelServer(): Promise<ModelServer> {
  let waiting: Move[] = [];
  const requests: ModelCall[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? "/", "http://model").pathname;
    const dialect = dialects.find((each) => each.matches(path));
    const body = await textOf(request);
    if (dialect === undefined)
      return json(response, path.endsWith(":countTokens") ? 200 : 404, { totalTokens: 1000, data: [] });
    const asked = dialect.read(JSON.parse(body), path);
    const isWork = asked.tools.length > 2;
    const move: Move = isWork
      ? (waiting.shift() ?? { say: "There is nothing left to do." })
      : { say: besideWork(asked) };
    const keep = (status: number, usage: Usage | null): void => {
      requests.push({ dialect: dialect.name, model: asked.model, isWork, status, usage, body });
    };
    if (move === "hangs") return keep(0, null);
    if (typeof move === "object" && "status" in move) {
      keep(move.status, null);
      return json(
        response,
        move.status,
        dialect.error(move.status, move.message ?? `status ${move.status}`),
        move.headers,
      );
    }
    if (typeof move === "object" && "say" in move) await move.once?.();
    const offered: Offered = {
      tools: asked.tools,
      found: foundIn(body),
      hasSearched: body.includes(searched),
      directory: directoryIn(body),
    };
    const search = move === "cut" ? null : searchBefore(move, offered);
    if (search !== null) waiting.unshift(move);
    const said: Said = move === "cut" ? { type: "text", text: "I begin with" } : (search ?? saidWith(move, offered));
    const answered = { id: String(requests.length + 1), model: asked.model, said, usage: answerUsage };
    keep(200, move === "cut" ? null : answerUsage);
    give(response, dialect, asked, { answer: answered, isCut: move === "cut" });
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => json(response, 500, { error: { message: String(error) } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    play(...moves) {
      waiting = [...moves];
    },
    left: () => waiting.length,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function besideWork({ wanted }: Asked): string {
  return wanted === null ? "Work on a goal" : JSON.stringify(sampleOf(wanted));
}

function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

function give(
  response: ServerResponse,
  dialect: Dialect,
  { isStreamed }: Asked,
  { answer, isCut }: { readonly answer: Answer; readonly isCut: boolean },
): void {
  if (!isStreamed && !isCut) return json(response, 200, dialect.whole(answer));
  response.writeHead(200, { "content-type": "text/event-stream" });
  const events = dialect.stream(answer);
  if (!isCut) return void response.end(events.join(""));
  response.write(events[0], () => response.destroy());
}

/** Tools that a search of the agent's has declared before, in what its tools answered. */
function foundIn(body: string): readonly Tool[] {
  return textsIn(JSON.parse(body)).flatMap((text) =>
    [...text.matchAll(/<function>(\{.*\})<\/function>/g)].flatMap(([, declared = "{}"]) => {
      const tool: unknown = JSON.parse(declared);
      return toolOf(at(tool, "name"), at(tool, "parametersJsonSchema") ?? at(tool, "parameters"));
    }),
  );
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Where the agent says that it works: tools of some agents take nothing but absolute paths. */
function directoryIn(body: string): string {
  const said =
    /(?:working directory|working in the directory|workspace director(?:y|ies))[^/\n\\.<]{0,40}(?:\\n)?[\s-]*(\/[\w./@+-]*\w)/i;
  return said.exec(body)?.[1] ?? "";
}
