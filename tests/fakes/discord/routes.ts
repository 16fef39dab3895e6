import { PermissionFlagsBits } from "discord.js";
import { usedPermissions } from "../../../src/chat/discord/permissions.ts";
import { commandErrors, messageErrors, modalErrors, suggestionErrors } from "./check.ts";
import {
  botId,
  botRole,
  type Guild,
  guildId,
  homeChannel,
  type Json,
  leadRole,
  raw,
  type StoredMessage,
  textIn,
  wordsOf,
} from "./guild.ts";

/** The fake's REST routes. Each is carried out by what it is called in tests: "post", "edit", "history", …. */

export interface Result {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null: no body at all, as Discord answers with 204. */
  readonly json: unknown;
}

export interface Asked {
  readonly id: string;
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Json;
  readonly files: readonly { readonly name: string; readonly bytes: Buffer }[];
}

/** Something that one person saw, or everybody, in answer to what they did. */
export interface Ephemeral {
  readonly userId: string;
  readonly text: string;
  readonly isPublic: boolean;
  readonly components: readonly Json[];
  readonly files: readonly { readonly name: string; readonly text: string }[];
}

export interface Interaction {
  readonly id: string;
  readonly token: string;
  readonly userId: string;
  /** Set by the first answer. */
  answer: Json | null;
  onAnswer: (answer: Json) => void;
  isOver: boolean;
  /** Somebody types a command: only suggestions may be answered. */
  readonly isTyping: boolean;
}

export function ok(json: unknown): Result {
  return { status: 200, headers: {}, json };
}

export function failed(status: number, code: number, message: string): Result {
  return { status, headers: {}, json: { code, message } };
}

export function limited(seconds: number, isShared?: true): Result {
  const shared = { "x-ratelimit-limit": "5", "x-ratelimit-remaining": "0", "x-ratelimit-reset-after": String(seconds) };
  return {
    status: 429,
    headers: { "retry-after": String(seconds), "x-ratelimit-scope": "user", ...(isShared === true ? shared : {}) },
    json: { message: "You are being rate limited.", retry_after: seconds, global: false },
  };
}

function invalid(errors: readonly string[]): Result {
  const _errors = errors.map((message) => ({ code: "BASE_TYPE", message }));
  return {
    status: 400,
    headers: {},
    json: { code: 50035, message: "Invalid Form Body", errors: { body: { _errors } } },
  };
}

const unknownChannel = failed(404, 10003, "Unknown Channel");
const unknownMessage = failed(404, 10008, "Unknown Message");
const none: Result = { status: 204, headers: {}, json: null };
const ephemeral = 64;

/** How long the app has to answer an interaction, as Discord gives it. */
export const usualAnswerMs = 3_000;

export interface State {
  readonly guild: Guild;
  readonly ephemerals: Ephemeral[];
  readonly modals: Map<string, Json>;
  readonly reactions: { id: string; emoji: string }[];
  readonly interactions: Map<string, Interaction>;
  readonly files: Map<string, Buffer>;
  /** How long the app has to answer an interaction. */
  answerMs: number;
  /** The permissions that the bot has in the home channel. */
  granted: bigint;
  /** Whether people may mention the role of those who lead, as docs/discord.md asks for. */
  leadsAreMentionable: boolean;
  commands: Json[];
  applicationFlags: number;
  mayPost: () => boolean;
}

export const everyPermission = Object.values(usedPermissions).reduce((all, each) => all | each, 0n);

const patterns: readonly (readonly [string, string, RegExp])[] = [
  ["gateway", "GET", /^gateway\/bot$/],
  ["me", "GET", /^users\/@me$/],
  ["application", "GET", /^applications\/@me$/],
  ["commands", "PUT", /^applications\/(\d+)\/guilds\/(\d+)\/commands$/],
  ["guild", "GET", /^guilds\/(\d+)$/],
  ["roleCounts", "GET", /^guilds\/(\d+)\/roles\/member-counts$/],
  ["member", "GET", /^guilds\/(\d+)\/members\/(\d+)$/],
  ["channel", "GET", /^channels\/(\d+)$/],
  ["unarchive", "PATCH", /^channels\/(\d+)$/],
  ["post", "POST", /^channels\/(\d+)\/messages$/],
  ["history", "GET", /^channels\/(\d+)\/messages$/],
  ["message", "GET", /^channels\/(\d+)\/messages\/(\d+)$/],
  ["edit", "PATCH", /^channels\/(\d+)\/messages\/(\d+)$/],
  ["thread", "POST", /^channels\/(\d+)\/messages\/(\d+)\/threads$/],
  ["reaction", "PUT", /^channels\/(\d+)\/messages\/(\d+)\/reactions\/([^/]+)\/@me$/],
  ["direct", "POST", /^users\/@me\/channels$/],
  ["callback", "POST", /^interactions\/(\d+)\/([\w-]+)\/callback$/],
  ["more", "POST", /^webhooks\/(\d+)\/([\w-]+)$/],
  ["instead", "PATCH", /^webhooks\/(\d+)\/([\w-]+)\/messages\/@original$/],
];

