import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type FakeGateway, openGateway } from "./gateway.ts";
import { guildId, homeChannel, type Json, type Message, openGuild, wordsOf } from "./guild.ts";
import { openPeople, type PeopleOfDiscord } from "./people.ts";
import {
  type Asked,
  everyPermission,
  failed,
  limited,
  ok,
  openRoutes,
  type Result,
  routeOf,
  type State,
  type Ephemeral,
  usualAnswerMs,
} from "./routes.ts";

export { homeChannel, type Message, wordsOf } from "./guild.ts";

/**
 * A server shaped like Discord: REST and gateway. It checks tokens, intents, limits and what discord.js does not look at,
 * keeps nonces, lets interactions die after 3 s, resumes sessions, delivers twice, and can lose answers and be away.
 */
export interface FakeDiscord {
  readonly settings: Readonly<Record<string, string>>;
  /** Every message of a channel that was not deleted, in the order of posting. */
  messages(channelId?: string): Message[];
  /** A picture of the newest message of ours that holds these words; throws when there is none. */
  message(words: string): Message;
  readonly ephemerals: readonly Ephemeral[];
  readonly reactions: readonly { id: string; emoji: string }[];
  readonly calls: readonly Call[];
  readonly commands: () => readonly Json[];
  /** The bytes of a file that came with a message. */
  file(messageId: string, name: string): Buffer;
  readonly threads: () => readonly { readonly id: string; readonly name: string }[];
  readonly people: PeopleOfDiscord;
  readonly gateway: FakeGateway;
  readonly faults: Faults;
  close(): Promise<void>;
}

export interface Call {
  /** What it is called in `routes.ts`: "post". */
  readonly name: string;
  readonly body: Json;
  /** "ok", "lost", or the status. */
  readonly outcome: string;
}

export type Fault =
  /** `isShared`: with the headers by which a client keeps it for all calls of the kind. */
  | { readonly type: "limit"; readonly seconds: number; readonly isShared?: true }
  | { readonly type: "500" }
  /** Something before Discord answers with a page of its own. */
  | { readonly type: "page"; readonly status: number }
  | { readonly type: "error"; readonly status: number; readonly code: number; readonly message: string }
  /** Carried out, and its answer is lost. */
  | { readonly type: "lost"; readonly by: "cut" | "500" | "silence" };

export interface Faults {
  /** The next calls of a name fail so, one after the other. */
  next(name: string, ...faults: Fault[]): void;
  /** `parts`: the ids in its path. */
  always(
    rule: {
      readonly name: string;
      readonly matches: (body: Json, parts: readonly string[]) => boolean;
      readonly fault: Fault;
    } | null,
  ): void;
  /** Only every nth post is taken, the others meet a limit. */
  storm(nth: number): void;
  /** Interactions die after so long; 3 s at first. */
  wait(ms: number): void;
  down(isDown: boolean): void;
  revoke(isRevoked: boolean): void;
  permissions(granted: bigint): void;
  /** Whether *Allow anyone to @mention this role* is on for the role of those who lead. */
  mentionable(isOn: boolean): void;
  /** Whether the switch for Message Content is on. */
  intent(isOn: boolean): void;
  archive(threadId: string): void;
  deleteChannel(id: string): void;
  /** The next call of a name waits until it is released, then its answer is given. */
  hold(name: string): { readonly held: Promise<void>; release(): void };
}

/** What a proxy says of itself. */
const page = "<!DOCTYPE html><html><body>Access denied by policy</body></html>";

const messageContentFlag = 1 << 18;

