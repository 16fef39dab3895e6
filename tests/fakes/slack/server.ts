import { createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import { botScopes } from "../../../src/chat/slack/settings.ts";
import { blockErrors, viewErrors } from "./blocks.ts";

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
  /** A picture of the newest message of ours that holds these words; throws when there is none. */
  message(words: string): Message;
  readonly whispers: readonly Whisper[];
  readonly reactions: readonly { ts: string; name: string }[];
  readonly homes: ReadonlyMap<string, View>;
  readonly views: ReadonlyMap<string, View>;
  readonly calls: readonly Call[];
  readonly people: PeopleOfSlack;
  readonly faults: Faults;
  close(): Promise<void>;
}

type Json = Record<string, unknown>;

export interface Message {
  readonly channel: string;
  readonly ts: string;
  readonly threadTs: string | null;
  readonly userId: string;
  readonly isOurs: boolean;
  text: string;
  blocks: Json[];
  metadata: Json | null;
  edits: number;
}

export interface Whisper {
  readonly channel: string;
  readonly userId: string;
  readonly threadTs: string | null;
  readonly text: string;
  readonly isPublic: boolean;
}

export interface View {
  readonly id: string;
  userId: string;
  view: Json;
}

export interface Call {
  readonly method: string;
  readonly arguments: Json;
  readonly outcome: string;
}

/** What somebody who pressed or typed sees happen. */
export interface Seen {
  /** False: Slack showed its own error, because nobody acknowledged within 3 s. */
  readonly acknowledged: boolean;
  /** What came with the acknowledgement. */
  readonly answer: Json;
}

export interface PeopleOfSlack {
  add(id: string, name: string, isDeleted?: boolean): void;
  /** Presses a button as this message showed it; `message` may be an old picture of it. */
  click(userId: string, message: Message, choice: string, how?: Delivery): Promise<Seen>;
  clickHome(userId: string, choice: string): Promise<Seen>;
  choose(userId: string, message: Message, option: string): Promise<Seen>;
  /** The window that this person has open. */
  openView(userId: string): View | null;
  submit(userId: string, values: Readonly<Record<string, string>>, how?: Delivery): Promise<Seen>;
  type(userId: string, command: string, text: string, how?: Delivery): Promise<Seen>;
  reply(userId: string, message: Message, text: string, how?: Delivery): Promise<Message>;
  edit(message: Message, text: string): Promise<void>;
  remove(message: Message): Promise<void>;
  openHome(userId: string): Promise<void>;
}

export interface Delivery {
  /** Delivered this often, at once, as the same event. */
  readonly times?: number;
  /** Nobody is told; the message is only there. */
  readonly isMissed?: boolean;
  /** The connection breaks right after the envelope was sent. */
  readonly dropsSocket?: boolean;
  /** For signed requests. */
  readonly signature?: "forged" | "stale";
}

export type Fault =
  | { readonly type: "limit"; readonly seconds: number }
  | { readonly type: "error"; readonly error: string }
  /** The call is carried out, and its answer never arrives, or is an error. */
  | { readonly type: "lost"; readonly by: "cut" | "500" | "silence" }
  /** The call is not carried out. */
  | { readonly type: "500" };

export interface Faults {
  /** For the next call of a method; several queue up. */
  next(method: string, ...faults: Fault[]): void;
  /** For every call of a method whose arguments match, until it is taken back with null. */
  always(rule: { method: string; matches: (given: Json) => boolean; fault: Fault } | null): void;
  /** Only every `nth` post is taken; the others are told to come back after a second. 1 takes all. */
  storm(nth: number): void;
  /** Nobody reaches Slack, and every connection breaks. */
  down(isDown: boolean): void;
  revoke(isRevoked: boolean): void;
  dropSockets(how: "refresh" | "hard"): void;
  /** Calls of a method wait until the returned function is called. */
  hold(method: string): { readonly held: Promise<void>; release(): void };
}

