import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import { botScopes } from "../../../src/chat/slack/settings.ts";
import { type Deliver, openDeliveries } from "./deliveries.ts";
import { openPeople, type PeopleOfSlack } from "./people.ts";
import { checkMessage, failed, limited, ok, openMethods, type Result } from "./web-api.ts";
import {
  type Buzz,
  homeChannel,
  type Json,
  type Message,
  openWorkspace,
  type View,
  type Ephemeral,
  wordsOf,
} from "./workspace.ts";

export type { Delivery, Seen } from "./deliveries.ts";
export { homeChannel, type Message, wordsOf } from "./workspace.ts";

/**
 * A server shaped like Slack: Web API, Socket Mode, signed HTTP deliveries, and what people do. It checks tokens,
 * membership and blocks, keeps the rate of a channel, lets triggers die after 3 s, delivers events again, and can lose
 * answers, drop connections and be away.
 */
export interface FakeSlack {
  readonly apiUrl: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Every message of a channel that was not deleted, in the order of posting. */
  messages(channel?: string): Message[];
  /** A picture of the newest message of ours that holds these words, in the channel or else in a thread; throws without one. */
  message(words: string): Message;
  readonly ephemerals: readonly Ephemeral[];
  readonly buzzes: readonly Buzz[];
  readonly reactions: readonly { ts: string; name: string }[];
  readonly homes: ReadonlyMap<string, View>;
  readonly views: ReadonlyMap<string, View>;
  readonly calls: readonly Call[];
  /** The bytes of a file that was uploaded. */
  file(id: string): Buffer;
  readonly people: PeopleOfSlack;
  readonly faults: Faults;
  close(): Promise<void>;
}

export interface Call {
  readonly method: string;
  readonly arguments: Json;
  readonly outcome: string;
}

export type Fault =
  | { readonly type: "limit"; readonly seconds: number }
  | { readonly type: "error"; readonly error: string }
  /** The call is carried out, and its answer never arrives, or is an error. */
  | { readonly type: "lost"; readonly by: "cut" | "500" | "silence" }
  /** The call is not carried out. */
  | { readonly type: "500" }
  /** Something before Slack answers with a page of its own. */
  | { readonly type: "page"; readonly status: number };

export interface Faults {
  /** For the next call of a method; several queue up. */
  next(method: string, ...faults: Fault[]): void;
  /** For every call of a method whose arguments match, until it is taken back with null. */
  always(rule: { method: string; matches: (given: Json) => boolean; fault: Fault } | null): void;
  /** Only every `nth` post is taken; the others are told to come back after a second. 1 takes all. */
  storm(nth: number): void;
  /** The app is waited for so long, and triggers live so long; 3 s at first. */
  wait(ms: number): void;
  /** Nobody reaches Slack, and every connection breaks. */
  down(isDown: boolean): void;
  revoke(isRevoked: boolean): void;
  dropSockets(how: "refresh" | "hard"): void;
  /** Every socket is closed after its hello, for this reason; null: none is. */
  flap(reason: string | null): void;
  /** A firewall lets calls through, and no sockets. */
  wallOff(isWalledOff: boolean): void;
  /** The app has these scopes only. */
  grant(scopes: readonly string[]): void;
  /** Files appear only after somebody has looked for them this often; `Infinity`: never. */
  shareAfter(looks: number): void;
  /** Somebody looks, this often. */
  look(times: number): void;
  /** Calls of a method wait until the returned function is called. */
  hold(method: string): { readonly held: Promise<void>; release(): void };
}

/** What a proxy says of itself. */
const page = "<!DOCTYPE html><html><body>Access denied by policy</body></html>";

/** Nobody listens there. */
const portOfNobody = 2;

