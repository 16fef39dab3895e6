import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import { botId, type Guild, guildId, type Json } from "./guild.ts";

/** The fake's gateway: sessions that outlive their connection, events that are replayed when one is resumed. */
export interface FakeGateway {
  readonly sessions: ReadonlyMap<string, Session>;
  /** Tells every session, or keeps it for those that are not connected. */
  dispatch(type: string, data: Json): void;
  /** The bot was invited to the server anew. */
  invite(): void;
  /** Breaks every connection; `code` null: without a word, as a network does. */
  drop(code: number | null): void;
  /** No session can be resumed any more. */
  forgetSessions(): void;
  grantMessageContent(isGranted: boolean): void;
  /** Connections, resumptions and refusals for an intent so far. */
  readonly counts: { identified: number; resumed: number; disallowed: number };
  close(): void;
}

interface Session {
  readonly id: string;
  readonly intents: number;
  socket: WebSocket | null;
  readonly events: Json[];
}

const guildMessages = 1 << 9;
const messageContent = 1 << 15;

export function openGateway(
  server: Server,
  guild: Guild,
  facts: { token: string; url: () => string; isDown: () => boolean },
): FakeGateway {
  const sessions = new Map<string, Session>();
  const counts = { identified: 0, resumed: 0, disallowed: 0 };
  let hasMessageContent = true;
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, socket, head) => {
    if (facts.isDown()) return void socket.destroy();
    sockets.handleUpgrade(request, socket, head, (opened) => listen(opened));
  });

  function send(socket: WebSocket, payload: Json): void {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(payload));
  }

  function tell(session: Session, type: string, data: Json): void {
    const event = { op: 0, t: type, s: session.events.length + 1, d: data };
    session.events.push(event);
    if (session.socket !== null) send(session.socket, event);
  }

  function listen(socket: WebSocket): void {
    socket.on("error", () => undefined);
    socket.on("message", (data: Buffer) => {
      const { op, d } = JSON.parse(data.toString()) as { op: number; d: Json };
      if (op === 1) send(socket, { op: 11 });
      if (op === 2) identify(socket, d);
      if (op === 6) resume(socket, d);
    });
    send(socket, { op: 10, d: { heartbeat_interval: 45_000 } });
  }

  function attach(session: Session, socket: WebSocket): void {
    session.socket = socket;
    socket.once("close", () => {
      if (session.socket === socket) session.socket = null;
    });
  }

  function identify(socket: WebSocket, given: Json): void {
    const intents = Number(given["intents"]);
    if (given["token"] !== facts.token) return socket.close(4004, "Authentication failed.");
    if ((intents & messageContent) !== 0 && !hasMessageContent) {
      counts.disallowed += 1;
      return socket.close(4014, "Disallowed intent(s).");
    }
    const session: Session = { id: randomUUID(), intents, socket: null, events: [] };
    sessions.set(session.id, session);
    attach(session, socket);
    counts.identified += 1;
    tell(session, "READY", {
      v: 10,
      user: guild.userOf(botId),
      guilds: [{ id: guildId, unavailable: true }],
      session_id: session.id,
      resume_gateway_url: facts.url(),
      application: { id: botId, flags: 0 },
      shard: [0, 1],
    });
    tell(session, "GUILD_CREATE", guildCreate());
  }

  function resume(socket: WebSocket, given: Json): void {
    const session = sessions.get(String(given["session_id"]));
    if (session === undefined || given["token"] !== facts.token) return send(socket, { op: 9, d: false });
    for (const event of session.events.slice(Number(given["seq"]))) send(socket, event);
    attach(session, socket);
    counts.resumed += 1;
    tell(session, "RESUMED", {});
  }

  function guildCreate(): Json {
    const empty = Object.fromEntries(
      [
        "emojis",
        "stickers",
        "features",
        "voice_states",
        "presences",
        "stage_instances",
        "guild_scheduled_events",
        "soundboard_sounds",
      ].map((name) => [name, []]),
    );
    return {
      ...empty,
      id: guildId,
      name: "Example",
      owner_id: "1",
      member_count: guild.members.size,
      roles: [
        {
          id: guildId,
          name: "@everyone",
          permissions: "0",
          color: 0,
          colors: {},
          position: 0,
          hoist: false,
          managed: false,
          mentionable: false,
        },
      ],
      members: [],
      channels: [],
      threads: [],
      joined_at: "2026-01-01T00:00:00.000Z",
      large: false,
      unavailable: false,
      verification_level: 0,
      default_message_notifications: 0,
      explicit_content_filter: 0,
      mfa_level: 0,
      nsfw_level: 0,
      premium_tier: 0,
      preferred_locale: "en-US",
      system_channel_flags: 0,
    };
  }

  return {
    sessions,
    counts,
    dispatch(type, data) {
      for (const session of sessions.values()) {
        const isMessage = type.startsWith("MESSAGE_");
        if (isMessage && (session.intents & guildMessages) === 0) continue;
        const shown = isMessage && (session.intents & messageContent) === 0 ? { ...data, content: "" } : data;
        tell(session, type, shown);
      }
    },
    invite() {
      for (const session of sessions.values()) tell(session, "GUILD_CREATE", guildCreate());
    },
    drop(code) {
      for (const { socket } of sessions.values()) {
        if (code === null) socket?.terminate();
        else socket?.close(code);
      }
    },
    forgetSessions() {
      for (const [id, { socket }] of sessions) {
        sessions.delete(id);
        socket?.terminate();
      }
    },
    grantMessageContent(isGranted) {
      hasMessageContent = isGranted;
    },
    close() {
      for (const { socket } of sessions.values()) socket?.terminate();
      sockets.close();
    },
  };
}
