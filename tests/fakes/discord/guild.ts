/** What the fake Discord knows: members, roles, channels, threads, messages. */

export type Json = Record<string, unknown>;

export interface Message {
  readonly id: string;
  readonly channelId: string;
  readonly authorId: string;
  readonly isOurs: boolean;
  content: string;
  embeds: Json[];
  components: Json[];
  attachments: Json[];
  readonly nonce: string | null;
  /** Whom it notified. */
  readonly mentions: Json | null;
  /** The message that it replies to. */
  readonly replyTo: string | null;
  editedAt: string | null;
  edits: number;
}

export type StoredMessage = Message & { isDeleted: boolean };

export interface Member {
  readonly id: string;
  readonly name: string;
  readonly roles: string[];
}

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly type: number;
  /** Of a thread. */
  readonly parentId: string | null;
  isArchived: boolean;
}

export const guildId = "900000000000000001";
export const homeChannel = "900000000000000002";
export const privateChannel = "900000000000000003";
export const botId = "900000000000000009";
export const leadRole = "900000000000000077";
/** The role that came with the bot: nobody else can have it. */
export const botRole = "900000000000000078";
/** Another bot in the server. */
export const otherBotId = "900000000000000008";

const discordEpochMs = 1_420_070_400_000;

export type Guild = ReturnType<typeof openGuild>;

export function openGuild() {
  const members = new Map<string, Member>([
    [botId, { id: botId, name: "Chief of Staff", roles: [botRole] }],
    [otherBotId, { id: otherBotId, name: "Another bot", roles: [] }],
  ]);
  const channels = new Map<string, Channel>([
    [homeChannel, { id: homeChannel, name: "chief-of-staff", type: 0, parentId: null, isArchived: false }],
    [privateChannel, { id: privateChannel, name: "private", type: 0, parentId: null, isArchived: false }],
  ]);
  /** Members and roles from which the home channel is hidden. */
  const hiddenFrom = new Set<string>();
  const messages: StoredMessage[] = [];
  let last = 0n;

  function freshId(): string {
    const now = BigInt(Date.now() - discordEpochMs) << 22n;
    last = now > last ? now : last + 1n;
    return last.toString();
  }

  function find(channelId: string, id: string): StoredMessage | null {
    return messages.find((each) => each.channelId === channelId && each.id === id && !each.isDeleted) ?? null;
  }

  function memberOf(id: string): Json {
    const known = members.get(id);
    return {
      user: userOf(id),
      nick: null,
      roles: known?.roles ?? [],
      joined_at: "2026-01-01T00:00:00.000Z",
      deaf: false,
      mute: false,
      flags: 0,
      permissions: "0",
    };
  }

  function userOf(id: string): Json {
    const name = members.get(id)?.name ?? id;
    const isBot = id === botId || id === otherBotId;
    return { id, username: name, global_name: name, discriminator: "0", avatar: null, bot: isBot };
  }

  return { members, channels, hiddenFrom, messages, freshId, find, memberOf, userOf };
}

/** A message as Discord sends it. */
export function raw(guild: Pick<Guild, "userOf">, message: Message): Json {
  return {
    id: message.id,
    channel_id: message.channelId,
    author: guild.userOf(message.authorId),
    content: message.content,
    embeds: message.embeds,
    components: message.components,
    attachments: message.attachments,
    timestamp: new Date(Number(BigInt(message.id) >> 22n) + discordEpochMs).toISOString(),
    edited_timestamp: message.editedAt,
    type: message.replyTo === null ? 0 : 19,
    tts: false,
    mention_everyone: false,
    mentions: [],
    mention_roles: [],
    pinned: false,
    ...(message.replyTo === null
      ? {}
      : { message_reference: { message_id: message.replyTo, channel_id: message.channelId } }),
  };
}

/** A text of what was given; empty where it is missing. */
export function textIn(given: Readonly<Record<string, unknown>>, name: string): string {
  const value = given[name];
  return typeof value === "string" ? value : "";
}

/** Every text of a message, one a line. */
export function wordsOf(message: Pick<Message, "content" | "embeds">): string {
  return [message.content, ...message.embeds.map((embed) => textIn(embed, "description"))].join("\n");
}