export async function startSlack(
  options: { readonly mode?: "socket" | "http"; readonly eventsPort?: number } = {},
): Promise<FakeSlack> {
  let isWalledOff = false;
  let closedFor: string | null = null;
  const botToken = `xoxb-test-${randomUUID()}`;
  const appToken = `xapp-1-test-${randomUUID()}`;
  const signingSecret = randomUUID().replaceAll("-", "");
  const workspace = openWorkspace();
  const { limits, messages, ephemerals, reactions, homes, views, responses } = workspace;
  const calls: Call[] = [];
  const connections = new Set<Socket>();
  const sockets = new Set<WebSocket>();
  const queued = new Map<string, Fault[]>();
  const holds = new Map<string, { reached: () => void; released: Promise<void> }>();
  let rule: Parameters<Faults["always"]>[0] = null;
  let takenEvery = 1;
  let posts = 0;
  let isDown = false;
  let isRevoked = false;
  let granted: readonly string[] = botScopes;
  let sharedAfter = 0;
  const unshared: { readonly show: () => void; looks: number }[] = [];

  const server: Server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  server.on("connection", (socket: Socket) => {
    if (isDown) return void socket.destroy();
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  const websockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, socket, head) => {
    websockets.handleUpgrade(request, socket, head, (opened) => {
      // Each envelope that is under way listens.
      opened.setMaxListeners(0);
      sockets.add(opened);
      opened.once("close", () => sockets.delete(opened));
      opened.on("error", () => undefined);
      opened.send(
        JSON.stringify({ type: "hello", num_connections: sockets.size, debug_info: {}, connection_info: {} }),
      );
      if (closedFor !== null) opened.send(JSON.stringify({ type: "disconnect", reason: closedFor }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const root = `http://127.0.0.1:${port}`;

  const methods = openMethods(workspace, {
    mayPost() {
      posts += 1;
      return posts % takenEvery === 0;
    },
    share(show) {
      if (sharedAfter === 0) show();
      else unshared.push({ show, looks: sharedAfter });
    },
    root: () => root,
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await bodyOf(request);
    const path = request.url ?? "";
    if (path.startsWith("/upload/v1/")) return takeUpload(path.slice("/upload/v1/".length), bytes, response);
    const body = bytes.toString();
    if (path.startsWith("/response/")) return answerResponse(path.slice("/response/".length), body, response);
    const method = path.replace(/^\/api\//, "").replace(/\?.*$/, "");
    const given = argumentsOf(request, body);
    const hold = holds.get(method);
    if (hold !== undefined) {
      holds.delete(method);
      hold.reached();
      await hold.released;
    }
    const fault =
      queued.get(method)?.shift() ?? (rule?.method === method && rule.matches(given) ? rule.fault : undefined);
    if (fault?.type === "page") {
      calls.push({ method, arguments: given, outcome: `page ${fault.status}` });
      return void response.writeHead(fault.status, { "content-type": "text/html" }).end(page);
    }
    const refused = fault === undefined || fault.type === "lost" ? null : refuse(fault);
    const result = refused ?? (await carryOut(method, given, tokenOf(request, given)));
    const outcome =
      result.json["ok"] === true ? (fault?.type === "lost" ? "lost" : "ok") : String(result.json["error"]);
    calls.push({ method, arguments: given, outcome });
    if (fault?.type === "lost") {
      if (fault.by === "cut") return void response.destroy();
      if (fault.by === "silence") return;
      response.writeHead(500).end("Internal Server Error");
      return;
    }
    response.writeHead(result.status, {
      "content-type": "application/json",
      "x-oauth-scopes": granted.join(","),
      ...result.headers,
    });
    response.end(JSON.stringify(result.json));
  }

  function refuse(fault: Exclude<Fault, { type: "lost" | "page" }>): Result {
    if (fault.type === "limit") return limited(fault.seconds);
    if (fault.type === "500") return { status: 500, headers: {}, json: { ok: false, error: "http 500" } };
    return failed(fault.error);
  }

  async function carryOut(method: string, given: Json, token: string): Promise<Result> {
    if (isRevoked) return failed("token_revoked");
    if (method === "apps.connections.open") {
      if (token !== appToken) return failed("invalid_auth");
      return ok({ url: `ws://127.0.0.1:${isWalledOff ? portOfNobody : port}/socket/${randomUUID()}` });
    }
    if (token !== botToken) return failed("invalid_auth");
    if (method.startsWith("usergroups.") && !granted.includes("usergroups:read")) return lacking("usergroups:read");
    if (method.startsWith("files.") && !granted.includes("files:write")) return lacking("files:write");
    if (method === "conversations.replies" || method === "conversations.history") showShared();
    const handler = methods[method];
    return handler === undefined ? failed("unknown_method") : handler(given);
  }

  function lacking(needed: string): Result {
    const { json, ...rest } = failed("missing_scope");
    return { ...rest, json: { ...json, needed, provided: granted.join(",") } };
  }

  /** A look into a channel or thread: what was to appear by now is there from the next one on. */
  function showShared(): void {
    for (const each of unshared) each.looks -= 1;
    for (const each of unshared.filter(({ looks }) => looks < 0)) {
      unshared.splice(unshared.indexOf(each), 1);
      each.show();
    }
  }

  /** The bytes of a file, at the address that was given for it. */
  function takeUpload(id: string, bytes: Buffer, response: ServerResponse): void {
    const fault = queued.get("upload")?.shift();
    const upload = workspace.uploads.get(id);
    const isRight = fault === undefined && upload !== undefined && upload.length === bytes.length;
    if (isRight) upload.bytes = bytes;
    const outcome = isRight ? "ok" : (fault?.type ?? "wrong length");
    calls.push({ method: "upload", arguments: { id, length: bytes.length }, outcome });
    if (fault?.type === "lost") return void response.destroy();
    if (fault?.type === "limit") return void response.writeHead(429, { "retry-after": String(fault.seconds) }).end();
    response.writeHead(isRight ? 200 : 500).end(isRight ? `OK - ${bytes.length}` : "failed");
  }

  function answerResponse(id: string, body: string, response: ServerResponse): void {
    const known = responses.get(id);
    const given = JSON.parse(body) as Json;
    const wrong = known === undefined ? failed("used_url") : checkMessage(given);
    if (wrong === null && known !== undefined) {
      workspace.sendEphemeral(
        { ...given, isPublic: given["response_type"] === "in_channel" },
        known.channel,
        known.userId,
      );
    }
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify((wrong ?? ok()).json));
  }

  const settings: Record<string, string> = {
    SLACK_BOT_TOKEN: botToken,
    SLACK_CHANNEL: homeChannel,
    SLACK_API_URL: `${root}/api/`,
    ...(options.mode === "http"
      ? { SLACK_SIGNING_SECRET: signingSecret, SLACK_PORT: String(options.eventsPort ?? 0) }
      : { SLACK_APP_TOKEN: appToken }),
  };

  const mode = options.mode ?? "socket";
  const eventsPort = options.eventsPort ?? 0;
  const deliver: Deliver = openDeliveries({ mode, eventsPort, signingSecret, sockets, limits });
  const people = openPeople(workspace, deliver, root);

  const faults: Faults = {
    flap(reason) {
      closedFor = reason;
    },
    wallOff(next) {
      isWalledOff = next;
    },
    next(method, ...more) {
      queued.set(method, [...(queued.get(method) ?? []), ...more]);
    },
    always(next) {
      rule = next;
    },
    storm(nth) {
      takenEvery = nth;
    },
    wait(ms) {
      limits.answerMs = ms;
    },
    down(next) {
      isDown = next;
      if (!next) return;
      for (const socket of sockets) socket.terminate();
      for (const connection of connections) connection.destroy();
    },
    revoke(next) {
      isRevoked = next;
      if (next) for (const socket of sockets) socket.close();
    },
    dropSockets(how) {
      for (const socket of sockets) {
        if (how === "hard") socket.terminate();
        else socket.send(JSON.stringify({ type: "disconnect", reason: "refresh_requested" }));
      }
    },
    grant(scopes) {
      granted = scopes;
    },
    shareAfter(looks) {
      sharedAfter = looks;
    },
    look(times) {
      for (let looks = 0; looks < times; looks += 1) showShared();
    },
    hold(method) {
      let reached = (): void => undefined;
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        reached = resolve;
      });
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      holds.set(method, { reached, released });
      return { held, release };
    },
  };

  return {
    apiUrl: `${root}/api/`,
    settings,
    messages: (channel = homeChannel) => messages.filter((each) => each.channel === channel && !each.isDeleted),
    message(words) {
      const ours = messages.filter(
        (each) => !each.isDeleted && each.isOurs && `${each.text}\n${wordsOf(each.blocks)}`.includes(words),
      );
      const found = ours.findLast((each) => each.threadTs === null) ?? ours.at(-1);
      if (found === undefined)
        throw new Error(
          `no message with ${JSON.stringify(words)} among:\n${messages.map((each) => each.text).join("\n")}`,
        );
      return structuredClone(found);
    },
    ephemerals,
    buzzes: workspace.buzzes,
    reactions,
    homes,
    views,
    calls,
    file(id) {
      const bytes = workspace.uploads.get(id)?.bytes;
      if (bytes == null) throw new Error(`no file ${id}`);
      return bytes;
    },
    people,
    faults,
    async close() {
      for (const socket of sockets) socket.terminate();
      for (const connection of connections) connection.destroy();
      websockets.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Form fields or JSON; fields that hold JSON are read. */
function argumentsOf(request: IncomingMessage, body: string): Json {
  if (request.headers["content-type"]?.includes("application/json") === true) return JSON.parse(body || "{}") as Json;
  return Object.fromEntries(
    [...new URLSearchParams(body)].map(([name, value]) => [
      name,
      /^[[{]/.test(value) ? (JSON.parse(value) as unknown) : value,
    ]),
  );
}

function tokenOf(request: IncomingMessage, given: Json): string {
  const header = request.headers.authorization?.replace(/^Bearer /, "");
  return header ?? (typeof given["token"] === "string" ? given["token"] : "");
}