const botUserId = "UBOT00001";
const botId = "BBOT00001";
export const homeChannel = "C0000MAIN";
const triggerLifeMs = 3000;

export async function startSlack(
  options: { readonly mode?: "socket" | "http"; readonly eventsPort?: number } = {},
): Promise<FakeSlack> {
  const botToken = `xoxb-test-${randomUUID()}`;
  const appToken = `xapp-1-test-${randomUUID()}`;
  const signingSecret = randomUUID().replaceAll("-", "");
  const users = new Map<string, { id: string; name: string; deleted: boolean }>();
  const channels = new Map([
    [homeChannel, { id: homeChannel, name: "chief-of-staff", is_member: true }],
    ["C0000AWAY", { id: "C0000AWAY", name: "elsewhere", is_member: false }],
  ]);
  const messages: (Message & { isDeleted: boolean })[] = [];
  const whispers: Whisper[] = [];
  const reactions: { ts: string; name: string }[] = [];
  const homes = new Map<string, View>();
  const views = new Map<string, View>();
  const calls: Call[] = [];
  const triggers = new Map<string, { userId: string; at: number }>();
  const responses = new Map<string, { userId: string; channel: string }>();
  const connections = new Set<Socket>();
  const sockets = new Set<WebSocket>();
  const queued = new Map<string, Fault[]>();
  const holds = new Map<string, { reached: () => void; released: Promise<void> }>();
  let rule: Parameters<Faults["always"]>[0] = null;
  let takenEvery = 1;
  let posts = 0;
  let isDown = false;
  let isRevoked = false;
  let lastTs = 0;
  let nextSocket = 0;

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
      sockets.add(opened);
      opened.once("close", () => sockets.delete(opened));
      opened.on("error", () => undefined);
      opened.send(
        JSON.stringify({ type: "hello", num_connections: sockets.size, debug_info: {}, connection_info: {} }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const root = `http://127.0.0.1:${port}`;

  function freshTs(): string {
    lastTs = Math.max(lastTs + 1, Date.now() * 1000);
    return `${Math.floor(lastTs / 1_000_000)}.${String(lastTs % 1_000_000).padStart(6, "0")}`;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const path = request.url ?? "";
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
      "x-oauth-scopes": botScopes.join(","),
      ...result.headers,
    });
    response.end(JSON.stringify(result.json));
  }

  interface Result {
    readonly status: number;
    readonly headers: Record<string, string>;
    readonly json: Json;
  }

  const ok = (json: Json = {}): Result => ({ status: 200, headers: {}, json: { ok: true, ...json } });
  const failed = (error: string, details: string[] = []): Result => ({
    status: 200,
    headers: {},
    json: { ok: false, error, ...(details.length === 0 ? {} : { response_metadata: { messages: details } }) },
  });

  function refuse(fault: Exclude<Fault, { type: "lost" }>): Result {
    if (fault.type === "limit") return limited(fault.seconds);
    if (fault.type === "500") return { status: 500, headers: {}, json: { ok: false, error: "http 500" } };
    return failed(fault.error);
  }

  function limited(seconds: number): Result {
    return { status: 429, headers: { "retry-after": String(seconds) }, json: { ok: false, error: "ratelimited" } };
  }

  async function carryOut(method: string, given: Json, token: string): Promise<Result> {
    if (isRevoked) return failed("token_revoked");
    if (method === "apps.connections.open") {
      if (token !== appToken) return failed("invalid_auth");
      return ok({ url: `ws://127.0.0.1:${port}/socket/${randomUUID()}` });
    }
    if (token !== botToken) return failed("invalid_auth");
    const handler = methods[method];
    return handler === undefined ? failed("unknown_method") : handler(given);
  }

  const text = (given: Json, name: string): string => (typeof given[name] === "string" ? given[name] : "");

  function checkMessage(given: Json): Result | null {
    const blocks = given["blocks"];
    if (text(given, "text") === "" && blocks === undefined) return failed("no_text");
    if (text(given, "text").length > 40_000) return failed("msg_too_long");
    const errors = blocks === undefined ? [] : blockErrors(blocks);
    if (errors.some((error) => error.startsWith("msg_blocks_too_long"))) return failed("msg_blocks_too_long", errors);
    return errors.length === 0 ? null : failed("invalid_blocks", errors);
  }

  function membership(channel: string): Result | null {
    const found = channels.get(channel) ?? [...channels.values()].find((each) => `#${each.name}` === channel);
    if (found === undefined) return failed("channel_not_found");
    return found.is_member ? null : failed("not_in_channel");
  }

  function idOf(channel: string): string {
    return [...channels.values()].find((each) => `#${each.name}` === channel)?.id ?? channel;
  }

  function raw(message: Message): Json {
    return {
      type: "message",
      ts: message.ts,
      text: message.text,
      blocks: message.blocks,
      user: message.userId,
      ...(message.isOurs ? { bot_id: botId } : {}),
      ...(message.threadTs === null ? {} : { thread_ts: message.threadTs }),
      ...(message.metadata === null ? {} : { metadata: message.metadata }),
    };
  }

  const methods: Readonly<Record<string, (given: Json) => Result>> = {
    "auth.test": () =>
      ok({
        url: "https://example.slack.com/",
        team: "Example",
        team_id: "T1",
        user: "chief",
        user_id: botUserId,
        bot_id: botId,
      }),
    "users.info": (given) => {
      const user = users.get(text(given, "user"));
      if (user === undefined) return failed("user_not_found");
      return ok({
        user: { id: user.id, name: user.name, deleted: user.deleted, profile: { display_name: user.name } },
      });
    },
    "conversations.info": (given) => {
      const channel = channels.get(text(given, "channel"));
      return channel === undefined ? failed("channel_not_found") : ok({ channel });
    },
    "conversations.list": () => ok({ channels: [...channels.values()], response_metadata: { next_cursor: "" } }),
    "chat.postMessage": (given) => {
      const wrong = membership(text(given, "channel")) ?? checkMessage(given);
      if (wrong !== null) return wrong;
      const channel = idOf(text(given, "channel"));
      posts += 1;
      if (posts % takenEvery !== 0) return limited(1);
      const threadTs = text(given, "thread_ts");
      const message = {
        channel,
        ts: freshTs(),
        threadTs: threadTs === "" ? null : threadTs,
        userId: botUserId,
        isOurs: true,
        text: text(given, "text"),
        blocks: (given["blocks"] ?? []) as Json[],
        metadata: (given["metadata"] ?? null) as Json | null,
        edits: 0,
        isDeleted: false,
      };
      messages.push(message);
      return ok({ channel, ts: message.ts, message: raw(message) });
    },
    "chat.update": (given) => {
      const message = find(text(given, "channel"), text(given, "ts"));
      if (message === null) return failed("message_not_found");
      const wrong = checkMessage(given);
      if (wrong !== null) return wrong;
      message.text = text(given, "text");
      message.blocks = (given["blocks"] ?? []) as Json[];
      message.edits += 1;
      return ok({ channel: message.channel, ts: message.ts });
    },
    "chat.postEphemeral": (given) => {
      const wrong = membership(text(given, "channel")) ?? checkMessage(given);
      if (wrong !== null) return wrong;
      whisper({ ...given, isPublic: false }, text(given, "channel"), text(given, "user"));
      return ok({ message_ts: freshTs() });
    },
    "reactions.add": (given) => {
      reactions.push({ ts: text(given, "timestamp"), name: text(given, "name") });
      return ok();
    },
    "conversations.history": (given) => listed(given, (message) => message.threadTs === null),
    "conversations.replies": (given) => {
      const ts = text(given, "ts");
      return listed(given, (message) => message.ts === ts || message.threadTs === ts);
    },
    "views.open": (given) => {
      const trigger = triggers.get(text(given, "trigger_id"));
      if (trigger === undefined) return failed("invalid_trigger_id");
      triggers.delete(text(given, "trigger_id"));
      if (Date.now() - trigger.at > triggerLifeMs) return failed("expired_trigger_id");
      return stored(given, { id: `V${randomUUID().slice(0, 8).toUpperCase()}`, userId: trigger.userId });
    },
    "views.update": (given) => {
      const known = views.get(text(given, "view_id"));
      return known === undefined ? failed("not_found") : stored(given, known);
    },
    "views.publish": (given) => {
      const errors = viewErrors(given["view"]);
      if (errors.length > 0) return failed("invalid_arguments", errors);
      const userId = text(given, "user_id");
      homes.set(userId, { id: `VHOME${userId}`, userId, view: given["view"] as Json });
      return ok();
    },
  };

  function stored(given: Json, { id, userId }: { id: string; userId: string }): Result {
    const errors = viewErrors(given["view"]);
    if (errors.length > 0) return failed("invalid_arguments", errors);
    views.set(id, { id, userId, view: given["view"] as Json });
    return ok({ view: { id, hash: randomUUID() } });
  }

  function listed(given: Json, matches: (message: Message) => boolean): Result {
    const oldest = Number(given["oldest"] ?? 0);
    const shown = messages
      .filter((message) => !message.isDeleted && message.channel === text(given, "channel") && matches(message))
      .filter((message) => Number(message.ts) >= oldest);
    const withMetadata = given["include_all_metadata"] === true || given["include_all_metadata"] === "true";
    const rows = shown.map((message) => (withMetadata ? raw(message) : { ...raw(message), metadata: undefined }));
    // In pages; history begins with the newest, a thread with the oldest, as Slack does.
    const from = Number(given["cursor"] ?? 0);
    const size = Math.min(Number(given["limit"] ?? 100), 200);
    const ordered = given["ts"] === undefined ? rows.reverse() : rows;
    const page = ordered.slice(from, from + size);
    const next = from + size < rows.length ? String(from + size) : "";
    return ok({ messages: page, has_more: next !== "", response_metadata: { next_cursor: next } });
  }

  function whisper(given: Json, channel: string, userId: string): void {
    const blocks = given["blocks"];
    const drawn = Array.isArray(blocks) ? `\n${wordsOf(blocks)}` : "";
    const threadTs = text(given, "thread_ts");
    whispers.push({
      channel,
      userId,
      threadTs: threadTs === "" ? null : threadTs,
      text: `${text(given, "text")}${drawn}`,
      isPublic: given["isPublic"] === true,
    });
  }

  function answerResponse(id: string, body: string, response: ServerResponse): void {
    const known = responses.get(id);
    const given = JSON.parse(body) as Json;
    const wrong = known === undefined ? failed("used_url") : checkMessage(given);
    if (wrong === null && known !== undefined) {
      whisper({ ...given, isPublic: given["response_type"] === "in_channel" }, known.channel, known.userId);
    }
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify((wrong ?? ok()).json));
  }

  function find(channel: string, ts: string): (Message & { isDeleted: boolean }) | null {
    return messages.find((each) => each.channel === channel && each.ts === ts && !each.isDeleted) ?? null;
  }

  // Deliveries ------------------------------------------------------------------------------------------------------

  const settings: Record<string, string> = {
    SLACK_BOT_TOKEN: botToken,
    SLACK_CHANNEL: homeChannel,
    SLACK_API_URL: `${root}/api/`,
    ...(options.mode === "http"
      ? { SLACK_SIGNING_SECRET: signingSecret, SLACK_PORT: String(options.eventsPort ?? 0) }
      : { SLACK_APP_TOKEN: appToken }),
  };

  type Envelope = "interactive" | "slash_commands" | "events_api";

  async function deliver(type: Envelope, payload: Json, how: Delivery = {}): Promise<Seen> {
    const send = options.mode === "http" ? overHttp : overSocket;
    const tries = Array.from({ length: how.times ?? 1 }, (_, index) => send(type, payload, how, index));
    const seen = await Promise.all(tries);
    const first = seen.find((each) => each.acknowledged) ?? seen[0];
    // Slack delivers events again that nobody took, and says so; presses it does not.
    if (type === "events_api" && first?.acknowledged !== true) {
      await until(() => options.mode === "http" || sockets.size > 0);
      return await send(type, payload, {}, 1);
    }
    return first ?? { acknowledged: false, answer: {} };
  }

  async function overSocket(type: Envelope, payload: Json, how: Delivery, retry: number): Promise<Seen> {
    const open = [...sockets];
    const socket = open[nextSocket++ % Math.max(open.length, 1)];
    if (socket === undefined) return { acknowledged: false, answer: {} };
    const envelopeId = randomUUID();
    const again = retry === 0 ? {} : { retry_attempt: retry, retry_reason: "timeout" };
    const seen = new Promise<Seen>((resolve) => {
      const timer = setTimeout(() => finish({ acknowledged: false, answer: {} }), 3000);
      function finish(result: Seen): void {
        clearTimeout(timer);
        socket?.off("message", hear);
        resolve(result);
      }
      function hear(data: Buffer): void {
        const said = JSON.parse(data.toString()) as { envelope_id?: string; payload?: Json };
        if (said.envelope_id === envelopeId) finish({ acknowledged: true, answer: said.payload ?? {} });
      }
      socket.on("message", hear);
      socket.once("close", () => finish({ acknowledged: false, answer: {} }));
    });
    socket.send(JSON.stringify({ envelope_id: envelopeId, type, payload, accepts_response_payload: true, ...again }));
    if (how.dropsSocket === true) setTimeout(() => socket.terminate(), 1);
    return await seen;
  }

  async function overHttp(type: Envelope, payload: Json, how: Delivery, retry: number): Promise<Seen> {
    const isJson = type === "events_api";
    const form: Record<string, string> =
      type === "interactive" ? { payload: JSON.stringify(payload) } : (payload as Record<string, string>);
    const body = isJson ? JSON.stringify(payload) : new URLSearchParams(form).toString();
    const age = how.signature === "stale" ? 600 : 0;
    const timestamp = String(Math.floor(Date.now() / 1000) - age);
    const secret = how.signature === "forged" ? "another secret" : signingSecret;
    const signature = `v0=${createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex")}`;
    try {
      const response = await fetch(`http://127.0.0.1:${options.eventsPort}/slack/events`, {
        method: "POST",
        body,
        signal: AbortSignal.timeout(3000),
        headers: {
          "content-type": isJson ? "application/json" : "application/x-www-form-urlencoded",
          "x-slack-request-timestamp": timestamp,
          "x-slack-signature": signature,
          ...(retry === 0 ? {} : { "x-slack-retry-num": String(retry), "x-slack-retry-reason": "http_timeout" }),
        },
      });
      const said = await response.text();
      const answered = said.startsWith("{") ? (JSON.parse(said) as Json) : said === "" ? {} : { text: said };
      return { acknowledged: response.ok, answer: answered };
    } catch {
      return { acknowledged: false, answer: {} };
    }
  }

  // People ----------------------------------------------------------------------------------------------------------

  function freshTrigger(userId: string): string {
    const id = `${Date.now()}.${randomUUID()}`;
    triggers.set(id, { userId, at: Date.now() });
    return id;
  }

  function freshResponse(userId: string, channel: string): string {
    const id = randomUUID();
    responses.set(id, { userId, channel });
    return `${root}/response/${id}`;
  }

  function who(userId: string): Json {
    return {
      id: userId,
      username: users.get(userId)?.name ?? userId,
      name: users.get(userId)?.name ?? userId,
      team_id: "T1",
    };
  }

  function blockAction(userId: string, action: Json, place: Json): Json {
    return {
      type: "block_actions",
      team: { id: "T1", domain: "example" },
      user: who(userId),
      api_app_id: "A1",
      token: "legacy",
      trigger_id: freshTrigger(userId),
      actions: [{ ...action, action_ts: freshTs(), block_id: "b" }],
      ...place,
    };
  }

  function inMessage(userId: string, message: Message): Json {
    return {
      container: { type: "message", message_ts: message.ts, channel_id: message.channel },
      channel: { id: message.channel, name: "chief-of-staff" },
      message: raw(message),
      response_url: freshResponse(userId, message.channel),
    };
  }

  function eventOf(event: Json): Json {
    return {
      type: "event_callback",
      team_id: "T1",
      api_app_id: "A1",
      event_id: `Ev${randomUUID().slice(0, 10)}`,
      event_time: Math.floor(Date.now() / 1000),
      authorizations: [{ team_id: "T1", user_id: botUserId, is_bot: true, is_enterprise_install: false }],
      event,
    };
  }

  const people: PeopleOfSlack = {
    add(id, name, deleted = false) {
      users.set(id, { id, name, deleted });
    },
    async click(userId, message, choice, how) {
      const button = elementsOf(message.blocks).find((each) => each["action_id"] === `cos:${choice}`);
      if (button === undefined) throw new Error(`no button ${choice} on: ${message.text}`);
      const { type, action_id, value } = button;
      return await deliver(
        "interactive",
        blockAction(userId, { type, action_id, value }, inMessage(userId, message)),
        how,
      );
    },
    async clickHome(userId, choice) {
      const home = homes.get(userId);
      const button = elementsOf((home?.view["blocks"] ?? []) as Json[]).find(
        (each) => each["action_id"] === `cos:${choice}`,
      );
      if (home === undefined || button === undefined) throw new Error(`no button ${choice} on the home of ${userId}`);
      const { type, action_id, value } = button;
      const place = { container: { type: "view", view_id: home.id }, view: { id: home.id, ...home.view } };
      return await deliver("interactive", blockAction(userId, { type, action_id, value }, place));
    },
    async choose(userId, message, option) {
      const menu = elementsOf(message.blocks).find((each) => each["type"] === "overflow");
      const options_ = (menu?.["options"] ?? []) as { text: { text: string }; value: string }[];
      const selected = options_.find((each) => each.text.text === option);
      if (menu === undefined || selected === undefined) throw new Error(`no option ${option} on: ${message.text}`);
      const action = { type: "overflow", action_id: menu["action_id"], selected_option: selected };
      return await deliver("interactive", blockAction(userId, action, inMessage(userId, message)));
    },
    openView: (userId) => [...views.values()].filter((each) => each.userId === userId).at(-1) ?? null,
    async submit(userId, values, how) {
      const open = people.openView(userId);
      if (open === null) throw new Error(`${userId} has no window open`);
      const state = Object.fromEntries(
        ((open.view["blocks"] ?? []) as Json[])
          .filter((block) => block["type"] === "input")
          .map((block) => {
            const id = String(block["block_id"]);
            return [id, { [id]: { type: "plain_text_input", value: values[id] ?? null } }];
          }),
      );
      const view = { ...open.view, id: open.id, hash: randomUUID(), state: { values: state } };
      const payload = {
        type: "view_submission",
        team: { id: "T1", domain: "example" },
        user: who(userId),
        api_app_id: "A1",
        token: "legacy",
        trigger_id: freshTrigger(userId),
        view,
      };
      const seen = await deliver("interactive", payload, how);
      if (seen.acknowledged && seen.answer["response_action"] === "update") {
        const errors = viewErrors(seen.answer["view"]);
        if (errors.length > 0) throw new Error(errors.join("; "));
        views.set(open.id, { ...open, view: seen.answer["view"] as Json });
      } else if (seen.acknowledged && seen.answer["response_action"] === undefined) {
        views.delete(open.id);
      }
      return seen;
    },
    async type(userId, command, words, how) {
      const payload = {
        command,
        text: words,
        token: "legacy",
        team_id: "T1",
        team_domain: "example",
        channel_id: homeChannel,
        channel_name: "chief-of-staff",
        user_id: userId,
        user_name: users.get(userId)?.name ?? userId,
        api_app_id: "A1",
        is_enterprise_install: "false",
        response_url: freshResponse(userId, homeChannel),
        trigger_id: freshTrigger(userId),
      };
      const seen = await deliver("slash_commands", payload, how);
      const wrong = seen.acknowledged && Object.keys(seen.answer).length > 0 ? checkMessage(seen.answer) : null;
      if (wrong !== null) throw new Error(JSON.stringify(wrong.json));
      return seen;
    },
    async reply(userId, message, words, how = {}) {
      const reply = {
        channel: message.channel,
        ts: freshTs(),
        threadTs: message.threadTs ?? message.ts,
        userId,
        isOurs: false,
        text: words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
        blocks: [],
        metadata: null,
        edits: 0,
        isDeleted: false,
      };
      messages.push(reply);
      if (how.isMissed !== true)
        await deliver("events_api", eventOf({ ...raw(reply), channel: reply.channel, event_ts: reply.ts }), how);
      return reply;
    },
    async edit(message, words) {
      const stored_ = find(message.channel, message.ts);
      if (stored_ === null) throw new Error(`no message ${message.ts}`);
      const before = raw(stored_);
      stored_.text = words;
      stored_.edits += 1;
      const edited = { ...raw(stored_), edited: { user: message.userId, ts: freshTs() } };
      const event = {
        type: "message",
        subtype: "message_changed",
        channel: message.channel,
        message: edited,
        previous_message: before,
      };
      await deliver("events_api", eventOf({ ...event, event_ts: freshTs() }));
    },
    async remove(message) {
      const stored_ = find(message.channel, message.ts);
      if (stored_ === null) throw new Error(`no message ${message.ts}`);
      stored_.isDeleted = true;
      const event = { type: "message", subtype: "message_deleted", channel: message.channel, deleted_ts: message.ts };
      await deliver("events_api", eventOf({ ...event, previous_message: raw(stored_), event_ts: freshTs() }));
    },
    async openHome(userId) {
      await deliver(
        "events_api",
        eventOf({ type: "app_home_opened", user: userId, tab: "home", channel: "D1", event_ts: freshTs() }),
      );
    },
  };

  const faults: Faults = {
    next(method, ...more) {
      queued.set(method, [...(queued.get(method) ?? []), ...more]);
    },
    always(next) {
      rule = next;
    },
    storm(nth) {
      takenEvery = nth;
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
      const found = messages.findLast(
        (each) => !each.isDeleted && each.isOurs && `${each.text}\n${wordsOf(each.blocks)}`.includes(words),
      );
      if (found === undefined)
        throw new Error(
          `no message with ${JSON.stringify(words)} among:\n${messages.map((each) => each.text).join("\n")}`,
        );
      return structuredClone(found);
    },
    whispers,
    reactions,
    homes,
    views,
    calls,
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

/** Every text of some blocks, one a line. */
export function wordsOf(blocks: readonly Json[]): string {
  const texts: string[] = [];
  JSON.stringify(blocks, (name, value: unknown) => {
    if (name === "text" && typeof value === "string") texts.push(value);
    return value;
  });
  return texts.join("\n");
}

function elementsOf(blocks: readonly Json[]): Json[] {
  return blocks.flatMap((block) => (Array.isArray(block["elements"]) ? (block["elements"] as Json[]) : []));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
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

async function until(condition: () => boolean, limitMs = 15_000): Promise<void> {
  const end = Date.now() + limitMs;
  while (!condition()) {
    if (Date.now() > end) throw new Error("nobody connects any more");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