export async function startDiscord(): Promise<FakeDiscord> {
  const token = `MTIz.${randomUUID().slice(0, 6)}.${randomUUID()}`;
  const guild = openGuild();
  const calls: Call[] = [];
  const connections = new Set<Socket>();
  const queued = new Map<string, Fault[]>();
  const holds = new Map<string, { reached: () => void; released: Promise<void> }>();
  let rule: Parameters<Faults["always"]>[0] = null;
  let takenEvery = 1;
  let posts = 0;
  let isDown = false;
  let isRevoked = false;
  const state: State = {
    guild,
    ephemerals: [],
    modals: new Map(),
    reactions: [],
    interactions: new Map(),
    files: new Map(),
    granted: everyPermission,
    leadsAreMentionable: true,
    commands: [],
    applicationFlags: messageContentFlag,
    answerMs: usualAnswerMs,
    mayPost() {
      posts += 1;
      return posts % takenEvery === 0;
    },
  };
  const routes = openRoutes(state);

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
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = () => `ws://127.0.0.1:${port}`;
  const gateway = openGateway(server, guild, { token, url, isDown: () => isDown });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = new URL(request.url ?? "", `http://127.0.0.1:${port}`);
    const route = routeOf(
      request.method ?? "",
      decodeURI(address.pathname.replace(/^\/api\/v10\//, "")).replace("%40", "@"),
    );
    const { body, files } = await readBody(request);
    if (route === null)
      return respond(response, failed(404, 0, `no route ${request.method ?? ""} ${address.pathname}`));
    const { name, parts } = route;
    const hold = holds.get(name);
    if (hold !== undefined) {
      holds.delete(name);
      hold.reached();
      await hold.released;
    }
    const fault =
      queued.get(name)?.shift() ?? (rule?.name === name && rule.matches(body, parts) ? rule.fault : undefined);
    const asked: Asked = { id: randomUUID(), parts, query: address.searchParams, body, files };
    if (fault?.type === "page") {
      calls.push({ name, body, outcome: `page ${fault.status}` });
      return void response.writeHead(fault.status, { "content-type": "text/html" }).end(page);
    }
    const refused = fault === undefined || fault.type === "lost" ? null : refuse(fault);
    const result = refused ?? carryOut(name, asked, request.headers.authorization ?? "");
    const isLost = fault?.type === "lost" && result.status < 300;
    calls.push({ name, body, outcome: isLost ? "lost" : result.status < 300 ? "ok" : String(result.status) });
    if (isLost && fault.by === "cut") return void response.destroy();
    if (isLost && fault.by === "silence") return;
    respond(response, isLost ? failed(500, 0, "Internal Server Error") : result);
  }

  function refuse(fault: Exclude<Fault, { type: "lost" | "page" }>): Result {
    if (fault.type === "limit") return limited(fault.seconds, fault.isShared);
    if (fault.type === "500") return failed(500, 0, "Internal Server Error");
    return failed(fault.status, fault.code, fault.message);
  }

  function carryOut(name: string, asked: Asked, authorization: string): Result {
    // What answers an interaction is known by its token.
    const isOpen = ["callback", "more", "instead"].includes(name);
    if (!isOpen && (isRevoked || authorization !== `Bot ${token}`)) return failed(401, 0, "401: Unauthorized");
    if (name === "gateway") {
      const limit = { total: 1000, remaining: 999, reset_after: 0, max_concurrency: 1 };
      return ok({ url: url(), shards: 1, session_start_limit: limit });
    }
    return routes[name]?.(asked) ?? failed(404, 0, "404: Not Found");
  }

  const faults: Faults = {
    next(name, ...more) {
      queued.set(name, [...(queued.get(name) ?? []), ...more]);
    },
    always(next) {
      rule = next;
    },
    storm(nth) {
      takenEvery = nth;
    },
    wait(ms) {
      state.answerMs = ms;
    },
    down(next) {
      isDown = next;
      if (!next) return;
      gateway.drop(null);
      for (const connection of connections) connection.destroy();
    },
    revoke(next) {
      isRevoked = next;
    },
    permissions(granted) {
      state.granted = granted;
    },
    mentionable(isOn) {
      state.leadsAreMentionable = isOn;
    },
    intent(isOn) {
      state.applicationFlags = isOn ? messageContentFlag : 0;
      gateway.grantMessageContent(isOn);
    },
    archive(threadId) {
      const thread = guild.channels.get(threadId);
      if (thread !== undefined) thread.isArchived = true;
    },
    deleteChannel(id) {
      guild.channels.delete(id);
      for (const message of guild.messages) if (message.channelId === id) message.isDeleted = true;
    },
    hold(name) {
      let reached = (): void => undefined;
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        reached = resolve;
      });
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      holds.set(name, { reached, released });
      return { held, release };
    },
  };

  return {
    settings: {
      DISCORD_TOKEN: token,
      DISCORD_GUILD_ID: guildId,
      DISCORD_CHANNEL_ID: homeChannel,
      DISCORD_API_URL: `http://127.0.0.1:${port}/api`,
    },
    messages: (channelId = homeChannel) =>
      guild.messages.filter((each) => each.channelId === channelId && !each.isDeleted),
    message(words) {
      const ours = guild.messages.filter((each) => !each.isDeleted && each.isOurs && wordsOf(each).includes(words));
      const found = ours.findLast((each) => each.channelId === homeChannel) ?? ours.at(-1);
      if (found === undefined)
        throw new Error(
          `no message with ${JSON.stringify(words)} among:\n${guild.messages.map((each) => each.content).join("\n")}`,
        );
      return structuredClone(found);
    },
    ephemerals: state.ephemerals,
    reactions: state.reactions,
    calls,
    commands: () => state.commands,
    file(messageId, name) {
      const bytes = state.files.get(`${messageId}/${name}`);
      if (bytes === undefined) throw new Error(`no file ${name}`);
      return bytes;
    },
    threads: () => [...guild.channels.values()].filter(({ parentId }) => parentId !== null),
    people: openPeople(state, gateway),
    gateway,
    faults,
    async close() {
      gateway.close();
      for (const connection of connections) connection.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function respond(response: ServerResponse, { status, headers, json }: Result): void {
  // discord.js reads a body wherever a type is named.
  response.writeHead(status, json === null ? headers : { ...headers, "content-type": "application/json" });
  response.end(json === null ? undefined : JSON.stringify(json));
}

async function readBody(request: IncomingMessage): Promise<Pick<Asked, "body" | "files">> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const type = request.headers["content-type"] ?? "";
  if (!type.startsWith("multipart/"))
    return { body: bytes.length === 0 ? {} : (JSON.parse(bytes.toString()) as Json), files: [] };
  const form = await new Response(bytes, { headers: { "content-type": type } }).formData();
  const files: { name: string; bytes: Buffer }[] = [];
  for (const value of form.values()) {
    if (typeof value !== "string") files.push({ name: value.name, bytes: Buffer.from(await value.arrayBuffer()) });
  }
  const payload = form.get("payload_json");
  return { body: JSON.parse(typeof payload === "string" ? payload : "{}") as Json, files };
}