/** What a call is, by its method and path below `/api/v10/`; null for a route that nobody knows. */
export function routeOf(
  method: string,
  path: string,
): { readonly name: string; readonly parts: readonly string[] } | null {
  for (const [name, wanted, pattern] of patterns) {
    const found = wanted === method ? pattern.exec(path) : null;
    if (found !== null) return { name, parts: found.slice(1) };
  }
  return null;
}

/** Directs, whose channel has the id of the person. */
function placeOf({ guild }: State, channelId: string) {
  return guild.channels.get(channelId) ?? (guild.members.has(channelId) ? { isArchived: false } : null);
}

/** Whom the mentions of a message notify: a role where it is mentionable, or the bot may mention all of them. */
function notified({ granted, leadsAreMentionable }: State, allowed: Json): Json {
  const mayAll = (granted & PermissionFlagsBits.MentionEveryone) !== 0n;
  const roles = ((allowed["roles"] ?? []) as string[]).filter(
    (id) => mayAll || (id === leadRole && leadsAreMentionable),
  );
  return { ...allowed, roles };
}

export function openRoutes(state: State): Readonly<Record<string, (asked: Asked) => Result>> {
  const { guild, interactions } = state;

  function post({ parts: [channelId = ""], body, files }: Asked): Result {
    const channel = placeOf(state, channelId);
    if (channel === null) return unknownChannel;
    if (channelId !== homeChannel && guild.channels.get(channelId)?.type === 0)
      return failed(403, 50001, "Missing Access");
    if (!state.mayPost()) return limited(1);
    if (files.length > 0 && (state.granted & usedPermissions["Attach Files"]) === 0n)
      return failed(403, 50013, "Missing Permissions");
    const errors = messageErrors(body, files.length);
    if (errors.length > 0) return invalid(errors);
    const nonce = typeof body["nonce"] === "string" ? body["nonce"] : null;
    const same = guild.messages.find(
      (each) => each.nonce !== null && each.nonce === nonce && each.channelId === channelId,
    );
    if (body["enforce_nonce"] === true && same !== undefined) return ok(raw(guild, same));
    channel.isArchived = false;
    const id = guild.freshId();
    const described = (body["attachments"] ?? []) as Json[];
    const attachments = files.map((file, index) => {
      state.files.set(`${id}/${file.name}`, file.bytes);
      return { id: guild.freshId(), filename: file.name, size: file.bytes.length, ...described[index] };
    });
    const message: StoredMessage = {
      id,
      channelId,
      authorId: botId,
      isOurs: true,
      content: textIn(body, "content"),
      embeds: (body["embeds"] ?? []) as Json[],
      components: (body["components"] ?? []) as Json[],
      attachments,
      nonce,
      mentions: notified(state, body["allowed_mentions"] as Json),
      replyTo: null,
      editedAt: null,
      edits: 0,
      isDeleted: false,
    };
    guild.messages.push(message);
    return ok(raw(guild, message));
  }

  function edit({ parts: [channelId = "", id = ""], body }: Asked): Result {
    const channel = placeOf(state, channelId);
    if (channel === null) return unknownChannel;
    if (channel.isArchived) return failed(400, 50083, "Thread is archived");
    const message = guild.find(channelId, id);
    if (message === null) return unknownMessage;
    const errors = messageErrors(body);
    if (errors.length > 0) return invalid(errors);
    message.content = textIn(body, "content");
    message.embeds = (body["embeds"] ?? []) as Json[];
    message.components = (body["components"] ?? []) as Json[];
    message.edits += 1;
    message.editedAt = new Date().toISOString();
    return ok(raw(guild, message));
  }

  /** Newest first; behind an id the oldest page. */
  function history({ parts: [channelId = ""], query }: Asked): Result {
    if (placeOf(state, channelId) === null) return unknownChannel;
    const after = BigInt(query.get("after") ?? "0");
    const limit = Number(query.get("limit") ?? "50");
    const found = guild.messages.filter(
      (each) => each.channelId === channelId && !each.isDeleted && BigInt(each.id) > after,
    );
    return ok(
      found
        .slice(0, limit)
        .reverse()
        .map((each) => raw(guild, each)),
    );
  }

  function thread({ parts: [channelId = "", id = ""], body }: Asked): Result {
    if (guild.find(channelId, id) === null) return unknownMessage;
    if (guild.channels.has(id)) return failed(400, 160004, "A thread has already been created for this message");
    const name = textIn(body, "name");
    if (name.length === 0 || name.length > 100) return invalid([`a thread name of ${name.length}`]);
    guild.channels.set(id, { id, name, type: 11, parentId: channelId, isArchived: false });
    return { ...ok({ id, name, type: 11, parent_id: channelId, guild_id: guildId }), status: 201 };
  }

  function callback({ parts: [id = "", token = ""], body }: Asked): Result {
    const found = interactions.get(token);
    if (found?.id !== id || found.isOver) return failed(404, 10062, "Unknown interaction");
    if (found.answer !== null) return failed(400, 40060, "Interaction has already been acknowledged.");
    const data = (body["data"] ?? {}) as Json;
    if (body["type"] === 9) {
      const errors = modalErrors(data);
      if (errors.length > 0) return invalid(errors);
      state.modals.set(found.userId, data);
    }
    if (found.isTyping !== (body["type"] === 8)) return invalid(["an answer to something else"]);
    if (body["type"] === 8) {
      const errors = suggestionErrors(data);
      if (errors.length > 0) return invalid(errors);
    }
    if (body["type"] === 4) {
      const errors = messageErrors(data);
      if (errors.length > 0) return invalid(errors);
      sendEphemeral(found, data);
    }
    found.answer = body;
    found.onAnswer(body);
    return none;
  }

  function sendEphemeral({ userId }: Interaction, data: Json, files: Asked["files"] = []): void {
    state.ephemerals.push({
      files: files.map(({ name, bytes }) => ({ name, text: bytes.toString() })),
      userId,
      text: wordsOf({ content: textIn(data, "content"), embeds: (data["embeds"] ?? []) as Json[] }),
      isPublic: (Number(data["flags"] ?? 0) & ephemeral) === 0,
      components: (data["components"] ?? []) as Json[],
    });
  }

  /** One thing more, or instead of the first. */
  function more({ parts: [, token = ""], body, files }: Asked): Result {
    const found = interactions.get(token);
    if (found === undefined) return failed(404, 10015, "Unknown Webhook");
    const errors = messageErrors(body, files.length);
    if (errors.length > 0) return invalid(errors);
    sendEphemeral(found, body, files);
    return ok({});
  }

  return {
    me: () => ok(guild.userOf(botId)),
    application: () => ok({ id: botId, name: "Chief of Staff", flags: state.applicationFlags }),
    commands({ parts: [, guildIdGiven], body }) {
      if (guildIdGiven !== guildId) return failed(404, 10004, "Unknown Guild");
      const errors = commandErrors(body as unknown as Json[]);
      if (errors.length > 0) return invalid(errors);
      state.commands = body as unknown as Json[];
      return ok(body);
    },
    guild({ parts: [id] }) {
      if (id !== guildId) return failed(404, 10004, "Unknown Guild");
      const role = { permissions: "0", mentionable: false };
      const everyone = { ...role, id: guildId, name: "@everyone", permissions: state.granted.toString() };
      const leads = { ...role, id: leadRole, name: "leads", mentionable: state.leadsAreMentionable };
      const ofBot = { ...role, id: botRole, name: "Chief of Staff", tags: { bot_id: botId } };
      return ok({ id, name: "Example", roles: [everyone, leads, ofBot] });
    },
    roleCounts() {
      const roles = [...guild.members.values()].flatMap((each) => each.roles);
      return ok(Object.fromEntries([leadRole, botRole].map((id) => [id, roles.filter((each) => each === id).length])));
    },
    member: ({ parts: [, id = ""] }) =>
      guild.members.has(id) ? ok(guild.memberOf(id)) : failed(404, 10007, "Unknown Member"),
    channel({ parts: [id = ""] }) {
      const channel = guild.channels.get(id);
      if (channel === undefined) return unknownChannel;
      const hidden = [...(id === homeChannel ? guild.hiddenFrom : [])];
      const permission_overwrites = hidden.map((each) => {
        const deny = PermissionFlagsBits.ViewChannel.toString();
        return { id: each, type: guild.members.has(each) ? 1 : 0, allow: "0", deny };
      });
      const thread =
        channel.parentId === null
          ? {}
          : { parent_id: channel.parentId, thread_metadata: { archived: channel.isArchived } };
      return ok({ id, name: channel.name, type: channel.type, guild_id: guildId, permission_overwrites, ...thread });
    },
    unarchive({ parts: [id = ""], body }) {
      const channel = guild.channels.get(id);
      if (channel === undefined) return unknownChannel;
      channel.isArchived = body["archived"] === true;
      return ok({ id });
    },
    post,
    history,
    message({ parts: [channelId = "", id = ""] }) {
      const message = guild.find(channelId, id);
      return message === null ? unknownMessage : ok(raw(guild, message));
    },
    edit,
    thread,
    reaction({ parts: [channelId = "", id = "", emoji = ""] }) {
      if (guild.find(channelId, id) === null) return unknownMessage;
      state.reactions.push({ id, emoji: decodeURIComponent(emoji) });
      return none;
    },
    direct: ({ body }) => ok({ id: String(body["recipient_id"]), type: 1 }),
    callback,
    more,
    instead: more,
  };
}
